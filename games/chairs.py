"""Who can speak at a table: the players' seats, lettered clockwise, and two chairs beside them."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

Seat: TypeAlias = int

LETTERS = "ABCDEFG"
DEALER: Seat = -1  # the seat of chance: its answers are lines in the log
HOUSE: Seat = -2  # what is done to a match rather than in it


def called(seat: Seat) -> str:
    """How a chair is called in a log.

    >>> called(1), called(DEALER), called(HOUSE)
    ('B', 'dealer', 'house')
    """
    return {DEALER: "dealer", HOUSE: "house"}.get(seat) or LETTERS[seat]


@cache
def clockwise(seats: int, after: Seat) -> tuple[Seat, ...]:
    """The other seats in the order of play, beginning with the next.

    >>> clockwise(4, after=2)
    (3, 0, 1)
    """
    return tuple((after + n) % seats for n in range(1, seats))
