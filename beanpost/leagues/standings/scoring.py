"""Standings, pure: results in, rows out, each with the reason for its place."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

SHARE = "share"
ROUNDED = 12  # points for beating everybody at the table, if points are shares: 12 divides well


class UnknownScheme(ValueError):
    """The text is no points scheme."""


@dataclass(frozen=True)
class Outcome:
    """One entrant's result in one fixture."""

    entrant: int
    rank: int  # 1 is best, ties share
    score: int = 0
    forfeited: bool = False
    counts: bool = True  # False: a substitute's result that scores for nobody
    by_bot: bool = False


@dataclass(frozen=True)
class Played:
    """A fixture with a result."""

    outcomes: tuple[Outcome, ...]


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
        return Fraction(ROUNDED * (seats - 1 - place), seats - 1)

    def points(self, ranks: Sequence[int]) -> list[Fraction]:
        """Return the points of each rank at a table. Equal ranks share the worth of their places."""
        seats = len(ranks)
        shared = {
            rank: sum((self.place(rank - 1 + n, seats) for n in range(ranks.count(rank))), Fraction(0))
            / ranks.count(rank)
            for rank in set(ranks)
        }
        return [shared[rank] for rank in ranks]

    def sitting_out(self, seats: int) -> Fraction:
        """Return the worth of a bye: the average of a table's places."""
        return sum((self.place(n, seats) for n in range(seats)), Fraction(0)) / seats


@dataclass
class Tally:
    """An entrant's totals."""

    entrant: int
    points: Fraction = Fraction(0)
    played: int = 0
    byes: int = 0
    wins: int = 0
    score: int = 0
    forfeits: int = 0
    by_bot: int = 0

    @property
    def average(self) -> Fraction:
        return self.points / (self.played + self.byes) if self.played + self.byes else Fraction(0)


@dataclass(frozen=True)
class Why:
    """Why a row stands below the one above it: the measure that decided, and both values."""

    by: str
    above: Fraction = Fraction(0)
    here: Fraction = Fraction(0)


@dataclass(frozen=True)
class Row:
    rank: int
    tally: Tally
    why: Why | None  # None: the first row
    line: str = ""  # "up", "down" or nothing


Measure: TypeAlias = Callable[["Season", Sequence[int]], dict[int, Fraction]]


@dataclass(frozen=True)
class Season:
    """Everything that was played in a division."""

    entrants: tuple[int, ...]
    scheme: Scheme
    played: tuple[Played, ...] = ()
    byes: tuple[tuple[int, int], ...] = ()  # entrant, and the number of seats at that round's tables
    lots: Mapping[int, int] | None = None  # drawn order of entrants that nothing else tells apart
    reached: Mapping[int, int] | None = None  # in a knock-out: the round each one reached
    final: Mapping[int, int] | None = None  # in a knock-out: the ranks of the final
    rungs: Mapping[int, int] | None = None  # on a ladder: each entry's rung, 0 is the top

    @cached_property
    def tallies(self) -> dict[int, Tally]:
        """The totals of all entries. Computed once: every tie-break needs them, for every group of equals."""
        rows = {entrant: Tally(entrant) for entrant in self.entrants}
        for fixture in self.played:
            self.add(rows, fixture)
        for entrant, seats in self.byes:
            if entrant in rows:
                rows[entrant].byes += 1
                rows[entrant].points += self.scheme.sitting_out(seats)
        return rows

    def add(self, rows: dict[int, Tally], fixture: Played) -> None:
        points = self.scheme.points([outcome.rank for outcome in fixture.outcomes])
        for outcome, earned in zip(fixture.outcomes, points, strict=True):
            row = rows.get(outcome.entrant)
            if row is None or not outcome.counts:
                continue
            row.played += 1
            row.score += outcome.score
            row.forfeits += outcome.forfeited
            row.by_bot += outcome.by_bot
            if not outcome.forfeited:  # no points for a forfeited seat, whatever its rank
                row.points += earned
                row.wins += outcome.rank == 1


# ── measures, each given the entrants that are still equal ──


