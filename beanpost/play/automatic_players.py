"""Automatic players: the dealer, the house for forced answers, bots, and players' standing orders."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

import games
from beanpost.play.load import LoadedMatch
from beanpost.play.log.storage import NewLine
from beanpost.play.models import Event, Order
from games.contract.asks import Ask
from games.contract.errors import RulesError
from games.contract.notation import Action, read
from games.contract.orders import Lapse, StandingOrder, consult, drop_hidden
from games.contract.seats import DEALER
from games.engine.table import Table, take

MAX_AUTOMATIC = 30  # lines of bots and orders after one line; then people are asked, and the sweep continues for bots


class AutomaticPlayers:
    """The automatic players of one match, while one line is being followed up."""

    def __init__(self, loaded: LoadedMatch, *, log_length: int) -> None:
        match, places = loaded.match, loaded.places
        self.dealer = partial(games.Seeded, bytes(loaded.vault.secret), [place.word for place in places])
        self.dealt = match.dealt
        self.log_length = log_length  # including the lines about to be appended
        self.bots = {place.seat for place in places if place.is_bot}
        self.orders = [order for order in loaded.standing_orders if not order.reason]
        self.vocabulary: tuple[type[StandingOrder], ...] = loaded.table.rules.orders.kinds
        self.automatic = 0
        self.changed: list[Order] = []

    def answer(self, table: Table[Any, Any]) -> NewLine | None:
        """Return the next automatic line, if there is one. The dealer and the house come before bots and orders."""
        found = None
        if table.ask(DEALER):
            found = NewLine(DEALER, self.dealer().answer(table, self.dealt), Event.Origin.DEALER)
            self.dealt += 1
        elif forced := table.forced:
            found = NewLine(*forced[0], Event.Origin.HOUSE)
        elif self.bots or self.orders:
            found = self.answer_as_bot_or_order(table)
        self.log_length += found is not None
        return found

    def answer_as_bot_or_order(self, table: Table[Any, Any]) -> NewLine | None:
        if self.automatic == MAX_AUTOMATIC:
            return None
        # The seat that could close a market comes last: every other bot and order sees each deal first.
        for ask in sorted(table.asks, key=lambda ask: bool(ask.default and ask.free)):
            if found := self.answer_as_bot(table, ask) if ask.seat in self.bots else self.answer_by_orders(table, ask):
                self.automatic += 1
                return found
        return None

    def answer_as_bot(self, table: Table[Any, Any], ask: Ask) -> NewLine | None:
        action = table.rules.bot(table.view(ask.seat), ask)
        return NewLine(ask.seat, str(action), Event.Origin.BOT) if action else None

    def answer_by_orders(self, table: Table[Any, Any], ask: Ask) -> NewLine | None:
        """Return the answer of the first standing order that has one. Note the orders that lapse on the way."""
        own = [order for order in self.orders if order.seat == ask.seat and not order.reason]
        if not own:
            return None
        parsed = [one for row in own if isinstance(one := read(row.line, self.vocabulary), StandingOrder)]
        view = table.view(ask.seat)
        # Orders do not see answers that are hidden from their owner: a hidden offer keeps no market open.
        shown = replace(ask, menu=tuple(drop_hidden(parsed, view, ask.menu)))
        for reply in consult(parsed, view, shown, refused=partial(is_refused, table)):
            order = own[reply.order]
            self.mark_changed(order, reply.lapse)
            if reply.answer:
                order.answered.append(self.log_length + 1)
                return NewLine(ask.seat, str(reply.answer), Event.Origin.PLAYER)
        return None

    def find_visible_answers(self, table: Table[Any, Any], ask: Ask) -> set[Action]:
        """Return the ready answers that the seat's own orders do not hide from it."""
        hiding = [read(order.line, self.vocabulary) for order in self.orders if order.seat == ask.seat]
        return set(drop_hidden(hiding, table.view(ask.seat), ask.menu)) if hiding else set(ask.menu)

    def mark_changed(self, order: Order, lapse: Lapse | None) -> None:
        if lapse:
            order.reason, order.values = lapse.reason.text, lapse.reason.values
        if order not in self.changed:
            self.changed.append(order)

    def save_orders(self, now: datetime) -> None:
        """Save which orders have answered and which have lapsed."""
        for order in self.changed:
            order.lapsed_at = now if order.reason else None
            order.save(update_fields=["answered", "lapsed_at", "reason", "values"])


def is_refused(table: Table[Any, Any], ask: Ask, answer: Action) -> bool:
    """Return whether the rules refuse the answer."""
    try:
        take(table, ask.seat, answer)
    except RulesError:
        return True
    return False
