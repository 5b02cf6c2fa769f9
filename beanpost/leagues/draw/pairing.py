"""Seating people at tables: pure functions, deterministic for a given seed.

A format takes the entrants (any numbers, in an order that matters to it) and returns one or several rounds. Tables have
`size` chairs. If the number of people is not a multiple of that, some tables have one chair less; if that does not
work either, tables of other sizes, up to `most`, seat everybody. Otherwise somebody sits out. Byes and small tables are
shared out evenly.

    round_robin   everybody meets everybody as evenly as possible; whole seasons at once
    swiss         equal scores together, no two people together twice if avoidable (swiss.py)
    ladder        neighbours on the ladder play for their rungs
    knock_out     groups of one table each, of which the better half goes on
    classic       the game of each round, so that consecutive rounds differ
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations

from beanpost.leagues.draw.evenness import Plan, find_least_unevenness, improve
from games.contract.dice import Dice

# Kirkman's fifteen schoolgirls: all pairs meet once in seven rounds if both groups of seven turn by one each time.
KIRKMAN = ((0, 1, 3), (2, 7, 9), (4, 12, 13), (5, 8, 11), (6, 10, 14))


@dataclass(frozen=True)
class RoundSeating:
    """One round: the people at each table, in seat order, and those who sit out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Past:
    """Each person's opponents, byes, small tables and seats in earlier rounds."""

    met: Counter[frozenset[int]] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    small: Counter[int] = field(default_factory=Counter)
    seats: Counter[tuple[int, int]] = field(default_factory=Counter)

    @classmethod
    def collect(cls, rounds: Iterable[RoundSeating]) -> Past:
        past = cls()
        for seating in rounds:
            past.add(seating)
        return past

    def add(self, seating: RoundSeating) -> None:
        largest = max(map(len, seating.tables), default=0)
        self.byes.update(seating.byes)
        for table in seating.tables:
            self.met.update(map(frozenset, combinations(table, 2)))
            self.small.update(table if len(table) < largest else ())
            self.seats.update((who, seat) for seat, who in enumerate(table))


def seed_dice(seed: str, purpose: str) -> Dice:
    """Return dice that follow from the seed, independent for every purpose."""
    return Dice(f"{seed}\n{purpose}".encode(), 0)