def by_points(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    tallies = season.tallies
    return {who: tallies[who].points for who in among}


def by_average(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    tallies = season.tallies
    return {who: tallies[who].average for who in among}


def by_wins(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    tallies = season.tallies
    return {who: Fraction(tallies[who].wins) for who in among}


def by_direct(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    """Return how often each was placed above the others, minus how often below. Forfeits count as below everybody."""
    balance = dict.fromkeys(among, Fraction(0))
    for fixture in season.played:
        met = [outcome for outcome in fixture.outcomes if outcome.entrant in balance and outcome.counts]
        for one in met:
            balance[one.entrant] += sum(
                (place_of(one) < place_of(other)) - (place_of(one) > place_of(other)) for other in met
            )
    return balance


def place_of(outcome: Outcome) -> tuple[bool, int]:
    return outcome.forfeited, outcome.rank


def by_opponents(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    """Return the average points of each one's opponents. Unscored substitutes don't count as opponents."""
    tallies = season.tallies
    met: dict[int, list[Fraction]] = defaultdict(list)
    for fixture in season.played:
        there = [outcome.entrant for outcome in fixture.outcomes if outcome.counts and outcome.entrant in tallies]
        for one in there:
            met[one] += [tallies[other].points for other in there if other != one]
    return {who: sum(met[who], Fraction(0)) / max(1, len(met[who])) for who in among}


def by_forfeits(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    tallies = season.tallies
    return {who: Fraction(-tallies[who].forfeits) for who in among}


def by_lot(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    return {who: Fraction(-(season.lots or {}).get(who, 0)) for who in among}


def by_reached(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    return {who: Fraction((season.reached or {}).get(who, 0)) for who in among}


def by_final(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    return {who: Fraction(-(season.final or {}).get(who, 0)) for who in among}


def by_rung(season: Season, among: Sequence[int]) -> dict[int, Fraction]:
    return {who: Fraction(-(season.rungs or {}).get(who, 0)) for who in among}


MEASURES: dict[str, Measure] = {
    "points": by_points,
    "average": by_average,
    "direct": by_direct,
    "wins": by_wins,
    "opponents": by_opponents,
    "forfeits": by_forfeits,
    "lot": by_lot,
}
KNOCKED_OUT: dict[str, Measure] = {"reached": by_reached, "final": by_final}  # these come before points
LADDER: dict[str, Measure] = {"rung": by_rung}
USUAL = ("direct", "wins", "opponents")


def standings(
    season: Season, breaks: Iterable[str] = USUAL, *, up: int = 0, down: int = 0, gone: frozenset[int] = frozenset()
) -> list[Row]:
    """Return all entries from first to last. Entries that no tie-break separates share a rank.

    People who have left keep their rows, but are neither promoted nor relegated: the next ones are.
    """
    stages = LADDER if season.rungs is not None else KNOCKED_OUT if season.reached is not None else ()
    order = ordered(season, list(season.entrants), [*stages, "points", *breaks])
    staying = [entrant for entrant, _why in order if entrant not in gone]
    sides = {entrant: line(n, len(staying), up, down) for n, entrant in enumerate(staying)}
    rows: list[Row] = []
    for n, (entrant, why) in enumerate(order):
        tied, side = n > 0 and why.by == "equal", sides.get(entrant, "")
        told = Why("lot") if tied and side != rows[-1].line else why  # only some of them move
        rows.append(Row(rows[-1].rank if tied else n + 1, season.tallies[entrant], told if n else None, side))
    return rows


def line(n: int, rows: int, up: int, down: int) -> str:
    """Return whether a row goes up or down. In a small division the same row must not go both ways."""
    if n < min(up, rows // 2):
        return "up"
    return "down" if n >= rows - min(down, rows - rows // 2) else ""


def ordered(season: Season, among: list[int], measures: Sequence[str]) -> list[tuple[int, Why]]:
    """Sort the given entrants, best first, each with the reason for standing below the one before."""
    if len(among) == 1 or not measures:
        drawn = by_lot(season, among)
        return [(who, Why("equal")) for who in sorted(among, key=lambda who: -drawn[who])]
    first, *others = measures
    worth = (MEASURES | KNOCKED_OUT | LADDER)[first](season, among)
    row: list[tuple[int, Why]] = []
    groups = [[who for who in among if worth[who] == value] for value in sorted(set(worth.values()), reverse=True)]
    for n, group in enumerate(groups):
        inside = ordered(season, group, others)
        if n:
            head, *rest = inside
            inside = [(head[0], Why(first, worth[groups[n - 1][0]], worth[group[0]])), *rest]
        row += inside
    return row


def crossing(above: int, below: int, moving: int) -> int:
    """Return how many cross the border of two divisions of these sizes: at most half of either."""
    return min(moving, above // 2, below // 2)


def next_divisions(divisions: Sequence[Sequence[int]], *, moving: int) -> list[list[int]]:
    """Return the next season's divisions: `moving` people change places at each border.

    >>> next_divisions([[1, 2, 3], [4, 5, 6]], moving=1)
    [[1, 2, 4], [3, 5, 6]]
    """
    after = [list(rows) for rows in divisions]
    for upper in range(len(divisions) - 1):
        count = crossing(len(divisions[upper]), len(divisions[upper + 1]), moving)
        down, up = list(divisions[upper][-count:]) if count else [], list(divisions[upper + 1][:count])
        after[upper] = [who for who in after[upper] if who not in down] + up
        after[upper + 1] = down + [who for who in after[upper + 1] if who not in up]
    return after
