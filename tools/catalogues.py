"""Update the translation catalogues: extract texts from the sources, write and compile them with Babel.

Each of our games has the texts of its folder in its own locale/; all other texts are in beanpost/locale/. A text that
moves from one to another keeps its translation. The languages are those of the latter, or those of another folder,
`python -m tools.catalogues FOLDER`.
Unchanged entries stay as they are: the header of a catalogue names no dates, people or tools.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

Text: TypeAlias = str | tuple[str, ...]  # one text, or one for each plural form

LAZY = {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
REFUSALS = (
    "RulesError",
    "NotInstalled",
    "Unreadable",
    "NotAsked",
    "Illegal",
    "VerificationFailed",
    "MalformedExport",
    "HashMismatch",
    "RulesViolated",
)
# Phrases of the games, and `_l`, which marks the labels of the organisers' actions.
KEYWORDS: dict[str, Any] = {**DEFAULT_KEYWORDS, **LAZY, **dict.fromkeys((*REFUSALS, "Phrase", "_l")), "Plural": (1, 2)}
KEYWORDS["Term"] = ((1, "c"), 2)
JINJA = {"newstyle_gettext": "true", "silent": "false"}
# Texts of django-unfold, which has no translations, that appear on our admin pages.
UNFOLD_TEXTS = (
    "All applications", "Apply Filters", "Cancel", "Changes", "Dark", "Expand row", "False", "Filters", "Light",
    "Loading more results...", "More actions", "No recent searches", "No results found",
    "No results matching your query", "Recent searches", "Reset filters", "Return to site", "Run",
    "Search apps and models...", "Select action", "Select action to run", "Select all rows", "Select record",
    "Select value", "System",
    "This page yielded into no results. Create a new item or reset your filters.",
    "Toggle password visibility", "True", "Type to search",
)  # fmt: skip
SERVICE = Path("beanpost")
OURS = Path("beanpost/locale")
COMMENT = "# What Beanpost says, collected and compiled by “make messages”."
HEAD = """\
Project-Id-Version: Beanpost
Language: {language}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
Plural-Forms: {plurals}
"""


class PlainCatalog(Catalog):
    """A catalogue with a constant header; Babel's own would hold a date and a version."""

    def __iter__(self) -> Iterator[Message]:
        _, *messages = super().__iter__()
        yield Message("", HEAD.format(language=self.locale, plurals=self.plural_forms))
        yield from messages


def main(locale: Path = OURS) -> None:
    """Update every language in a folder: ours, or a host's, whose catalogues hold the texts of the games as well."""
    folders = (SERVICE, *list_game_folders())
    for name in sorted(path.parent.name for path in locale.glob("*/LC_MESSAGES")):
        files = {find_catalogue(folder, name): [folder] for folder in folders}
        if locale != OURS:
            files = {locale / name / "LC_MESSAGES/django.po": [*folders]}
        known = [read_catalogue(file) for file in files if file.exists()]
        texts = missing = 0
        for file, parts in files.items():
            catalogue = collect_texts(parts, name, known)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(format_catalogue(catalogue))
            file.with_suffix(".mo").write_bytes(compile_catalogue(file))
            gaps = sum(map(is_missing, catalogue))
            print(f"{file}: {gaps} texts are not translated yet.")
            texts, missing = texts + len(catalogue), missing + gaps
        print(f"{name}: players read {missing} of {texts} texts in English.")
        if not (locale / name / "replies.toml").exists():
            print(f"{name}: replies are read in English, because {locale / name / 'replies.toml'} is missing.")


def list_game_folders() -> list[Path]:
    """Return the folders of our games."""
    return sorted(path.parent for path in Path("games").glob("*/jinja2"))


def find_catalogue(folder: Path, name: str) -> Path:
    return folder / "locale" / name / "LC_MESSAGES/django.po"


def collect_texts(folders: Iterable[Path], name: str, known: Sequence[Catalog]) -> PlainCatalog:
    """Return all texts of some folders, with the translations that one of the known catalogues has."""
    catalogue = PlainCatalog(name, header_comment=COMMENT)
    for text, context in (found for folder in folders for found in find_texts(folder)):
        before = [found for part in known if (found := part.get(text, context)) and found.id == text]
        if before:
            catalogue[text] = min(before, key=is_missing)
        else:
            catalogue.add(text, context=context)
    return catalogue


def find_texts(folder: Path) -> Iterator[tuple[Text, str | None]]:
    """Yield every text that is marked for translation in the folder of a game, or in all others, with its context."""
    if folder != SERVICE:
        yield from read_texts(folder.rglob("*.py"), folder.glob("jinja2/**/*.*"))
        return
    shared = [file for file in Path("games").rglob("*.py") if not {*file.parents} & {*list_game_folders()}]
    yield from read_texts([*Path("beanpost").rglob("*.py"), *shared], Path("templates").rglob("*.*"))
    for file in sorted(Path("beanpost").rglob("templates/**/*.html")):  # Django templates, of the admin
        yield from extract_texts("python", "\n".join(map(str.strip, templatize(file.read_text()).splitlines())))
    yield from ((text, None) for text in UNFOLD_TEXTS)


def read_texts(code: Iterable[Path], templates: Iterable[Path]) -> Iterator[tuple[Text, str | None]]:
    for file in sorted(code):
        yield from extract_texts("python", file.read_text())
    for file in sorted(templates):
        if file.suffix != ".css":
            yield from extract_texts("jinja2", file.read_text(), JINJA)


def extract_texts(
    language: str, source: str, options: dict[str, str] | None = None
) -> Iterator[tuple[Text, str | None]]:
    for _, text, _, context in extract(language, BytesIO(source.encode()), KEYWORDS, options=options):
        yield text, context


def read_catalogue(file: Path) -> PlainCatalog:
    catalogue = PlainCatalog(find_language(file), header_comment=COMMENT)
    with file.open("rb") as source:
        for message in read_po(source, locale=find_language(file)):
            if message.id:
                catalogue[message.id] = message
    return catalogue


def find_language(file: Path) -> str:
    """Return the language of a catalogue.

    >>> find_language(Path("beanpost/locale/fr/LC_MESSAGES/django.po"))
    'fr'
    """
    return file.parts[-3]


def format_catalogue(catalogue: PlainCatalog) -> bytes:
    """Return the contents of the .po file."""
    target = BytesIO()
    write_po(target, catalogue)
    return target.getvalue()


def compile_catalogue(file: Path) -> bytes:
    """Return the contents of the .mo file for a .po file, without fuzzy entries."""
    target = BytesIO()
    write_mo(target, read_catalogue(file))
    return target.getvalue()


def is_missing(message: Message) -> bool:
    texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    return message.fuzzy or not all(texts)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
