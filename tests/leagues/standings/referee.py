"""Standings worked out a second time, from the words of docs/leagues.md and from nothing else of the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Result:
    """How one player finished at a table."""

    who: int
    place: int
    gave_up: bool = False
    scores: bool = True  # False: the points of this seat go to nobody


@dataclass(frozen=True)
class Referee:
    """One division, as a person with paper and pencil would score it."""

    people: Sequence[int]
    tables: Sequence[Sequence[Result]]
    sat_out: Sequence[tuple[int, int]] = ()  # who, and how many seats a table of that round had
    list_of_points: Sequence[int] = ()
    tie_breaks: Sequence[str] = ()
    lots: Mapping[int, int] = field(default_factory=dict)
    left: frozenset[int] = frozenset()

    def places(self, table: Sequence[Result]) -> dict[int, int]:
        """ "A player who resigns or forfeits comes last at that table […] The others move up." """
        stayed = [result for result in table if not result.gave_up]
        places = {one.who: 1 + sum(other.place < one.place for other in stayed) for one in stayed}
        return places | {one.who: len(stayed) + 1 for one in table if one.gave_up}

    def worth(self, place: int, size: int) -> Fraction:
        """Points of a place: "beating everyone gives twelve points and other places proportionally fewer"."""
        if not self.list_of_points:
            return Fraction(12 * (size - place), size - 1)
        return Fraction(self.list_of_points[place - 1] if place <= len(self.list_of_points) else 0)

    def gained(self, one: Result, table: Sequence[Result]) -> Fraction:
        """ "Players who tie share the points of their places."; nobody who gave up gets any."""
        if one.gave_up:
            return Fraction(0)
        places = self.places(table)
        mine = places[one.who]
        equals = sum(places[other.who] == mine for other in table if not other.gave_up)
        return sum((self.worth(n, len(table)) for n in range(mine, mine + equals)), Fraction(0)) / equals

    def seat_average(self, size: int) -> Fraction:
        return sum((self.worth(n, size) for n in range(1, size + 1)), Fraction(0)) / size

    def mine(self, who: int) -> list[tuple[Result, Sequence[Result]]]:
        return [(one, table) for table in self.tables for one in table if one.who == who and one.scores]

    def points(self, who: int) -> Fraction:
        at_tables = sum((self.gained(one, table) for one, table in self.mine(who)), Fraction(0))
        return at_tables + sum((self.seat_average(size) for sitter, size in self.sat_out if sitter == who), Fraction(0))

    def head_to_head(self, who: int, tied: Sequence[int]) -> Fraction:
        balance = 0
        for _, table in self.mine(who):
            places = self.places(table)
            rivals = [other.who for other in table if other.scores and other.who in tied and other.who != who]
            balance += sum((places[rival] > places[who]) - (places[rival] < places[who]) for rival in rivals)
        return Fraction(balance)

    def wins(self, who: int, tied: Sequence[int]) -> Fraction:
        return Fraction(sum(self.places(table)[who] == 1 and not one.gave_up for one, table in self.mine(who)))

    def opponents(self, who: int, tied: Sequence[int]) -> Fraction:
        met = [other.who for _, table in self.mine(who) for other in table if other.who != who and other.scores]
        return sum((self.points(other) for other in met), Fraction(0)) / len(met) if met else Fraction(0)

    def average(self, who: int, tied: Sequence[int]) -> Fraction:
        rounds = len(self.mine(who)) + sum(sitter == who for sitter, _ in self.sat_out)
        return self.points(who) / rounds if rounds else Fraction(0)

    def forfeits(self, who: int, tied: Sequence[int]) -> Fraction:
        return Fraction(-sum(one.gave_up for one, _ in self.mine(who)))

    def lot(self, who: int, tied: Sequence[int]) -> Fraction:
        return Fraction(-self.lots[who])

    def standings(self) -> list[list[int]]:
        """Return the people, best first; people whom nothing tells apart stand in one group."""
        by_name: dict[str, Callable[[int, Sequence[int]], Fraction]] = {
            "direct": self.head_to_head,
            "wins": self.wins,
            "opponents": self.opponents,
            "average": self.average,
            "forfeits": self.forfeits,
            "lot": self.lot,
        }
        groups = self.split(list(self.people), lambda who, tied: self.points(who))
        for name in self.tie_breaks:
            groups = [part for group in groups for part in self.split(group, by_name[name])]
        return groups

    @staticmethod
    def split(group: list[int], measure: Callable[[int, Sequence[int]], Fraction]) -> list[list[int]]:
        values = {who: measure(who, group) for who in group}
        return [[who for who in group if values[who] == value] for value in sorted(set(values.values()), reverse=True)]


def climb(ladder: Sequence[int], tables: Sequence[tuple[Mapping[int, int], bool]]) -> list[int]:
    """Return the ladder after a round of tables of neighbours, top first: their places, and whether each counted."""
    after: list[list[int]] = []
    for places, counted in tables:
        neighbours = [who for who in ladder if who in places]
        after.append(sorted(neighbours, key=lambda who: places[who]) if counted else neighbours)
    for n in range(1, len(after)):
        if tables[n - 1][1] and tables[n][1]:
            after[n - 1][-1], after[n][0] = after[n][0], after[n - 1][-1]
    return [who for table in after for who in table]


def go_on(places: Mapping[int, int], lots: Mapping[int, int]) -> set[int]:
    """ "The better half of each table goes on, rounded up […]. Lots decide ties"."""
    half = len(places) // 2 + len(places) % 2
    return set(sorted(places, key=lambda who: (places[who], lots[who]))[:half])
