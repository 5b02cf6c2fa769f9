"""Players that are no people: each game's own bot, and one that says anything it may."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from games import shelf
from games.chairs import DEALER, Seat
from games.chance import Dealer, Seeded
from games.notation import Action
from games.rules import Ask, Table, take

# A bot may stay silent (None) where nobody waits for it.
Bot: TypeAlias = Callable[[Any, Ask], Action | None]


def careless(seed: int) -> Bot:
    """A bot that says any ready answer where it is waited for, and keeps still otherwise."""
    chance = random.Random(seed)
    return lambda view, ask: chance.choice(ask.menu or (ask.default,)) if ask.default else None


def play_on(table: Table[Any, Any], dealer: Dealer, bots: Sequence[Bot], *, most: int = 100_000) -> Table[Any, Any]:
    """The table when the game has ended, or after so many lines."""
    nth = 0
    for _ in range(most):
        if not table.asks:
            break
        if table.ask(DEALER):
            table = table.says(DEALER, dealer.answer(table, nth))
            nth += 1
        else:
            table = take(table, *next_to_speak(table, bots))
    return table


def next_to_speak(table: Table[Any, Any], bots: Sequence[Bot]) -> tuple[Seat, Action]:
    """Whoever need not speak may do so first; then those the table waits for, in seat order."""
    for ask in sorted(table.asks, key=lambda ask: (ask.default is not None, ask.seat)):
        if action := bots[ask.seat](table.view(ask.seat), ask):
            return ask.seat, action
    raise RuntimeError(f"Every bot stays silent: {table.asks}")


def strength(slug: str, seats: int, variant: str | None, games: int) -> float:
    """The share of games that the game's bot wins against careless seats, sitting on each chair in turn."""
    return sum(_victory(slug, seats, variant, nth) for nth in range(games)) / games


def _victory(slug: str, seats: int, variant: str | None, nth: int) -> float:
    """1 if the bot wins the nth game alone, a part of it where it shares the first place."""
    table = shelf.open(slug, seats=seats, variant=variant)
    bots = [careless(seed) for seed in range(nth * seats, (nth + 1) * seats)]
    bots[nth % seats] = table.rules.bot
    result = play_on(table, Seeded(f"strength {nth}".encode()), bots).result
    assert result is not None
    return (result.ranks[nth % seats] == 1) / result.ranks.count(1)
