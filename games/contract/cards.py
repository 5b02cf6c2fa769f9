"""Helpers for cards. Piles and hands are tuples; nothing is changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")
Card = TypeVar("Card", int, str)


def counted(counts: Mapping[T, int]) -> tuple[T, ...]:
    """Return the full deck in the box's printed order.

    >>> counted({1: 3, 15: 1})
    (1, 1, 1, 15)
    """
    return tuple(card for card, count in counts.items() for _ in range(count))


def without(hand: Sequence[T], taken: Iterable[T]) -> tuple[T, ...]:
    """Return the hand without some of its cards.

    >>> without((4, 6, 6, 7), (6, 4))
    (6, 7)
    """
    left = list(hand)
    for card in taken:
        left.remove(card)
    return tuple(left)


def same_cards(some: Iterable[Card], others: Iterable[Card]) -> bool:
    """Return whether two piles hold the same cards, in any order."""
    return sorted(some) == sorted(others)


def alike(hand: Sequence[T]) -> list[tuple[T, int]]:
    """Return each distinct card of a hand with its count.

    >>> alike((4, 6, 6, 7))
    [(4, 1), (6, 2), (7, 1)]
    """
    return [(card, hand.count(card)) for card in dict.fromkeys(hand)]


def put(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return the row with one item replaced.

    >>> put(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    changed = list(row)
    changed[place] = item
    return tuple(changed)
