"""The cost of plans in wins: the same bots with and without plans, in pairs of games in the rules core.

In each pair the same deal is played twice: one seat is played first by a planner, then by a plain player. Both make
the moves of the bot, and answer before the other bots, so that plans are the only difference. Standing orders answer as
they do at the real table, the latest first; time plays no part.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from functools import lru_cache
from typing import Any

import games
from beanpost.play.turns.standing_orders import MAX_ORDERS
from games.contract import game
from games.contract.asks import Ask, Result
from games.contract.errors import RulesError
from games.contract.notation import Action, read
from games.contract.orders import Lapse, StandingOrder, consult, drop_hidden, drop_redundant
from games.contract.seats import Seat
from games.engine.bots import play_forced
from games.engine.table import Table, take
from tools.proof.pace.goals import Kind
from tools.proof.pace.planning import Plain, Planner

MAX_LINES = 20_000
CERTAINTY = 1.96  # standard errors: half the width of a 95 % interval


def has_orders(kind: Kind) -> bool:
    return bool(games.get(kind.game).orders.for_seats(kind.seats))


def measure_lower_bound(kind: Kind, pairs: int) -> tuple[float, float]:
    """Return the mean difference in wins, in points of a hundred, and the lower 95 % bound of it."""
    found = [measure_difference(kind, nth) for nth in range(pairs)]
    mean = statistics.fmean(found)
    error = statistics.stdev(found) / math.sqrt(pairs) if pairs > 1 else math.inf
    return 100 * mean, 100 * (mean - CERTAINTY * error)


def measure_difference(kind: Kind, nth: int) -> float:
    """Return what a planner wins more in the nth deal than a plain player on the same chair."""
    seat = nth % kind.seats
    planner, plain = (PairedGame(kind, nth, seat, manner).play() for manner in (Planner(), Plain()))
    return score_win(planner, seat) - score_win(plain, seat)


def score_win(result: Result, seat: Seat) -> float:
    return (result.ranks[seat] == 1) / result.ranks.count(1)


@lru_cache(maxsize=5_000)  # more than the questions of one game
def ask_bot(rules: game.Game[Any, Any], view: Any, ask: Ask) -> Action | None:
    """Return a bot's answer. Both games of a pair ask the same questions until a plan chooses another move."""
    return rules.bot(view, ask)


class PairedGame:
    """A game of bots and one person, who may plan."""

    def __init__(self, kind: Kind, nth: int, seat: Seat, manner: Plain | Planner) -> None:
        self.table = games.open(kind.game, seats=kind.seats, variant=kind.variant)
        self.dealer, self.dealt = games.Seeded(f"plans {kind} {nth}".encode()), 0
        self.seat, self.manner = seat, manner
        self.orders: list[StandingOrder] = []  # the person's, the latest first

    def play(self) -> Result:
        for _ in range(MAX_LINES):
            self.table, self.dealt = play_forced(self.table, self.dealer, self.dealt)
            if not self.table.asks:
                assert self.table.result is not None
                return self.table.result
            if not self.order_speaks():
                self.somebody_speaks()
        raise AssertionError("The game does not end.")

    def order_speaks(self) -> bool:
        if not self.orders:
            return False
        page = self.page
        if page.visible_ask is None:
            return False
        own = list(self.orders)
        for counsel in consult(own, page.view, page.visible_ask, refused=self.refuses):
            if counsel.lapse:
                self.orders.remove(own[counsel.order])
            if counsel.answer:
                self.table = take(self.table, page.seat, counsel.answer)
                return True
        return False

    def refuses(self, ask: Ask, answer: Action) -> bool:
        try:
            take(self.table, ask.seat, answer)
        except RulesError:
            return True
        return False

    def somebody_speaks(self) -> None:
        """Let the seats answer that nobody waits for, then the others. If none does, play the first default."""
        if self.person_presses():
            return
        for ask in sorted(self.table.asks, key=lambda ask: (ask.default is not None, ask.seat)):
            action = None if ask.seat == self.seat else ask_bot(self.table.rules, self.table.view(ask.seat), ask)
            if action:
                self.table = take(self.table, ask.seat, action)
                return
        late = next(ask for ask in self.table.asks if ask.default is not None)
        assert late.default is not None
        self.table = take(self.table, late.seat, late.default)

    def person_presses(self) -> bool:
        page = self.page
        press = self.manner.press(page)
        if press is None:
            return False
        if press.line:
            self.table = self.table.says(page.seat, press.line)
        if press.order:
            order = read(press.order, self.table.rules.orders.kinds)
            assert isinstance(order, StandingOrder)
            self.orders.insert(0, order)
        return True

    @property
    def page(self) -> Page:
        return Page(self.table, self.seat, self.orders)


class Page:
    """The page that the person sees: the same offers as in a scene."""

    def __init__(self, table: Table[Any, Any], seat: Seat, orders: list[StandingOrder]) -> None:
        self.rules: game.Game[Any, Any] = table.rules
        self.seat, self.view, self.orders = seat, table.view(seat), orders
        ask = table.ask(seat)
        self.visible_ask = ask and replace(ask, menu=tuple(drop_hidden(orders, self.view, ask.menu)))

    @property
    def ready_orders(self) -> list[str]:
        if len(self.orders) >= MAX_ORDERS:
            return []
        offered = drop_redundant(self.rules.orders.suggest(self.view), self.orders, self.view)
        return [str(order) for order in offered if not self.lapses_now(order)]

    def lapses_now(self, order: StandingOrder) -> bool:
        return self.visible_ask is not None and isinstance(order.respond(self.view, self.visible_ask), Lapse)

    def find_orders_with(self, line: str) -> list[str]:
        if len(self.orders) >= MAX_ORDERS:
            return []
        beside = self.rules.orders.suggest_beside(self.view, read(line, self.rules.vocabulary))
        return list(map(str, drop_redundant(beside, self.orders, self.view)))
