"""A model of people who play Bohnanza by post, to count how often the table waits for one of them.

People open their letters in random order. Three in ten of the seats that are not active accept or make an offer; the
others say "no deal". A stop is a visit by somebody the table waits for. Everything done in one visit is one sitting,
and so one stop; a visit to a market by somebody who is not waited for is no stop.

With the savings, six in ten prepare their next turn in the market before it, seats that accept or offer say where to
plant, and the active player orders the end of the market before leaving. Without them nobody gives an order.

`Correspondence` models people who accept whatever is offered. `Careful` is stricter: people accept and ask for only
cards they have room for, so they make more offers to the active player, who must come back to answer.
"""

from __future__ import annotations

import random
from typing import Any

import games
from games.bohnanza.actions import Accept, Decline, Done, NoDeal, Offer, bean_of
from games.bohnanza.fields import fit_without_harvest
from games.bohnanza.orders.kinds import CloseWhenThrough
from games.bohnanza.orders.plans import PlantWell
from games.bohnanza.orders.suggestions import cards_to_come, next_own_turn, suggest_sowing, suggest_spots
from games.bohnanza.prospects import fields_of
from games.contract.asks import Ask
from games.contract.notation import Action
from games.contract.orders import StandingOrder, consult
from games.contract.seats import Seat
from games.engine.bots import play_forced
from games.engine.table import take

TRADERS, PLANNERS = 0.3, 0.6
SEATS = 4


