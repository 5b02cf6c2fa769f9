"""Find the table that a reply to a letter about several tables means, by a number or by a standing order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from beanpost.post.reply_parser.lines import iter_candidates
from beanpost.post.reply_parser.move_meaning import NUMBERED, find_number
from games.contract.replies.language import Language
from games.contract.replies.spelling import convert_digits


def find_chosen_numbers(lines: Sequence[str], numbers: Collection[int], language: Language) -> dict[int, list[str]]:
    """Return the printed numbers that the lines name, each with the texts it occurs in.

    >>> from beanpost.i18n.reply_language import get_reply_language
    >>> lines = ["Bonjour,", "3 et 14", "2. Pass and draw", "", "6 beans for all", "3"]
    >>> find_chosen_numbers(lines, range(1, 15), get_reply_language())
    {3: ['3', '3'], 14: ['14'], 2: ['2. Pass and draw']}
    """
    found: dict[int, list[str]] = {}
    for number, piece in iter_numbers(lines, language):
        if number in numbers:
            found.setdefault(number, []).append(piece)
    return found


def find_unknown_numbers(lines: Sequence[str], numbers: Collection[int], language: Language) -> list[str]:
    """Return the numbers that the lines name but the letter did not print.

    >>> from beanpost.i18n.reply_language import get_reply_language
    >>> find_unknown_numbers(["3 et 141", "2. Pass and draw a card"], range(1, 15), get_reply_language())
    ['141']
    """
    return [piece for number, piece in iter_numbers(lines, language) if number not in numbers]


def iter_numbers(lines: Sequence[str], language: Language) -> Iterator[tuple[int, str]]:
    """Yield each number that the lines name, and the text it occurs in."""
    pairs = ((parse_number(piece, language), piece) for line in lines for piece in split_numbers(line, language))
    return ((number, piece) for number, piece in pairs if number is not None)


def split_numbers(line: str, language: Language) -> Iterator[str]:
    """Yield each number of a line such as "3 and 14"; any other line as a whole."""
    parts = [part for part in language.between_numbers.split(line) if part]
    yield from parts if all(parse_number(part, language) is not None for part in parts) else [line]


def parse_number(text: str, language: Language) -> int | None:
    """Return the number that a text names, alone or before its label."""
    copied = NUMBERED.fullmatch(convert_digits(text).strip())  # copied from the letter, with its label
    return int(copied[1]) if copied else find_number(text, language)


def find_order(lines: Sequence[str], tables: Mapping[int, Callable[[str], str]]) -> tuple[str, list[int]]:
    """Return the first text that is a standing order at any table, and the tables where it is one."""
    for text in iter_candidates(lines):
        if found := [table for table, order in tables.items() if order(text)]:
            return text, found
    return "", []
