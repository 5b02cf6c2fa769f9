"""The trades that Bohnanza suggests."""

import random

import games
from games.bohnanza.actions import Offer
from games.bohnanza.bot.haggling import estimate_profit
from games.bohnanza.bot.trades import suggest_trades
from games.engine.table import Table
from tests.games.bohnanza.tables import after, laid_out, with_farm
from tests.games.bohnanza.twin import twin
from tools.proof.pace.trades import GOALS, list_market_letters, measure_trades

RULES = games.get("bohnanza")


def market(bob="soy blue chili", *, pile="wax wax chili chili chili", ann="stink red", bob_grows="wax 2, green 3"):
    """Ann's market: she grows three soy beans and a blue one, and has turned up two wax beans."""
    table = with_farm(laid_out(f"blue {ann}", bob, "eye", "eye", pile=pile), 0, fields="soy 3, ")
    return after(with_farm(table, 1, fields=bob_grows), "A: plant blue in 2", "A: reveal")


def options(table, seat):
    view, ask = table.view(seat), table.ask(seat)
    return [(str(one), RULES.menus.explain(view, one)) for one in RULES.menus.ready_answers(view, ask)]


def suggested(table, seat):
    return {line: str(reason) for line, reason in options(table, seat) if reason}


def test_a_trade_says_what_each_side_would_get():
    assert suggested(market(), 1)["offer soy for *wax *wax to A"] == (
        "You: 4 wax beans, so 1 coin. A: 4 soy beans, so 2 coins instead of 1."
    )


def test_answers_to_offers_come_first_and_the_end_of_the_market_after_the_trades():
    table = after(market(), "A: offer *wax for chili to B")
    lines = [line for line, _reason in options(table, 1)]
    assert lines[:2] == ["accept 1", "decline 1"]
    assert lines[2].startswith("offer")
    assert lines.index("no deal") > max(n for n, line in enumerate(lines) if line.startswith("offer"))


def test_no_trade_is_suggested_that_was_offered_or_can_be_accepted():
    before = suggested(market(), 1)
    offered = "offer soy for *wax *wax to A"
    assert offered in before
    assert offered not in suggested(after(market(), f"B: {offered}"), 1)
    assert offered not in suggested(after(market(), "A: offer *wax *wax for soy to B"), 1)


def test_no_trade_is_suggested_if_nobody_would_gain_or_after_no_deal():
    assert suggested(market(bob="eye", bob_grows="garden 2, red 2"), 1) == {}
    assert suggested(after(market(), "B: no deal"), 1) == {}


def test_no_trade_hurts_the_player_and_none_tells_of_hidden_cards():
    chance, compared = random.Random(4), 0
    for table, ask in list_market_letters(0):
        view, trades = table.view(ask.seat), suggest_trades(table.view(ask.seat), ask.seat)
        assert all(estimate_profit(view, ask.seat, gets=one.wants, pays=one.gives) > 0 for one in trades)
        assert len({one.gives or (one.wants, one.to) for one in trades}) == len(trades) <= 3
        assert all(isinstance(one, Offer) and table.says(ask.seat, str(one)) for one in trades)
        other = Table(RULES, table.seats, table.variant, twin(table.state, ask.seat, chance))
        assert suggest_trades(other.view(ask.seat), ask.seat) == trades
        compared += other.state != table.state
    assert compared > 20


def test_bots_accept_most_suggestions():
    assert all(found >= goal for found, goal in zip(measure_trades(2), GOALS, strict=True))
