"""Find the table that a reply to a letter about several tables means, by a number or by a standing order."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from beanpost.post.reply_parser.lines import tried
from beanpost.post.reply_parser.move_meaning import NUMBERED, number_in
from games.contract.replies.spelling import convert_digits

BETWEEN = re.compile(r"\s*(?:[,;&]|\b(?:and|et)\b)\s*", re.I)


def chosen(lines: Sequence[str], numbers: Collection[int]) -> dict[int, list[str]]:
    """Return the printed numbers that the lines name, each with the texts it occurs in.

    >>> chosen(["Bonjour,", "3 et 14", "2. Pass and draw a card", "", "6 beans for all", "3"], range(1, 15))
    {3: ['3', '3'], 14: ['14'], 2: ['2. Pass and draw a card']}
    """
    found: dict[int, list[str]] = {}
    for named, piece in numbered(lines):
        if named in numbers:
            found.setdefault(named, []).append(piece)
    return found


def strange(lines: Sequence[str], numbers: Collection[int]) -> list[str]:
    """Return the numbers that the lines name but the letter did not print.

    >>> strange(["3 et 141", "2. Pass and draw a card"], range(1, 15))
    ['141']
    """
    return [piece for named, piece in numbered(lines) if named not in numbers]


def numbered(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    said = ((number(piece), piece) for line in lines for piece in pieces(line))
    return ((named, piece) for named, piece in said if named is not None)


def pieces(line: str) -> Iterator[str]:
    parts = [part for part in BETWEEN.split(line) if part]
    yield from parts if all(number(part) is not None for part in parts) else [line]


def number(text: str) -> int | None:
    copied = NUMBERED.fullmatch(convert_digits(text).strip())  # copied from the letter, with its label
    return int(copied[1]) if copied else number_in(text)


def ordered(lines: Sequence[str], tables: Mapping[int, Callable[[str], str]]) -> tuple[str, list[int]]:
    """Return the first text that is a standing order at any table, and the tables where it is one."""
    for text in tried(lines):
        if meant := [table for table, order in tables.items() if order(text)]:
            return text, meant
    return "", []
