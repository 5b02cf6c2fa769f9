"""Automatic players: each game's own bot, and one that plays at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from games.contract.asks import Ask
from games.contract.notation import Action
from games.contract.seats import DEALER, Seat
from games.engine import catalogue
from games.engine.dealer import Dealer, Seeded
from games.engine.table import Table, take

# A bot may stay silent (None) if nobody waits for it, or until time is up if others may speak first.
Bot: TypeAlias = Callable[[Any, Ask], Action | None]


class RandomPlayer:
    """A bot that picks any ready answer when it is waited for, and is silent otherwise. It never looks at the view."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def __call__(self, view: Any, ask: Ask) -> Action | None:
        return self.chance.choice(ask.menu or (ask.default,)) if ask.default else None


def random_player(seed: int) -> Bot:
    return RandomPlayer(seed)


def play_to_end(table: Table[Any, Any], dealer: Dealer, bots: Sequence[Bot], *, most: int = 100_000) -> Table[Any, Any]:
    """Return the table when the game has ended, or after `most` lines."""
    nth = 0
    for _ in range(most):
        if not table.asks:
            break
        if table.ask(DEALER):
            table = table.says(DEALER, dealer.answer(table, nth))
            nth += 1
        else:
            table = take(table, *choose_next_action(table, bots))
    return table


def play_forced(table: Table[Any, Any], dealer: Dealer, nth: int) -> tuple[Table[Any, Any], int]:
    """Play what nobody decides: the dealer's lines and forced answers. Return the table and the dealer's next draw."""
    while table.ask(DEALER) or table.forced:
        if table.ask(DEALER):
            table = table.says(DEALER, dealer.answer(table, nth))
            nth += 1
        else:
            table = table.says(*table.forced[0])
    return table, nth


def choose_next_action(table: Table[Any, Any], bots: Sequence[Bot]) -> tuple[Seat, Action]:
    """Return the next seat to speak and its action. Seats that need not speak go first, then the others."""
    for ask in sorted(table.asks, key=lambda ask: (ask.default is not None, ask.seat)):
        bot = bots[ask.seat]
        view = None if isinstance(bot, RandomPlayer) else table.view(ask.seat)
        if action := bot(view, ask):
            return ask.seat, action
    return find_first_default(table)


def find_first_default(table: Table[Any, Any]) -> tuple[Seat, Action]:
    """Return the default of the first seat that is waited for: it is played when everybody stays silent."""
    ask = next(ask for ask in table.asks if ask.default is not None)
    assert ask.default is not None
    return ask.seat, ask.default


def measure_strength(slug: str, seats: int, variant: str | None, games: int) -> float:
    """Return the share of games that the game's bot wins against random players, taking each seat in turn."""
    return sum(_score_game(slug, seats, variant, nth) for nth in range(games)) / games


def _score_game(slug: str, seats: int, variant: str | None, nth: int) -> float:
    """Return 1 if the bot wins the nth game alone, and a fraction if it shares first place."""
    table = catalogue.open(slug, seats=seats, variant=variant)
    bots = [random_player(seed) for seed in range(nth * seats, (nth + 1) * seats)]
    bots[nth % seats] = table.rules.bot
    result = play_to_end(table, Seeded(f"strength {nth}".encode()), bots).result
    assert result is not None
    return (result.ranks[nth % seats] == 1) / result.ranks.count(1)
