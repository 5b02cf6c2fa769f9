"""Build tables of Bohnanza for tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import games
from games.bohnanza import duel, rules
from games.bohnanza.beans import SETTINGS
from games.bohnanza.state import Choosing, Dealing, Farmer, Field, Layout, State
from games.engine.bots import Bot, choose_next_action
from games.engine.table import Table, take


def laid_out(*hands: str, pile: str = "", discard: str = "", exhaustions: int = 0, offer: str = "") -> Table[Any, Any]:
    """Return a table at the start of A's turn with only these cards. The pile is given top first, the discards top
    last.
    """
    fields = (Field(),) * SETTINGS[len(hands)].fields
    farmers = tuple(Farmer(tuple(hand.split()), fields) for hand in hands)
    layout = Layout(1, 0, farmers, tuple(pile.split()), tuple(discard.split()), exhaustions)
    state = duel.start_turn(layout, tuple(offer.split())) if len(hands) == 2 else rules.start_turn(layout)
    return Table(games.get("bohnanza"), len(hands), "standard", state)


def with_farm(table: Table[Any, Any], seat: int, *, fields: str = "", coins: str = "") -> Table[Any, Any]:
    """Return the table with other fields (`stink 3, , red 1`) and coins for one seat."""
    plots = tuple(field(text) for text in fields.split(",")) if fields else table.state.layout.farmers[seat].fields
    farmers = list(table.state.layout.farmers)
    farmers[seat] = replace(farmers[seat], fields=plots, coins=tuple(coins.split()))
    layout = replace(table.state.layout, farmers=tuple(farmers))
    return Table(table.rules, table.seats, table.variant, replace(table.state, layout=layout))


def field(text: str) -> Field:
    """
    >>> field(" stink 3"), field(" ")
    (Field(bean='stink', count=3), Field(bean=None, count=0))
    """
    bean, _, count = text.strip().partition(" ")
    return Field(bean, int(count)) if bean else Field()


def after(table: Table[Any, Any], *lines: str) -> Table[Any, Any]:
    """Return the table after some lines, each with its seat: `A: reveal`."""
    for line in lines:
        who, _, move = line.partition(": ")
        table = table.says(games.DEALER if who == "dealer" else "ABCDEFG".index(who), move)
    return table


def tables_of(table: Table[Any, Any], bots: list[Bot], secret: bytes) -> Iterator[Table[Any, Any]]:
    """Yield every table of a game, up to the end."""
    dealer, nth = games.Seeded(secret), 0
    while table.asks:
        yield table
        if table.ask(games.DEALER):
            table = table.says(games.DEALER, dealer.answer(table, nth))
            nth += 1
        else:
            table = take(table, *choose_next_action(table, bots))
    yield table


def all_cards(state: State) -> Counter[str]:
    """Return every card, wherever it is."""
    if isinstance(state, (Choosing, Dealing)):
        return Counter(SETTINGS[state.seats].deck)
    layout = state.layout
    cards = Counter([*layout.pile, *layout.discard, *layout.out])
    for farmer in layout.farmers:
        cards.update([*farmer.hand, *farmer.coins])
        cards.update(plot.bean for plot in farmer.fields for _ in range(plot.count) if plot.bean)
    for lying in ("up", "offer", "lost"):
        cards.update(getattr(state, lying, ()))
    for aside in getattr(state, "aside", ()):
        cards.update(aside)
    return cards