class Correspondence:
    """One game, with its number of stops."""

    def __init__(self, seed: int, *, savings: bool) -> None:
        self.table = games.open("bohnanza", seats=SEATS)
        self.dealer, self.dealt = games.Seeded(b"by post %d" % seed), 0
        self.chance = random.Random(seed)
        self.savings = savings
        self.orders: dict[Seat, list[StandingOrder]] = {seat: [] for seat in range(SEATS)}
        self.market = 0  # the turn of the open market
        self.seen: dict[Seat, int] = {}  # by seat: the number of offers when it last opened a letter of this market
        self.stops = 0

    @property
    def turns(self) -> int:
        return int(self.table.view(None).turn)

    def play(self) -> Correspondence:
        self.go_on()
        while self.table.asks:
            seat = self.next_reader()
            self.stops += self.table.ask(seat).default is not None
            self.visit(seat)
        return self

    # ── the next letter opened ──

    def next_reader(self) -> Seat:
        view = self.table.view(None)
        if view.phase != "market":
            return self.chance.choice([ask.seat for ask in self.table.asks if ask.default])
        self.come_to_market(view.turn)
        return self.chance.choice([seat for seat in range(SEATS) if self.has_a_letter(seat)] or [view.active])

    def come_to_market(self, turn: int) -> None:
        if turn != self.market:
            self.market, self.seen = turn, {}

    def has_a_letter(self, seat: Seat) -> bool:
        """Return whether a seat has not seen this market yet, or was made an offer since."""
        offered = [answer.offer for answer in self.table.ask(seat).menu if isinstance(answer, Decline)]
        return seat not in self.seen or max(offered, default=0) > self.seen[seat]

    # ── a visit ──

    def visit(self, seat: Seat) -> None:
        """Do everything one person does before leaving again."""
        view = self.table.view(seat)
        if view.phase == "market":
            self.hold_market(seat) if seat == view.active else self.answer_market(seat)
            return
        while (ask := self.table.ask(seat)) and ask.default and self.table.view(seat).phase != "market":
            self.say(seat, self.table.rules.bot(self.table.view(seat), ask) or ask.default)
        view = self.table.view(seat)
        if view.phase == "market" and view.active == seat:  # the same sitting, on the next page
            self.come_to_market(view.turn)
            self.hold_market(seat)

    def hold_market(self, seat: Seat) -> None:
        first = seat not in self.seen
        while answer := self.answer_to_offers(seat):
            self.say(seat, answer)
        if not self.is_in_market(seat):  # an order has closed it
            return self.plant(seat)
        view = self.table.view(seat)
        if first and view.up:
            self.say(seat, Offer((f"*{view.up[0]}",), (), None))
        self.seen[seat] = len(self.table.view(seat).offers)
        if any(self.has_a_letter(other) for other in range(SEATS)):
            if self.savings:
                self.order(seat, CloseWhenThrough(view.turn), *self.ways_to_plant(seat))
            return None
        self.say(seat, Done())  # no more answers will come
        return self.plant(seat)

    def is_in_market(self, seat: Seat) -> bool:
        view = self.table.view(seat)
        return view.phase == "market" and view.active == seat and view.turn == self.market

    def answer_to_offers(self, seat: Seat) -> Action | None:
        ask = self.table.ask(seat)
        offered = [answer for answer in ask.menu if isinstance(answer, Accept | Decline)] if ask else []
        return self.chance.choice(offered) if offered and self.is_in_market(seat) else None

    def answer_market(self, seat: Seat) -> None:
        """Trade or say "no deal". With the savings, also order where to plant, and how the next turn begins."""
        view, ask = self.table.view(seat), self.table.ask(seat)
        trade = self.trade(view, ask) if self.chance.random() < TRADERS else None
        if isinstance(trade, Accept) and self.savings:
            self.order(seat, PlantWell(next_own_turn(view, seat)))
        plan = self.savings and seat not in self.seen and self.chance.random() < PLANNERS
        self.seen[seat] = len(view.offers) + isinstance(trade, Offer)
        if plan and seat == (view.active + 1) % SEATS:
            self.order(seat, *suggest_sowing(self.table.view(seat), seat, next_own_turn(view, seat))[:1])
        self.say(seat, trade or refusal(ask))
        if isinstance(trade, Offer) and self.savings and self.table.view(seat).phase == "market":
            self.order(seat, *self.ways_to_plant(seat))

    def trade(self, view: Any, ask: Ask) -> Action | None:
        """Accept an offer; if there is none, offer a card for a face-up one, or as a gift."""
        accepts = [answer for answer in ask.menu if isinstance(answer, Accept)]
        if accepts:
            return self.chance.choice(accepts)
        wants = [f"*{card}" for card in view.up][:1]
        return Offer((self.chance.choice(view.hand),), tuple(wants), view.active) if view.hand else None

    def is_planting(self) -> bool:
        view = self.table.view(None)
        return view.phase == "planting" and view.turn == self.market

    def ways_to_plant(self, seat: Seat) -> tuple[StandingOrder, ...]:
        view = self.table.view(seat)
        return suggest_spots(view, cards_to_come(view, seat))[:1]

    def plant(self, seat: Seat) -> None:
        """Stay for the planting, if the market closes during the visit."""
        while (ask := self.table.ask(seat)) and ask.default and self.is_planting():
            self.say(seat, self.table.rules.bot(self.table.view(seat), ask) or ask.default)

    # ── automatic answers ──

    def order(self, seat: Seat, *orders: StandingOrder) -> None:
        self.orders[seat] = [*reversed(orders), *self.orders[seat]]
        self.go_on()

    def say(self, seat: Seat, action: Action) -> None:
        self.table = take(self.table, seat, action)
        self.go_on()

    def go_on(self) -> None:
        while True:
            self.table, self.dealt = play_forced(self.table, self.dealer, self.dealt)
            if not self.orders_speak():
                return

    def orders_speak(self) -> bool:
        for ask in self.table.asks:
            own = self.orders[ask.seat]
            for counsel in consult(own, self.table.view(ask.seat), ask):
                if counsel.lapse:
                    self.orders[ask.seat] = [order for order in own if order is not own[counsel.order]]
                if counsel.answer:
                    self.table = take(self.table, ask.seat, counsel.answer)
                    return True
        return False


class Careful(Correspondence):
    """A game of people who trade only for cards that fit into their fields."""

    def trade(self, view: Any, ask: Ask) -> Action | None:
        accepts = [answer for answer in ask.menu if isinstance(answer, Accept)]
        if fitting := [answer for answer in accepts if self.has_room(view, view.offers[answer.offer - 1].gives)]:
            return self.chance.choice(fitting)
        wants = [f"*{card}" for card in view.up if self.has_room(view, (card,))][:1]
        return Offer((self.chance.choice(view.hand),), tuple(wants), view.active) if view.hand else None

    def has_room(self, view: Any, cards: tuple[str, ...]) -> bool:
        return fit_without_harvest(
            fields_of(view.seats[view.me]), (*cards_to_come(view, view.me), *map(bean_of, cards))
        )


def refusal(ask: Ask) -> Action:
    """Return "no deal"; if that was said already, decline an offer."""
    return NoDeal() if NoDeal() in ask.menu else next(answer for answer in ask.menu if isinstance(answer, Decline))