def choose_table_sizes(people: int, size: int, *, least: int = 2, most: int = 0) -> tuple[int, ...]:
    """Return the sizes of the tables, large ones first. People left over sit out, unless larger tables may seat them.

    >>> choose_table_sizes(12, 4), choose_table_sizes(14, 4), choose_table_sizes(5, 4), choose_table_sizes(7, 2)
    ((4, 4, 4), (4, 4, 3, 3), (4,), (2, 2, 2))
    >>> choose_table_sizes(11, 7, most=7), choose_table_sizes(5, 3, least=3, most=5)
    ((6, 5), (5,))
    """
    if people < least:
        return ()
    if people < size:
        return (people,)
    for seated in range(people, 0, -1):
        tables = -(-seated // size)
        short = tables * size - seated
        if short == 0 or (short <= tables and size - 1 >= least):
            return (size,) * (tables - short) + (size - 1,) * short
        if seated == people and (even := choose_even_sizes(people, size, least=least, most=most)):
            return even
    return ()


def choose_even_sizes(people: int, size: int, *, least: int, most: int) -> tuple[int, ...]:
    """Return sizes with which nobody sits out, as near to `size` as the game allows. Empty if there are none.

    >>> choose_even_sizes(8, 3, least=3, most=5), choose_even_sizes(7, 3, least=3, most=5)
    ((4, 4), (4, 3))
    >>> choose_even_sizes(5, 3, least=3, most=4)
    ()
    """
    counts = [tables for tables in range(1, people // least + 1) if people <= tables * most]
    if not counts:
        return ()
    tables = min(counts, key=lambda count: (abs(people / count - size), count))
    large = people % tables
    return (people // tables + 1,) * large + (people // tables,) * (tables - large)


# ── round robin ──


def draw_round_robin(
    entrants: Sequence[int],
    sizes: Sequence[int],
    seed: str,
    *,
    least: int = 2,
    most: Sequence[int] = (),
    past: Sequence[RoundSeating] = (),
) -> tuple[RoundSeating, ...]:
    """Draw several rounds at once, with tables of the given sizes, so that pairs meet as evenly as possible.

    `most` lists the seats of each round's game, if tables may grow until nobody sits out.
    """
    chance = seed_dice(seed, f"round robin after {len(past)}")
    order = chance.shuffle(entrants)
    drawn = list(past)
    laid: list[tuple[list[list[int]], tuple[int, ...]]] = []
    history = Past.collect(past)
    wheel = () if past else find_wheel(len(order), set(sizes))
    for n, size in enumerate(sizes):
        shape = choose_table_sizes(len(order), size, least=least, most=most[n] if most else 0)
        if wheel:
            *tables, alone = sorted(turn_wheel(order, wheel, n), key=len, reverse=True)
            tables, byes = ([*tables, alone], ()) if len(alone) == size else (tables, tuple(alone))
        else:
            byes = choose_byes(order, len(order) - sum(shape), history)
            tables = seat_by_pattern([who for who in order if who not in byes], shape, n)
        laid.append((tables, byes))
        history.byes.update(byes)
    rounds = even_out(order, [tables for tables, _ in laid], drawn, chance)
    for tables, (_, byes) in zip(rounds, laid, strict=True):
        drawn.append(RoundSeating(seat_fairly(tables, Past.collect(drawn)), byes))
    return tuple(drawn[len(past) :])


def choose_byes(order: Sequence[int], count: int, past: Past) -> tuple[int, ...]:
    """Return the people who have sat out least often; among equals, the last in order."""
    rung = {who: -n for n, who in enumerate(order)}
    willing = sorted(order, key=lambda who: (past.byes[who], rung[who]))
    return tuple(willing[:count])


def find_wheel(people: int, sizes: set[int]) -> tuple[tuple[int, ...], ...]:
    """Return the first round of a wheel that turns until all pairs have met once, if there is one for these tables.

    >>> find_wheel(5, {2})
    ((0, 5), (1, 4), (2, 3))
    """
    if people > 1 and sizes == {2}:  # the circle method; with an odd number, an empty chair stays put
        last = people - 1 + people % 2
        return ((0, last), *((n, last - n) for n in range(1, (last + 1) // 2)))
    return KIRKMAN if (people, sizes) == (15, {3}) else ()


def turn_wheel(order: Sequence[int], wheel: Sequence[Sequence[int]], nth: int) -> list[list[int]]:
    """Return the round of a wheel that has been turned so often. The last person stays put."""
    last = max(map(max, wheel))
    turns = last if len(wheel[0]) == 2 else last // 2  # people in each group that turns
    turned = [[n if n == last else n - n % turns + (n + nth) % turns for n in table] for table in wheel]
    return [[order[n] for n in table if n < len(order)] for table in turned]


def seat_by_pattern(playing: Sequence[int], shape: Sequence[int], nth: int) -> list[list[int]]:
    """Seat people along slanted lines through a rectangle, steeper each round.

    If the number of tables is prime (or nearly), no two lines of different slant meet twice. The last row is short if
    tables are; its gaps are the empty chairs, at most one per table.
    """
    tables, size = len(shape), max(shape, default=0)
    rows = [playing[row * tables : (row + 1) * tables] for row in range(size)]
    lines = [[(table + nth * row) % tables for row in range(size)] for table in range(tables)]
    return [[rows[row][at] for row, at in enumerate(line) if at < len(rows[row])] for line in lines]


def even_out(
    order: Sequence[int], rounds: Sequence[list[list[int]]], past: Sequence[RoundSeating], chance: Dice
) -> list[list[list[int]]]:
    """Swap people between tables until they meet more evenly, past rounds included."""
    number = {who: n for n, who in enumerate(order)}
    before = [[[number[who] for who in table if who in number] for table in seating.tables] for seating in past]
    nobody = len(order)
    fresh = [add_empty_chairs([[number[who] for who in table] for table in tables], nobody) for tables in rounds]
    plan = Plan(len(order), before + fresh)
    sizes = [[len(table) for table in tables] for tables in [*before, *rounds]]
    least = find_least_unevenness(max(2, len(order)), sizes)
    improve(plan, range(len(before), len(before) + len(fresh)), chance, least=least)
    return [[[order[n] for n in table if n != nobody] for table in tables] for tables in plan.rounds[len(before) :]]


def add_empty_chairs(tables: list[list[int]], nobody: int) -> list[list[int]]:
    size = max(map(len, tables), default=0)
    return [table + [nobody] * (size - len(table)) for table in tables]


# ── seats ──


def seat_fairly(tables: Iterable[Sequence[int]], past: Past) -> tuple[tuple[int, ...], ...]:
    """Order each table so that everybody sits on every chair about equally often."""
    return tuple(choose_chairs(tuple(table), past) for table in tables)


def choose_chairs(table: tuple[int, ...], past: Past) -> tuple[int, ...]:
    if len(table) <= 5:
        return min(permutations(table), key=lambda row: measure_wear(row, past))
    row = list(table)
    while swap := next((pair for pair in combinations(range(len(row)), 2) if is_better_swapped(row, pair, past)), None):
        one, other = swap
        row[one], row[other] = row[other], row[one]
    return tuple(row)


def measure_wear(row: Sequence[int], past: Past) -> int:
    """Return how often people have sat on these chairs, squared: twice on one chair is worse than once on two."""
    return sum(2 * past.seats[who, seat] + 1 for seat, who in enumerate(row) if past.seats[who, seat])


def is_better_swapped(row: Sequence[int], pair: tuple[int, int], past: Past) -> bool:
    one, other = pair
    swapped = list(row)
    swapped[one], swapped[other] = row[other], row[one]
    return measure_wear(swapped, past) < measure_wear(row, past)


# ── ladder, knock-out, classic ──


def cut_into_tables(row: Sequence[int], shape: Sequence[int]) -> list[list[int]]:
    """Cut a row into pieces.

    >>> cut_into_tables([1, 2, 3, 4, 5], [3, 2])
    [[1, 2, 3], [4, 5]]
    """
    ends = [sum(shape[: n + 1]) for n in range(len(shape))]
    return [list(row[end - size : end]) for end, size in zip(ends, shape, strict=True)]


def draw_ladder(
    rungs: Sequence[int], size: int, *, least: int = 2, most: int = 0, past: Sequence[RoundSeating] = ()
) -> RoundSeating:
    """Seat neighbours on the ladder together, from the top; `climb_ladder` mixes the tables."""
    history = Past.collect(past)
    shape = choose_table_sizes(len(rungs), size, least=least, most=most)
    byes = choose_byes(rungs, len(rungs) - sum(shape), history)
    playing = [who for who in rungs if who not in byes]
    return RoundSeating(seat_fairly(cut_into_tables(playing, shape), history), byes)


def climb_ladder(rungs: Sequence[int], ranks: Iterable[Mapping[int, int]]) -> tuple[int, ...]:
    """Return the ladder after a round.

    Each table redistributes its own rungs by rank, the best rank highest. Then the first of each table and the last of
    the one right above swap, so that tables mix.

    >>> climb_ladder((7, 8, 9, 5), [{7: 2, 8: 1}, {9: 1, 5: 2}])
    (8, 9, 7, 5)
    """
    after, tables = list(rungs), []
    for table in ranks:
        held = sorted(rungs.index(who) for who in table)
        tables.append(held)
        for rung, who in zip(held, sorted(table, key=lambda who: (table[who], rungs.index(who))), strict=True):
            after[rung] = who
    for (*_others, last), (first, *_rest) in pairwise(sorted(tables)):
        if first == last + 1:
            after[last], after[first] = after[first], after[last]
    return tuple(after)


def draw_knock_out(
    alive: Sequence[int], size: int, *, least: int = 2, most: int = 0, past: Sequence[RoundSeating] = ()
) -> RoundSeating:
    """Spread the strong over the tables: deal out the entrants, strongest first, in snake order."""
    shape = choose_table_sizes(len(alive), size, least=least, most=most)
    history = Past.collect(past)
    byes = tuple(alive[: len(alive) - sum(shape)])  # a bye goes to the highest-placed
    tables: list[list[int]] = [[] for _ in shape]
    turn = 0
    for who in alive[len(byes) :]:
        while len(tables[find_snake_table(turn, len(shape))]) == shape[find_snake_table(turn, len(shape))]:
            turn += 1
        tables[find_snake_table(turn, len(shape))].append(who)
        turn += 1
    return RoundSeating(seat_fairly(tables, history), byes)


def find_snake_table(turn: int, tables: int) -> int:
    """Return the table for a turn, back and forth.

    >>> [find_snake_table(turn, 3) for turn in range(7)]
    [0, 1, 2, 2, 1, 0, 0]
    """
    lap, step = divmod(turn, tables)
    return tables - 1 - step if lap % 2 else step


def find_survivors(
    seating: RoundSeating, ranks: Iterable[Mapping[int, int]], lots: Mapping[int, int] | None = None
) -> tuple[int, ...]:
    """Return who goes on: the better half of every table, winners first, and the byes. Lots break ties.

    >>> find_survivors(RoundSeating(((7, 8, 9),), (5,)), [{7: 2, 8: 1, 9: 2}], {7: 1, 9: 0})
    (5, 8, 9)
    """
    drawn = lots or {}
    through = [
        (rank, n, who)
        for n, table in enumerate(ranks)
        for who, rank in sorted(table.items(), key=lambda item: (item[1], drawn.get(item[0], 0)))[
            : (len(table) + 1) // 2
        ]
    ]
    return seating.byes + tuple(who for _, _, who in sorted(through))


def choose_classic_games(games: Sequence[str], rounds: int, seed: str) -> tuple[str, ...]:
    """Return the game of each round: all games before any repeats, and never the same twice in a row."""
    chance = seed_dice(seed, "classic")
    played: list[str] = []
    while len(played) < rounds:
        lap = chance.shuffle(games)
        if played and len(games) > 1 and lap[0] == played[-1]:
            lap = (*lap[1:], lap[0])
        played += lap
    return tuple(played[:rounds])
