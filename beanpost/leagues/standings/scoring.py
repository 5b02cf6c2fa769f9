"""Standings, pure: results in, rows out, each with the reason for its place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple, TypeAlias

from beanpost.leagues.standings.points import Number, Scheme
from beanpost.leagues.standings.promotion import find_movement


class EntrantResult(NamedTuple):  # a season has thousands of them
    """One entrant's result in one fixture."""

    entrant: int
    rank: int  # 1 is best, ties share
    score: int = 0
    forfeited: bool = False
    counts: bool = True  # False: a substitute's result that scores for nobody
    by_bot: bool = False


@dataclass(frozen=True)
class FixtureResult:
    """A fixture with a result."""

    outcomes: tuple[EntrantResult, ...]


@dataclass
class Tally:
    """An entrant's totals."""

    entrant: int
    points: Number = 0
    played: int = 0
    byes: int = 0
    wins: int = 0
    score: int = 0
    forfeits: int = 0
    by_bot: int = 0

    @property
    def average(self) -> Fraction:
        return Fraction(self.points) / (self.played + self.byes) if self.played + self.byes else Fraction(0)


@dataclass(frozen=True)
class Why:
    """Why a row stands below the one above it: the measure that decided, and both values."""

    by: str
    above: Number = 0
    here: Number = 0


@dataclass(frozen=True)
class Row:
    rank: int
    tally: Tally
    why: Why | None  # None: the first row
    line: str = ""  # "up", "down" or nothing


Measure: TypeAlias = Callable[["DivisionResults", Sequence[int]], Mapping[int, Number]]


@dataclass(frozen=True)
class DivisionResults:
    """Everything that was played in a division."""

    entrants: tuple[int, ...]
    scheme: Scheme
    played: tuple[FixtureResult, ...] = ()
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

    @cached_property
    def tables(self) -> dict[int, list[int]]:
        """The tables at which each entry sat, as indices of `played`: tie-breaks of a few look at a few tables."""
        found: dict[int, list[int]] = defaultdict(list)
        for n, fixture in enumerate(self.played):
            for outcome in fixture.outcomes:
                found[outcome.entrant].append(n)
        return found

    @cached_property
    def opponents(self) -> dict[int, Fraction]:
        """The average points of each entry's opponents. Unscored substitutes don't count as opponents."""
        # Whole numbers of the smallest part of a point: sums of fractions take ten times as long.
        part = lcm(*(tally.points.denominator for tally in self.tallies.values()))
        parts = {one: int(tally.points * part) for one, tally in self.tallies.items()}
        total: dict[int, int] = defaultdict(int)
        count: dict[int, int] = defaultdict(int)
        for fixture in self.played:
            there = [out.entrant for out in fixture.outcomes if out.counts and out.entrant in parts]
            everybody = sum(parts[one] for one in there)
            for one in there:
                total[one] += everybody - parts[one]
                count[one] += len(there) - 1
        return {one: Fraction(total[one], part * max(1, count[one])) for one in self.tallies}

    def add(self, rows: dict[int, Tally], fixture: FixtureResult) -> None:
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


def read_tallies(value: Callable[[Tally], Number]) -> Measure:
    return lambda season, among: {who: value(season.tallies[who]) for who in among}


def read_order(order: Callable[[DivisionResults], Mapping[int, int] | None]) -> Measure:
    """Return a measure by which the entry with the lowest number is best."""
    return lambda season, among: {who: -(order(season) or {}).get(who, 0) for who in among}


def score_direct(season: DivisionResults, among: Sequence[int]) -> dict[int, int]:
    """Return how often each was placed above the others, minus how often below. Forfeits share the last place."""
    balance = dict.fromkeys(among, 0)
    for n in {n for who in among for n in season.tables.get(who, ())}:
        met = [outcome for outcome in season.played[n].outcomes if outcome.entrant in balance and outcome.counts]
        places = [(out.forfeited, 0 if out.forfeited else out.rank) for out in met]
        for one, place in zip(met, places, strict=True):
            balance[one.entrant] += sum((place < other) - (place > other) for other in places)
    return balance


MEASURES: dict[str, Measure] = {
    "points": read_tallies(lambda tally: tally.points),
    "average": read_tallies(lambda tally: tally.average),
    "direct": score_direct,
    "wins": read_tallies(lambda tally: tally.wins),
    "opponents": lambda season, among: {who: season.opponents[who] for who in among},
    "forfeits": read_tallies(lambda tally: -tally.forfeits),
    "lot": read_order(lambda season: season.lots),
}
KNOCKED_OUT: dict[str, Measure] = {  # these come before points
    "reached": lambda season, among: {who: (season.reached or {}).get(who, 0) for who in among},
    "final": read_order(lambda season: season.final),
}
LADDER: dict[str, Measure] = {"rung": read_order(lambda season: season.rungs)}
USUAL_TIE_BREAKS = ("direct", "wins", "opponents")


def compute_standings(
    season: DivisionResults,
    breaks: Iterable[str] = USUAL_TIE_BREAKS,
    *,
    up: int = 0,
    down: int = 0,
    gone: frozenset[int] = frozenset(),
) -> list[Row]:
    """Return all entries from first to last. Entries that no tie-break separates share a rank.

    People who have left keep their rows, but are neither promoted nor relegated: the next ones are.
    """
    stages = LADDER if season.rungs is not None else KNOCKED_OUT if season.reached is not None else ()
    order = sort_entrants(season, list(season.entrants), [*stages, "points", *breaks])
    staying = [entrant for entrant, _why in order if entrant not in gone]
    sides = {entrant: find_movement(n, len(staying), up, down) for n, entrant in enumerate(staying)}
    rows: list[Row] = []
    above: str | None = None  # the movement of the last of these equals, without people who have left
    for n, (entrant, why) in enumerate(order):
        tied, side = n > 0 and why.by == "equal", sides.get(entrant)
        above = above if tied else None
        reason = Why("lot") if above is not None and side not in {None, above} else why  # only some of them move
        rows.append(Row(rows[-1].rank if tied else n + 1, season.tallies[entrant], reason if n else None, side or ""))
        above = above if side is None else side
    return rows


def sort_entrants(season: DivisionResults, among: list[int], measures: Sequence[str]) -> list[tuple[int, Why]]:
    """Sort the given entrants, best first, each with the reason for standing below the one before."""
    if len(among) == 1:
        return [(among[0], Why("equal"))]
    if not measures:
        drawn = MEASURES["lot"](season, among)
        return [(who, Why("equal")) for who in sorted(among, key=lambda who: -drawn[who])]
    first, *others = measures
    worth = (MEASURES | KNOCKED_OUT | LADDER)[first](season, among)
    row: list[tuple[int, Why]] = []
    equals: dict[Number, list[int]] = defaultdict(list)
    for who in among:
        equals[worth[who]].append(who)
    groups = [equals[value] for value in sorted(equals, reverse=True)]
    for n, group in enumerate(groups):
        inside = sort_entrants(season, group, others)
        if n:
            head, *rest = inside
            inside = [(head[0], Why(first, worth[groups[n - 1][0]], worth[group[0]])), *rest]
        row += inside
    return row
