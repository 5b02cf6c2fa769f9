"""Swiss pairing with tables of n: equal scores sit together, and the same people don't meet twice if avoidable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

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


def draw_swiss(
    entrants: Sequence[int],
    scores: Mapping[int, Number],
    size: int,
    seed: str,
    *,
    least: int = 2,
    past: Sequence[RoundSeating] = (),
) -> RoundSeating:
    """Draw one round by score, the best together; neighbours swap if people would meet again."""
    history = Past.collect(past)
    chance = seed_dice(seed, f"swiss {len(past)}")
    order = sorted(chance.shuffle(entrants), key=lambda who: -scores.get(who, 0))
    shape = choose_table_sizes(len(order), size, least=least)
    byes = choose_byes(order, len(order) - sum(shape), history)
    playing = [who for who in order if who not in byes]
    tables = avoid_repeats(cut_into_tables(playing, rotate_small_tables(playing, shape, history)), scores, history)
    return RoundSeating(seat_fairly(tables, history), byes)


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
