"""Swiss pairing with tables of n: equal scores sit together, and the same people don't meet twice if avoidable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, count
from typing import TypeAlias

from beanpost.leagues.draw.pairing import (
    Past,
    RoundSeating,
    choose_byes,
    choose_table_sizes,
    cut_into_tables,
    seat_fairly,
    seed_dice,
)
from beanpost.leagues.standings.points import Number

MAX_TABLES_APART = 4  # distance of tables that may swap people
COST_OF_REPEAT = 30  # a repeated meeting costs as much as this squared distance in score
MAX_DUELS_TRIED = 5_000  # steps of the search for a round of duels without repeats
Tables: TypeAlias = list[list[int]]


def draw_swiss(
    entrants: Sequence[int],
    scores: Mapping[int, Number],
    size: int,
    seed: str,
    *,
    least: int = 2,
    most: int = 0,
    past: Sequence[RoundSeating] = (),
) -> RoundSeating:
    """Draw one round by score, the best together; neighbours swap if people would meet again."""
    history = Past.collect(past)
    chance = seed_dice(seed, f"swiss {len(past)}")
    order = sorted(chance.shuffle(entrants), key=lambda who: -scores.get(who, 0))
    shape = choose_table_sizes(len(order), size, least=least, most=most)
    byes = choose_byes(order, len(order) - sum(shape), history)
    playing = [who for who in order if who not in byes]
    tables = avoid_repeats(cut_into_tables(playing, rotate_small_tables(playing, shape, history)), scores, history)
    if set(shape) == {2} and any(count_repeats(table, history) for table in tables):
        byes, tables = find_fresh_duels(order, byes, history) or (byes, tables)
    return RoundSeating(seat_fairly(tables, history), byes)


def find_fresh_duels(order: Sequence[int], byes: tuple[int, ...], past: Past) -> tuple[tuple[int, ...], Tables] | None:
    """Return who sits out and a round of duels without repeats, if one is found; people of similar score meet."""
    equals = [who for who in reversed(order) if past.byes[who] == min(map(past.byes.__getitem__, order))]
    for out in [{who} for who in equals] if byes else [set()]:
        playing = [who for who in order if who not in out]
        fresh = {
            one: [other for other in playing if other != one and not past.met[frozenset((one, other))]]
            for one in playing
        }
        if (tables := pair_up(fresh, count(MAX_DUELS_TRIED, -1))) is not None:
            return tuple(out), tables
    return None


def pair_up(fresh: Mapping[int, Sequence[int]], steps: Iterator[int]) -> Tables | None:
    """Pair everybody with one of their possible opponents, the person with the fewest first.

    None if there is no way, or if none is found in so many steps.
    """
    if not fresh:
        return []
    ranks = {who: n for n, who in enumerate(fresh)}
    one = min(fresh, key=lambda who: len(fresh[who]))
    for other in sorted(fresh[one], key=lambda who: abs(ranks[who] - ranks[one])):
        if next(steps) <= 0:
            return None
        rest = {who: [met for met in fresh[who] if met not in (one, other)] for who in fresh if who not in (one, other)}
        if (others := pair_up(rest, steps)) is not None:
            return [[one, other], *others]
    return None


def rotate_small_tables(order: Sequence[int], shape: Sequence[int], past: Past) -> tuple[int, ...]:
    """Rotate the table sizes so that small tables go to those who have had the fewest."""
    large = max(shape, default=0)
    turned = [(*shape[n:], *shape[:n]) for n in range(len(shape))]
    return min(turned, key=lambda sizes: measure_small_tables(cut_into_tables(order, sizes), large, past), default=())


def measure_small_tables(tables: Sequence[Sequence[int]], large: int, past: Past) -> int:
    """Return the cost of small tables for people who have had them before."""
    return sum(2 * past.small[who] + 1 for table in tables if len(table) < large for who in table)


def avoid_repeats(tables: list[list[int]], scores: Mapping[int, Number], past: Past) -> list[list[int]]:
    """Swap people of nearby tables while that saves more repeats than it costs in score."""
    place = {score: n for n, score in enumerate(sorted({scores.get(w, 0) for t in tables for w in t}))}
    level = {who: place[scores.get(who, 0)] for table in tables for who in table}
    for _ in range(8):
        swapped = [swap_best(tables, at, level, past) for at in range(len(tables))]
        if not any(swapped):
            break
    return tables


def swap_best(tables: list[list[int]], at: int, level: Mapping[int, int], past: Past) -> bool:
    """Make the best swap between a table with repeats and one of the nearest."""
    if not count_repeats(tables[at], past):
        return False
    options = []
    for to in range(max(0, at - MAX_TABLES_APART), min(len(tables), at + MAX_TABLES_APART + 1)):
        if to == at:
            continue
        now = measure_strain(tables[at], level, past) + measure_strain(tables[to], level, past)
        for i in range(len(tables[at])):
            for j in range(len(tables[to])):
                one, other = list(tables[at]), list(tables[to])
                one[i], other[j] = other[j], one[i]
                options.append((measure_strain(one, level, past) + measure_strain(other, level, past) - now, to, i, j))
    change, to, i, j = min(options, default=(0, 0, 0, 0))
    if change >= 0:
        return False
    tables[at][i], tables[to][j] = tables[to][j], tables[at][i]
    return True


def count_repeats(table: Sequence[int], past: Past) -> int:
    return sum(past.met[frozenset(pair)] ** 2 for pair in combinations(table, 2))


def measure_strain(table: Sequence[int], level: Mapping[int, int], past: Past) -> int:
    """Return the cost of a table: repeated meetings, and scores far apart."""
    levels = [level[who] for who in table]
    return COST_OF_REPEAT * count_repeats(table, past) + (max(levels) - min(levels)) ** 2
