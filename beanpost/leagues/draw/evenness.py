"""How evenly people meet, and how to make them meet more evenly.

The unevenness of a list of rounds is the sum over all pairs of (how often they meet)². An empty chair counts as a
person whom everybody may meet, so that small tables are shared out like opponents.

Expanded, the sum is the number of all meetings plus twice the number of pairs that any two rounds have in common. Two
lower bounds follow: one from spreading the meetings over all pairs as evenly as possible, the other from the pairs that
two rounds must have in common because a table seats more people than there were tables before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import TypeAlias

from games.contract.dice import Dice

Chairs: TypeAlias = list[list[int]]  # one round: tables, each a list of the people there
MAX_SWAPS_TRIED = 800_000  # swaps to examine before stopping


def list_meetings(rounds: Iterable[Sequence[Sequence[int]]]) -> Iterator[tuple[int, int]]:
    for tables in rounds:
        for table in tables:
            yield from combinations(table, 2)


def measure_unevenness(rounds: Iterable[Sequence[Sequence[int]]]) -> int:
    """Return the sum of squares, without empty chairs.

    >>> measure_unevenness([[(0, 1), (2, 3)], [(0, 1), (2, 3)]])
    8
    """
    times: dict[tuple[int, int], int] = {}
    for pair in list_meetings(rounds):
        key = (min(pair), max(pair))
        times[key] = times.get(key, 0) + 1
    return sum(count * count for count in times.values())


def find_least_unevenness(people: int, rounds: Sequence[Sequence[int]]) -> int:
    """Return a lower bound for so many people; `rounds` lists the sizes of the tables.

    >>> find_least_unevenness(4, [[2, 2], [2, 2], [2, 2]])
    6
    """
    total = sum(comb(size, 2) for sizes in rounds for size in sizes)
    each, more = divmod(total, comb(people, 2))
    spread = more * (each + 1) ** 2 + (comb(people, 2) - more) * each**2
    crowded = total + 2 * sum(find_least_in_common(people, one, other) for one, other in combinations(rounds, 2))
    return max(spread, crowded)


def find_least_in_common(people: int, one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many pairs must sit together in both rounds: of four people from three tables, two have met.

    People who sat out count as coming from a table of their own.
    """
    came_from = [len(sizes) + people - sum(sizes) for sizes in (one, other)]
    return max(count_forced_pairs(one, came_from[1]), count_forced_pairs(other, came_from[0]))


def count_forced_pairs(tables: Sequence[int], sources: int) -> int:
    return sum((size % sources) * (size // sources) + sources * comb(size // sources, 2) for size in tables)


@dataclass
class Plan:
    """Rounds being seated. People are numbered from 0; the empty chair has the number after the last."""

    people: int
    rounds: list[Chairs]
    met: list[list[int]] = field(init=False)  # how often each pair meets, past rounds included

    def __post_init__(self) -> None:
        self.met = [[0] * (self.people + 1) for _ in range(self.people + 1)]
        for one, other in list_meetings(self.rounds):
            self.count(one, other, 1)

    def count(self, one: int, other: int, by: int) -> None:
        self.met[one][other] += by
        if one != other:
            self.met[other][one] += by

    def compute_cost(self) -> int:
        return sum(count * count for row in self.met for count in row) // 2

    def compute_fair_limits(self) -> list[int]:
        """Return the fair limit of meetings with each of the others; the last number is for the empty chair."""
        *people, empty = self.met
        times = sum(sum(row[:-1]) for row in people) // 2
        return [-(-times // max(1, comb(self.people, 2)))] * self.people + [-(-sum(empty) // max(1, self.people))]

    def map_sitters(self, tables: Chairs) -> dict[tuple[int, int], int]:
        """Map each sitter to their table; empty chairs are told apart by their table."""
        return {(who, n): n for n, table in enumerate(tables) for who in table}

    def compute_change(
        self, sums: list[list[int]], tables: Chairs, one: tuple[int, int], other: tuple[int, int]
    ) -> int:
        """Return half the change in cost if two people swap chairs; negative is better."""
        (a, at), (b, to) = one, other
        both = self.met[a][b]
        moved = sums[b][at] - sums[a][at] + sums[a][to] - sums[b][to] - 2 * both
        return moved + len(tables[at]) + len(tables[to]) - 2

    def swap(self, tables: Chairs, one: tuple[int, int], other: tuple[int, int]) -> None:
        (a, at), (b, to) = one, other
        for who, leaves, joins, instead in ((a, at, to, b), (b, to, at, a)):
            for neighbour in tables[leaves]:
                if neighbour != who:
                    self.count(who, neighbour, -1)
            for neighbour in tables[joins]:
                if neighbour != instead:
                    self.count(who, neighbour, 1)
        tables[at][tables[at].index(a)] = b
        tables[to][tables[to].index(b)] = a

    def find_repeated_meetings(self, tables: Chairs) -> list[tuple[int, int]]:
        """Return the people who sit with somebody they meet too often."""
        limit = self.compute_fair_limits()
        return [
            (who, n)
            for n, table in enumerate(tables)
            for who in table
            if who < self.people and any(self.met[who][other] > limit[other] for other in table if other != who)
        ]


def improve(plan: Plan, free: Sequence[int], dice: Dice, *, least: int = 0, effort: int = MAX_SWAPS_TRIED) -> None:
    """Swap people within rounds until nothing improves (tabu search: the best swap each time, none undone at once).

    `free` lists the rounds that may still change; `least` is a cost that can't be improved upon.
    """
    best, kept = plan.compute_cost(), [[list(table) for table in plan.rounds[r]] for r in free]
    cost, rested = best, 0
    recent: deque[tuple[int, int, int]] = deque(maxlen=7 + plan.people // 8)
    while effort > 0 and best > least and rested < 300 * len(free):
        for r in free:
            swap, change, looked = find_best_swap(plan, r, recent, dice, within=best - cost)
            effort -= looked + 1
            rested += 1
            if swap is None:
                continue
            plan.swap(plan.rounds[r], *swap)
            recent.append((r, swap[0][0], swap[1][0]))
            cost += 2 * change
            if cost < best:
                best, rested = cost, 0
                kept = [[list(table) for table in plan.rounds[n]] for n in free]
    for r, tables in zip(free, kept, strict=True):
        plan.rounds[r] = tables
    plan.__post_init__()


Swap: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


def find_best_swap(
    plan: Plan, r: int, recent: deque[tuple[int, int, int]], dice: Dice, *, within: int
) -> tuple[Swap | None, int, int]:
    """Return the best swap for somebody who meets another too often, its gain, and how many swaps were examined."""
    tables = plan.rounds[r]
    unlucky = plan.find_repeated_meetings(tables)
    if not unlucky:
        return None, 0, 0
    who = unlucky if len(unlucky) <= 6 else dice.shuffle(unlucky)[:6]
    sums = [[sum(map(row.__getitem__, table)) for table in tables] for row in plan.met]
    looked = len(tables) * plan.people // 4  # computing the sums takes time too
    found: list[Swap] = []
    least = 10**9
    for one in who:
        for other in plan.map_sitters(tables):
            if other[1] == one[1] or (other[0] == plan.people and plan.people in tables[one[1]]):
                continue
            looked += 1
            change = plan.compute_change(sums, tables, one, other)
            banned = (r, one[0], other[0]) in recent or (r, other[0], one[0]) in recent
            if change > least or (banned and 2 * change >= within):
                continue
            found = [*found, (one, other)] if change == least else [(one, other)]
            least = change
    return (dice.pick(found), least, looked) if found else (None, 0, looked)
