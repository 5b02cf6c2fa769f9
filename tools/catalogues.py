"""The catalogues of translations in locale/: gathered from the sources with gettext, written and compiled by babel.

What nobody has changed is written as it was: the head of a catalogue names no dates, no people and no tools.
"""

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

IGNORED = (".venv", "tests", "bench", "var", "static-collected")
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
    known = read(file)
    ignored = [f"--ignore={folder}/*" for folder in IGNORED]
    words = [sys.executable, "manage.py", "makemessages", "-l", language(file), "--no-obsolete", "--no-location"]
    subprocess.run([*words, *ignored], check=True)
    catalogue = read(file)
    for text in FURNITURE:  # in another's sources: gettext does not see them
        if text not in catalogue:
            before = known.get(text)
            catalogue.add(text, before.string if before else "")
    return catalogue


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
