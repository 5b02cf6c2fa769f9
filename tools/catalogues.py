"""The catalogues of translations in locale/: gathered from the sources, written and compiled by Babel.

Entries that nobody has changed are written as they were: the head of a catalogue names no dates, no people and no
tools.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

Text: TypeAlias = str | tuple[str, ...]  # or one for each plural form

LAZY = {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
REFUSALS = ("RulesError", "Unreadable", "NotAsked", "Illegal", "Doubtful", "Misshapen", "Broken", "Unruly")
# Phrases of the games, and `_l`, which marks the labels of the organisers' verbs.
KEYWORDS: dict[str, Any] = {**DEFAULT_KEYWORDS, **LAZY, **dict.fromkeys((*REFUSALS, "Phrase", "_l")), "Plural": (1, 2)}
JINJA = {"newstyle_gettext": "true", "silent": "false"}
# Of the office's furniture, which speaks English alone: what stands on our pages.
FURNITURE = (
    "All applications", "Apply Filters", "Cancel", "Changes", "Dark", "Expand row", "False", "Filters", "Light",
    "Loading more results...", "More actions", "No recent searches", "No results found",
    "No results matching your query", "Recent searches", "Reset filters", "Return to site", "Run",
    "Search apps and models...", "Select action", "Select action to run", "Select all rows", "Select record",
    "Select value", "System",
    "This page yielded into no results. Create a new item or reset your filters.",
    "Toggle password visibility", "True", "Type to search",
)  # fmt: skip
COMMENT = "# What Beanpost says, gathered and compiled by “make messages”."
HEAD = """\
Project-Id-Version: Beanpost
Language: {language}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
Plural-Forms: {plurals}
"""


class Sober(Catalog):
    """A catalogue with a head that stays the same; babel's own would tell when and by what it was written."""

    def __iter__(self) -> Iterator[Message]:
        _, *messages = super().__iter__()
        yield Message("", HEAD.format(language=self.locale, plurals=self.plural_forms))
        yield from messages


def main() -> None:
    for file in sorted(Path("locale").glob("*/LC_MESSAGES/django.po")):
        catalogue = gathered(file)
        file.write_bytes(written(catalogue))
        file.with_suffix(".mo").write_bytes(compiled(file))
        print(f"{file}: {sum(map(is_missing, catalogue))} texts are not translated yet.")


def gathered(file: Path) -> Sober:
    """All texts of the sources, with the translations they had."""
    known, catalogue = read(file), Sober(language(file), header_comment=COMMENT)
    for text, context in [*texts(), *((text, None) for text in FURNITURE)]:
        before = known.get(text, context)
        if before and before.id == text:
            catalogue[text] = before
        else:
            catalogue.add(text, context=context)
    return catalogue


def texts() -> Iterator[tuple[Text, str | None]]:
    """Every text that is marked for translation, and its context."""
    for folder in ("beanpost", "games"):
        for file in sorted(Path(folder).rglob("*.py")):
            yield from marked("python", file.read_text())
    for file in sorted(Path("beanpost").rglob("templates/**/*.html")):  # Django's, of the admin
        yield from marked("python", "\n".join(map(str.strip, templatize(file.read_text()).splitlines())))
    for file in sorted(Path("templates").rglob("*.*")):
        if file.suffix != ".css":
            yield from marked("jinja2", file.read_text(), JINJA)


def marked(language: str, source: str, options: dict[str, str] | None = None) -> Iterator[tuple[Text, str | None]]:
    for _, text, _, context in extract(language, BytesIO(source.encode()), KEYWORDS, options=options):
        yield text, context


def read(file: Path) -> Sober:
    catalogue = Sober(language(file), header_comment=COMMENT)
    with file.open("rb") as source:
        for message in read_po(source, locale=language(file)):
            if message.id:
                catalogue[message.id] = message
    return catalogue


def language(file: Path) -> str:
    """Whose catalogue it is.

    >>> language(Path("locale/fr/LC_MESSAGES/django.po"))
    'fr'
    """
    return file.parts[-3]


def written(catalogue: Sober) -> bytes:
    """What belongs into the .po."""
    target = BytesIO()
    write_po(target, catalogue)
    return target.getvalue()


def compiled(file: Path) -> bytes:
    """What belongs into the .mo beside a .po. Doubtful entries stay out of it."""
    target = BytesIO()
    write_mo(target, read(file))
    return target.getvalue()


def is_missing(message: Message) -> bool:
    texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    return message.fuzzy or not all(texts)


if __name__ == "__main__":
    main()
