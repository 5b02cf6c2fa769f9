"""Small dealings with cards: piles and hands are tuples, and nothing is ever changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
Card = TypeVar("Card", int, str)


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


def same_cards(some: Iterable[Card], others: Iterable[Card]) -> bool:
    """Whether two piles hold the same cards, in whatever order."""
    return sorted(some) == sorted(others)


def alike(hand: Sequence[T]) -> list[tuple[T, int]]:
    """A hand by what is in it, and how often.

    >>> alike((4, 6, 6, 7))
    [(4, 1), (6, 2), (7, 1)]
    """
    return [(card, hand.count(card)) for card in dict.fromkeys(hand)]


def put(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The row with another item in one place.

    >>> put(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    changed = list(row)
    changed[place] = item
    return tuple(changed)
