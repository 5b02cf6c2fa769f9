"""Build tables of Le Haricot Magique for tests, by script or by random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import games
from games.contract.asks import Step
from games.engine.table import Table
from games.engine.table import iter_steps as walk
from games.haricot_magique.state import State
from tests.games.haricot_magique.composer import compose

A, B, C, D = range(4)
DEALER = games.DEALER

SeatLine = tuple[int, str]


def dealt(seats: int = 3, variant: str = "base", holder: str = "A") -> Table[Any, Any]:
    """Return a table at the first question: every hand is 1 2 3, and the bags are sorted ascending."""
    table = games.open("haricot_magique", seats=seats, variant=variant)
    bags = " ".join(["10"] * 10 + ["15"] * 10 + ["20"] * 10)
    table = table.says(DEALER, f"start {holder}").says(DEALER, f"shuffle {bags}")
    for seat in "ABCDE"[:seats]:
        table = table.says(DEALER, f"shuffle {seat} 1 2 3 4 5 6 7")
    return table


def table(*lines: SeatLine, seats: int = 3, variant: str = "base") -> Table[Any, Any]:
    """Return the table after these lines."""
    now = dealt(seats, variant)
    for seat, line in lines:
        now = now.says(seat, line)
    return now


def step(*lines: SeatLine, seats: int = 3, variant: str = "base") -> Step[State]:
    """Return the last of these lines, with the state before and after it."""
    *_, last = walk(dealt(seats, variant), lines)
    return last


def chosen(*cards: int) -> tuple[SeatLine, ...]:
    return tuple((seat, f"choose {card}") for seat, card in enumerate(cards))


def play_at_random(seats: int, variant: str, seed: int) -> Iterator[Table[Any, Any]]:
    """Yield every table of a random game."""
    chance, dealer = random.Random(seed), games.Seeded(f"at random {seed}".encode())
    now = games.open("haricot_magique", seats=seats, variant=variant)
    nth = 0
    yield now
    while now.asks:
        ask = chance.choice(now.asks)
        if ask.seat == DEALER:
            now = now.says(DEALER, dealer.answer(now, nth))
            nth += 1
        else:
            composed = compose(now.view(ask.seat), ask, chance) if chance.random() < 0.5 else None
            now = now.says(ask.seat, str(composed or chance.choice(ask.menu)))
        yield now
