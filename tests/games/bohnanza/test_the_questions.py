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


def buttons(table, seat):
    """The menu, without answers that lead where an earlier one does."""
    view, shown = table.view(seat), {}
    for answer in table.ask(seat).menu:
        shown.setdefault(games.get("bohnanza").menus.group_key(view, answer) or answer, str(answer))
    return [*shown.values()]


def test_a_harvest_before_the_only_planting_there_is_no_button_beside_that_planting():
    table = laid_out("wax blue", "red", "red", "red", pile=LONG)
    full = with_farm(table, 0, fields="stink 2, soy 2")
    assert menu(full, 0) == ["plant wax in 1", "plant wax in 2", "harvest 1", "harvest 2"]
    assert buttons(full, 0) == ["plant wax in 1", "plant wax in 2"]
    one_is_protected = with_farm(table, 0, fields="stink 2, soy 1")
    assert buttons(one_is_protected, 0) == ["plant wax in 1"]


def test_a_harvest_that_leaves_a_choice_keeps_its_button():
    table = laid_out("wax blue", "red", "red", "red", pile=LONG)
    rich = with_farm(table, 0, fields="stink 2, soy 2", coins="red " * 3)
    assert buttons(rich, 0) == menu(rich, 0)  # the coins buy a field
    roomy = with_farm(table, 0, fields="stink 2, ")
    assert "harvest 1" in buttons(roomy, 0)
    second = after(with_farm(table, 0, fields="stink 2, wax 2"), "A: plant wax in 2")
    assert buttons(second, 0) == ["plant blue in 1", "plant blue in 2", "reveal", "harvest 1", "harvest 2"]


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
