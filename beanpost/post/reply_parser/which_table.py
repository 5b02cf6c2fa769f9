"""Find the table that a reply to a letter about several tables means, by a number or by a standing order."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from beanpost.post.reply_parser.lines import iter_candidates
from beanpost.post.reply_parser.move_meaning import NUMBERED, find_number
from games.contract.replies.spelling import convert_digits

BETWEEN = re.compile(r"\s*(?:[,;&]|\b(?:and|et)\b)\s*", re.I)


def find_chosen_numbers(lines: Sequence[str], numbers: Collection[int]) -> dict[int, list[str]]:
    """Return the printed numbers that the lines name, each with the texts it occurs in.

    >>> find_chosen_numbers(["Bonjour,", "3 et 14", "2. Pass and draw", "", "6 beans for all", "3"], range(1, 15))
    {3: ['3', '3'], 14: ['14'], 2: ['2. Pass and draw']}
    """
    found: dict[int, list[str]] = {}
    for number, piece in iter_numbers(lines):
        if number in numbers:
            found.setdefault(number, []).append(piece)
    return found


def find_unknown_numbers(lines: Sequence[str], numbers: Collection[int]) -> list[str]:
    """Return the numbers that the lines name but the letter did not print.

    >>> find_unknown_numbers(["3 et 141", "2. Pass and draw a card"], range(1, 15))
    ['141']
    """
    return [piece for number, piece in iter_numbers(lines) if number not in numbers]


def iter_numbers(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each number that the lines name, and the text it occurs in."""
    pairs = ((parse_number(piece), piece) for line in lines for piece in split_numbers(line))
    return ((number, piece) for number, piece in pairs if number is not None)


def split_numbers(line: str) -> Iterator[str]:
    """Yield each number of a line such as "3 and 14"; any other line as a whole."""
    parts = [part for part in BETWEEN.split(line) if part]
    yield from parts if all(parse_number(part) is not None for part in parts) else [line]


def parse_number(text: str) -> int | None:
    """Return the number that a text names, alone or before its label."""
    copied = NUMBERED.fullmatch(convert_digits(text).strip())  # copied from the letter, with its label
    return int(copied[1]) if copied else find_number(text)


def find_order(lines: Sequence[str], tables: Mapping[int, Callable[[str], str]]) -> tuple[str, list[int]]:
    """Return the first text that is a standing order at any table, and the tables where it is one."""
    for text in iter_candidates(lines):
        if found := [table for table, order in tables.items() if order(text)]:
            return text, found
    return "", []
