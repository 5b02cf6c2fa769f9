"""The question each seat is asked, and its menu."""

import pytest

import games
from games.bohnanza.actions import Accept, Discard, Offer
from games.bohnanza.state import Market
from tests.games.bohnanza.people import anybody
from tests.games.bohnanza.tables import after, laid_out, tables_of, with_farm

LONG = "soy eye wax wax wax wax wax wax wax wax"


def menu(table, seat):
    ask = table.ask(seat)
    return None if ask is None else [str(answer) for answer in ask.menu]


def test_phase_1_asks_the_active_seat_and_seats_that_could_harvest_or_buy():
    table = laid_out("wax blue", "red", "red", "red", pile=LONG)
    table = with_farm(with_farm(table, 1, fields="stink 2, soy 1"), 3, coins="red red red")
    assert menu(table, 0) == ["plant wax in 1", "plant wax in 2"]
    assert menu(table, 1) == ["harvest 1"]
    assert menu(table, 2) is None  # it has nothing to say
    assert menu(table, 3) == ["buy"]
    assert [ask.seat for ask in table.asks if ask.default] == [0]


def test_one_question_offers_plantings_harvests_and_purchases():
    table = with_farm(
        laid_out("wax blue", "red", "red", "red", pile=LONG), 0, fields="stink 2, soy 2", coins="red " * 3
    )
    assert menu(table, 0) == ["plant wax in 1", "plant wax in 2", "harvest 1", "harvest 2", "buy"]
    table = after(table, "A: plant wax in 2")
    assert menu(table, 0) == ["plant blue in 1", "reveal", "harvest 1", "buy"]
    assert str(table.ask(0).default) == "reveal"


def test_the_market_asks_every_seat_and_waits_for_one():
    table = after(laid_out("wax blue", "red", "red", "red", pile=LONG), "A: plant wax in 1", "A: reveal")
    assert [ask.seat for ask in table.asks] == [0, 1, 2, 3]
    assert [str(ask.default) for ask in table.asks] == ["done", "None", "None", "None"]
    assert all(ask.free == (Offer,) for ask in table.asks)
    table = after(table, "B: no deal")
    assert menu(table, 1) == []  # still asked: it may compose an offer


def test_offers_have_ready_answers():
    table = after(
        laid_out("wax blue", "red", "red", "soy", pile=LONG),
        "A: plant wax in 1",
        "A: reveal",
        "A: offer blue for red to all",
    )
    assert menu(table, 0) == ["withdraw 1", "done"]
    assert menu(table, 1) == ["accept 1", "decline 1", "no deal"]
    assert menu(table, 3) == ["decline 1", "no deal"]  # D holds no red bean
    assert table.ask(1).free == (Offer, Accept)
    assert table.ask(3).free == (Offer,)


def test_phase_3_waits_for_every_seat_with_cards_set_aside():
    table = after(
        laid_out("wax blue", "red", "red", "soy", pile=LONG),
        "A: plant wax in 1",
        "A: reveal",
        "A: offer *soy for red to B",
        "B: accept 1",
        "A: done",
    )
    assert [ask.seat for ask in table.asks if ask.default] == [0, 1]
    assert menu(table, 0) == ["plant red in 2", "plant eye in 2"]
    assert menu(table, 1) == ["plant soy in 1", "plant soy in 2"]
    assert table.forced == ((1, "plant soy in 1"),)


def test_the_duel_asks_only_the_active_seat():
    table = with_farm(laid_out("wax", "red", pile=LONG), 1, fields="stink 4, ", coins="red red red")
    assert [ask.seat for ask in table.asks] == [0]


def test_the_duel_lists_each_hand_card_as_one_discard():
    table = after(laid_out("blue wax red wax red", "red", pile=LONG), "A: plant blue in 1")
    assert menu(table, 0) == [
        "plant wax in 2", "discard wax", "discard red", "discard wax@3", "discard red@4", "go"
    ]  # fmt: skip
    assert table.ask(0).free == (Discard,)


def test_offered_cards_are_planted_or_discarded_in_any_order():
    table = laid_out("blue", "red", pile=LONG, offer="wax soy wax")
    assert menu(table, 0) == [
        "plant wax in 1", "plant wax in 2", "plant soy in 1", "plant soy in 2", "discard wax", "discard soy"
    ]  # fmt: skip


@pytest.mark.parametrize("seats", range(2, 8))
def test_every_question_outside_the_market_has_a_ready_answer(seats):
    bots = [anybody(seat) for seat in range(seats)]
    for table in tables_of(games.open("bohnanza", seats=seats), bots, b"questions"):
        for ask in table.asks:
            assert ask.menu or ask.free
            assert ask.menu or ask.seat == games.DEALER or isinstance(table.state, Market)


def test_a_question_stays_the_same_while_its_card_is_not_planted():
    table = with_farm(laid_out("wax blue", "red", "red", "red", pile=LONG), 0, fields="stink 2, soy 2")
    about = table.ask(0).about
    table = after(table, "A: harvest 1")
    assert table.ask(0).about == about == "turn 1 first card"
    assert after(table, "A: plant wax in 1").ask(0).about == "turn 1 second card"
