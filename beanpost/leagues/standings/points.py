"""Points schemes, pure: what a rank at a table is worth."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

Number: TypeAlias = Fraction | int

SHARE = "share"
WINNERS_SHARE = 12  # points for beating everybody at the table, if points are shares: 12 divides well


class UnknownScheme(ValueError):
    """The text is no points scheme."""


@dataclass(frozen=True)
class Scheme:
    """Points for ranks: a list for first, second, …, or a share for each opponent beaten.

    >>> list(map(str, Scheme.read("10 6 3").points([1, 2, 2, 4])))
    ['10', '9/2', '9/2', '0']
    >>> list(map(str, Scheme.read("share").points([1, 2, 3])))
    ['12', '6', '0']
    """

    places: tuple[int, ...] = ()  # empty: shares

    @classmethod
    def read(cls, text: str) -> Scheme:
        if text.strip() == SHARE:
            return cls()
        places = text.split()
        if not places or not all(place.isdecimal() and len(place) < 5 for place in places):
            raise UnknownScheme("Points are “share”, or a list such as “10 6 3 1”.")
        numbers = tuple(map(int, places))
        if any(lower > higher for higher, lower in itertools.pairwise(numbers)):
            raise UnknownScheme("A better rank cannot give fewer points.")
        return cls(numbers)

    def place(self, place: int, seats: int) -> Fraction:
        """Return the worth of a place, counted from 0, without ties."""
        if self.places:
            return Fraction(self.places[place] if place < len(self.places) else 0)
        return Fraction(WINNERS_SHARE * (seats - 1 - place), seats - 1)

    def points(self, ranks: Sequence[int]) -> tuple[Number, ...]:
        """Return the points of each rank at a table. Equal ranks share the worth of their places."""
        return shared_points(self, tuple(ranks))

    def sitting_out(self, seats: int) -> Fraction:
        """Return the worth of a bye: the average of a table's places."""
        return sum((self.place(n, seats) for n in range(seats)), Fraction(0)) / seats


@lru_cache(maxsize=256)  # hundreds of tables have the same ranks
def shared_points(scheme: Scheme, ranks: tuple[int, ...]) -> tuple[Number, ...]:
    """Return the points of a table. Whole ones are of type int: a season adds thousands, and fractions are slow."""
    seats = len(ranks)
    shared = {
        rank: sum((scheme.place(rank - 1 + n, seats) for n in range(ranks.count(rank))), Fraction(0))
        / ranks.count(rank)
        for rank in set(ranks)
    }
    return tuple(shared[rank].numerator if shared[rank].denominator == 1 else shared[rank] for rank in ranks)
