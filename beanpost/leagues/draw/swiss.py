"""Swiss pairing with tables of n: equal scores sit together, and the same people don't meet twice if avoidable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from beanpost.leagues.draw.pairing import Past, RoundSeating, cut, dice, seat_fairly, sitting_out, table_sizes

NEAR = 4  # distance of tables that may swap people
REPEAT = 30  # a repeated meeting costs as much as this squared distance in score


def swiss(
    entrants: Sequence[int],
    scores: Mapping[int, Fraction],
    size: int,
    seed: str,
    *,
    least: int = 2,
    past: Sequence[RoundSeating] = (),
) -> RoundSeating:
    """Draw one round by score, the best together; neighbours swap if people would meet again."""
    history = Past.of(past)
    chance = dice(seed, f"swiss {len(past)}")
    order = sorted(chance.shuffle(entrants), key=lambda who: -scores.get(who, Fraction(0)))
    shape = table_sizes(len(order), size, least=least)
    byes = sitting_out(order, len(order) - sum(shape), history)
    playing = [who for who in order if who not in byes]
    tables = settle(cut(playing, small_tables_go_round(playing, shape, history)), scores, history)
    return RoundSeating(seat_fairly(tables, history), byes)


def small_tables_go_round(order: Sequence[int], shape: Sequence[int], past: Past) -> tuple[int, ...]:
    """Rotate the table sizes so that small tables go to those who have had the fewest."""
    large = max(shape, default=0)
    turned = [(*shape[n:], *shape[:n]) for n in range(len(shape))]
    return min(turned, key=lambda sizes: worst(cut(order, sizes), large, past), default=())


def worst(tables: Sequence[Sequence[int]], large: int, past: Past) -> int:
    """Return the cost of small tables for people who have had them before."""
    return sum(2 * past.small[who] + 1 for table in tables if len(table) < large for who in table)


def settle(tables: list[list[int]], scores: Mapping[int, Fraction], past: Past) -> list[list[int]]:
    """Swap people of nearby tables while that saves more repeats than it costs in score."""
    place = {score: n for n, score in enumerate(sorted({scores.get(w, Fraction(0)) for t in tables for w in t}))}
    level = {who: place[scores.get(who, Fraction(0))] for table in tables for who in table}
    for _ in range(8):
        swapped = [swap_best(tables, at, level, past) for at in range(len(tables))]
        if not any(swapped):
            break
    return tables


def swap_best(tables: list[list[int]], at: int, level: Mapping[int, int], past: Past) -> bool:
    """Make the best swap between a table with repeats and one of the nearest."""
    if not repeats(tables[at], past):
        return False
    options = []
    for to in range(max(0, at - NEAR), min(len(tables), at + NEAR + 1)):
        if to == at:
            continue
        now = strain(tables[at], level, past) + strain(tables[to], level, past)
        for i in range(len(tables[at])):
            for j in range(len(tables[to])):
                one, other = list(tables[at]), list(tables[to])
                one[i], other[j] = other[j], one[i]
                options.append((strain(one, level, past) + strain(other, level, past) - now, to, i, j))
    change, to, i, j = min(options, default=(0, 0, 0, 0))
    if change >= 0:
        return False
    tables[at][i], tables[to][j] = tables[to][j], tables[at][i]
    return True


def repeats(table: Sequence[int], past: Past) -> int:
    return sum(past.met[frozenset(pair)] ** 2 for pair in combinations(table, 2))


def strain(table: Sequence[int], level: Mapping[int, int], past: Past) -> int:
    """Return the cost of a table: repeated meetings, and scores far apart."""
    levels = [level[who] for who in table]
    return REPEAT * repeats(table, past) + (max(levels) - min(levels)) ** 2
