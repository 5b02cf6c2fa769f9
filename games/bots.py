"""Players that are no people: each game's own bot, and one that says anything it may."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from games.chance import Dealer
from games.chairs import DEALER
from games.notation import Action
from games.rules import Ask, Table, take

Bot: TypeAlias = Callable[[Any, Ask], Action]


def careless(seed: int) -> Bot:
    """A bot that says any ready answer."""
    chance = random.Random(seed)
    return lambda view, ask: chance.choice(ask.menu)


def play_on(table: Table[Any, Any], dealer: Dealer, bots: Sequence[Bot], *, most: int = 100_000) -> Table[Any, Any]:
    """The table when the game has ended, or after so many lines."""
    nth = 0
    for _ in range(most):
        if not table.asks:
            break
        ask = next((ask for ask in table.asks if ask.default or ask.seat == DEALER))
        if ask.seat == DEALER:
            table = table.says(DEALER, dealer.answer(table, nth))
            nth += 1
        else:
            table = take(table, ask.seat, bots[ask.seat](table.view(ask.seat), ask))
    return table
