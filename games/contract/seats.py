"""The seats of a table, lettered clockwise, and the two that no player holds: dealer and house."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

Seat: TypeAlias = int

LETTERS = "ABCDEFG"
DEALER: Seat = -1  # the seat of chance: its answers are lines in the log
HOUSE: Seat = -2  # says lines that act on the match rather than in the game


def seat_label(seat: Seat) -> str:
    """Return a seat's name as the log writes it.

    >>> seat_label(1), seat_label(DEALER), seat_label(HOUSE)
    ('B', 'dealer', 'house')
    """
    return {DEALER: "dealer", HOUSE: "house"}.get(seat) or LETTERS[seat]


@cache
def clockwise(seats: int, after: Seat) -> tuple[Seat, ...]:
    """Return the other seats in the order of play, starting with the next.

    >>> clockwise(4, after=2)
    (3, 0, 1)
    """
    return tuple((after + n) % seats for n in range(1, seats))
