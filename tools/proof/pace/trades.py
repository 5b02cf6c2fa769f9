"""How good the trades are that Bohnanza suggests in letters.

In games of bots, the measurement looks at every letter that the opening of a market brings.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

import games
from games.bohnanza import BOHNANZA
from games.bohnanza.actions import Accept, Offer
from games.bohnanza.bot.haggling import estimate_profit, find_best_acceptance, haggle
from games.bohnanza.bot.trades import suggest_trades
from games.contract.asks import Ask
from games.contract.seats import Seat
from games.engine.bots import choose_next_action, play_forced
from games.engine.table import Table, take

SEATS = 4
GOALS = (0.5, 0.5, 0.4)


def measure_trades(count: int) -> tuple[float, float, float]:
    """Return the share of suggestions that a bot accepts, the share of letters with a suggestion among those in which
    the bot itself would offer something, and the mean share of the joint gain that the proposer keeps.
    """
    accepted: list[bool] = []
    shown: list[bool] = []
    kept: list[float] = []
    for nth in range(count):
        for table, ask in list_market_letters(nth):
            trades = suggest_trades(table.view(ask.seat), ask.seat)
            accepted += [is_accepted(table, ask.seat, trade) for trade in trades]
            kept += [find_share_kept(table, ask.seat, trade) for trade in trades]
            if isinstance(haggle(table.view(ask.seat), ask.seat, ask), Offer):
                shown.append(bool(trades))
    return statistics.fmean(accepted), statistics.fmean(shown), statistics.fmean(kept)


def list_market_letters(nth: int) -> Iterator[tuple[Table[Any, Any], Ask]]:
    """Play a game of bots; yield each market when it opens, with the question of every seat that gets a letter."""
    table, dealer, dealt = games.open("bohnanza", seats=SEATS), games.Seeded(f"trades {nth}".encode()), 0
    turn = 0
    while True:
        table, dealt = play_forced(table, dealer, dealt)
        if not table.asks:
            return
        seen = table.view(None)
        if seen.phase == "market" and seen.turn != turn:
            turn = seen.turn
            yield from ((table, ask) for ask in table.asks if BOHNANZA.concerns(table.view(ask.seat), ask))
        table = take(table, *choose_next_action(table, [BOHNANZA.bot] * SEATS))


def is_accepted(table: Table[Any, Any], seat: Seat, trade: Offer) -> bool:
    """Return whether a bot would accept the offer, which is the first of its market."""
    after = take(table, seat, trade)
    others = [ask for ask in after.asks if ask.seat != seat]
    return any(find_best_acceptance(after.view(ask.seat), ask.seat, ask) == Accept(1) for ask in others)


def find_share_kept(table: Table[Any, Any], seat: Seat, trade: Offer) -> float:
    assert trade.to is not None
    mine = estimate_profit(table.view(seat), seat, gets=trade.wants, pays=trade.gives)
    return mine / (mine + estimate_profit(table.view(None), trade.to, gets=trade.gives, pays=trade.wants))
