"""Build tables of Fagioli for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import games
from games.engine.bots import Bot, choose_next_action
from games.engine.table import Table, take
from games.fagioli.rules import START_PILES, TOKENS
from games.fagioli.state import Cards, Farmer, Market, Playing


def laid_out(*hands: Cards, draw_pile: Cards, tokens: Cards = ()) -> Table[Any, Any]:
    """Return a table in its first turn with only these cards; A begins."""
    market = Market(START_PILES, draw_pile=draw_pile, aside=(), tokens=tokens or TOKENS[len(hands)])
    state = Playing(0, tuple(map(Farmer, hands)), market, turn=1, seat=0)
    return Table(games.get("fagioli"), len(hands), "standard", state)


def tables_of(table: Table[Any, Any], bots: list[Bot], secret: bytes) -> Iterator[Table[Any, Any]]:
    """Yield every table of a game, up to the end."""
    dealer, nth = games.Seeded(secret), 0
    while table.asks:
        yield table
        if table.ask(games.DEALER):
            table, nth = table.says(games.DEALER, dealer.answer(table, nth)), nth + 1
        else:
            table = take(table, *choose_next_action(table, bots))
    yield table
