"""Find the table that a reply to a letter about several tables means, by a mark or by a standing order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from beanpost.post.reply_parser.lines import iter_candidates
from beanpost.post.reply_parser.marks import read_mark, split_mark
from games.contract.replies.language import Language


def find_chosen_marks(lines: Sequence[str], printed: Collection[str], language: Language) -> dict[str, list[str]]:
    """Return the printed marks that the lines name, each with the texts it occurs in, and with "After Ann:" above it.

    >>> from beanpost.i18n.reply_language import get_reply_language
    >>> lines = ["Bonjour,", "m3 et m14", "m2. Pass and draw", "", "6 beans for all", "m3"]
    >>> find_chosen_marks(lines, ["m2", "m3", "m14"], get_reply_language())
    {'m3': ['m3', 'm3'], 'm14': ['m14'], 'm2': ['m2. Pass and draw']}
    """
    found: dict[str, list[str]] = {}
    above = ""
    for line in filter(None, lines):
        condition = [above] if above.endswith(":") and language.puts_off(above) else []  # others may name the table
        for mark, piece in iter_marks([line], language):
            if mark in printed:
                found.setdefault(mark, []).extend([*condition, piece])
        above = line
    return found


def find_unknown_marks(lines: Sequence[str], printed: Collection[str], language: Language) -> list[str]:
    """Return the marks that the lines name but the letter did not print.

    >>> from beanpost.i18n.reply_language import get_reply_language
    >>> find_unknown_marks(["m3 et m141", "m2. Pass and draw a card"], ["m2", "m3"], get_reply_language())
    ['m141']
    """
    return [piece for mark, piece in iter_marks(lines, language) if mark not in printed]


def iter_marks(lines: Sequence[str], language: Language) -> Iterator[tuple[str, str]]:
    """Yield each mark that the lines name, and the text it occurs in."""
    pairs = ((parse_mark(piece, language), piece) for line in lines for piece in split_marks(line, language))
    return ((mark, piece) for mark, piece in pairs if mark)


def split_marks(line: str, language: Language) -> Iterator[str]:
    """Yield each mark of a line such as "m3 and m14"; any other line as a whole."""
    parts = [part for part in language.between_numbers.split(language.strip_courtesies(line)) if part]
    yield from parts if all(parse_mark(part, language) for part in parts) else [line]


def parse_mark(text: str, language: Language) -> str:
    """Return the mark that a text names, alone or beside its label."""
    plain = language.strip_courtesies(text)
    return read_mark(plain, language) or split_mark(plain)[0]


def find_order(lines: Sequence[str], tables: Mapping[int, Callable[[str], str]]) -> tuple[str, list[int]]:
    """Return the first text that is a standing order at any table, and the tables where it is one."""
    for text in iter_candidates(lines):
        if found := [table for table, order in tables.items() if order(text)]:
            return text, found
    return "", []
