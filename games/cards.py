"""Small dealings with cards: piles and hands are tuples, and nothing is ever changed in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")


def counted(counts: Mapping[T, int]) -> tuple[T, ...]:
    """A full box in its printed order.

    >>> counted({1: 3, 15: 1})
    (1, 1, 1, 15)
    """
    return tuple(card for card, count in counts.items() for _ in range(count))


def without(hand: Sequence[T], taken: Iterable[T]) -> tuple[T, ...]:
    """The hand after some of its cards have left it.

    >>> without((4, 6, 6, 7), (6, 4))
    (6, 7)
    """
    left = list(hand)
    for card in taken:
        left.remove(card)
    return tuple(left)


def same_cards(some: Iterable[T], others: Iterable[T]) -> bool:
    """Whether two piles hold the same cards, in whatever order."""
    return Counter(some) == Counter(others)


def alike(hand: Iterable[T]) -> list[tuple[T, int]]:
    """A sorted hand by what lies together.

    >>> alike((4, 6, 6, 7))
    [(4, 1), (6, 2), (7, 1)]
    """
    return [(card, len(list(group))) for card, group in groupby(hand)]


def put(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The row with another item in one place.

    >>> put(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    return (*row[:place], item, *row[place + 1 :])
