"""Parts that card games share: the first player, shuffles, deals, piles and hands. Nothing is changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from games.contract.asks import Ask
from games.contract.errors import Illegal
from games.contract.notation import Action
from games.contract.seats import DEALER, Seat

T = TypeVar("T")
Card = TypeVar("Card", int, str)


def expand_counts(counts: Mapping[T, int]) -> tuple[T, ...]:
    """Return the full deck in the box's printed order.

    >>> expand_counts({1: 3, 15: 1})
    (1, 1, 1, 15)
    """
    return tuple(card for card, count in counts.items() for _ in range(count))


def without(hand: Sequence[T], taken: Iterable[T]) -> tuple[T, ...]:
    """Return the hand without some of its cards.

    >>> without((4, 6, 6, 7), (6, 4))
    (6, 7)
    """
    remaining = list(hand)
    for card in taken:
        remaining.remove(card)
    return tuple(remaining)


def same_cards(some: Iterable[Card], others: Iterable[Card]) -> bool:
    """Return whether two piles hold the same cards, in any order."""
    return sorted(some) == sorted(others)


def count_copies(hand: Sequence[T]) -> list[tuple[T, int]]:
    """Return each distinct card of a hand with its count.

    >>> count_copies((4, 6, 6, 7))
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


# ── the dealer ──


class ForSeat(Protocol):
    """An action about one seat, such as `start {seat}`."""

    def __call__(self, seat: Seat) -> Action: ...


def ask_first_player(start: ForSeat, seats: int) -> Ask:
    """Return the question to the dealer: who begins?"""
    return Ask(DEALER, "first player", menu=tuple(start(seat) for seat in range(seats)))


def check_shuffle(pile: Sequence[Card], deck: Sequence[Card]) -> None:
    """Raise unless a shuffle names every card of the deck."""
    if not same_cards(pile, deck):
        raise Illegal("A shuffle must name each of the {count} cards once.", count=len(deck))


def deal_hands(pile: tuple[T, ...], size: int, seats: int) -> tuple[list[tuple[T, ...]], tuple[T, ...]]:
    """Deal hands in blocks, in seat order, from the top. Return them and the rest of the pile.

    >>> deal_hands((1, 2, 3, 4, 5), 2, seats=2)
    ([(1, 2), (3, 4)], (5,))
    """
    return [pile[size * seat : size * (seat + 1)] for seat in range(seats)], pile[size * seats :]
