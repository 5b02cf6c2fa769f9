"""Standing orders of Bohnanza: what they say, when they keep still, and why they lapse."""

import pytest

import games
from games.bohnanza.actions import Accept
from games.bohnanza.advice import alongside, suggest
from games.notation import read
from games.orders import Lapse
from tests.games.bohnanza.tables import after, laid_out, with_farm

ORDERS = games.get("bohnanza").orders
A, B, C, D = range(4)


def market(hand="wax coffee stink", up="chili stink", *, second="wax blue", fields=""):
    """A's market. A holds the rest of the hand behind the first card, B what is said; fields are B's."""
    table = laid_out(hand, second, "eye", "eye", pile=f"{up} soy soy soy soy")
    table = with_farm(table, B, fields=fields) if fields else table
    return after(table, f"A: plant {hand.split()[0]} in 1", "A: reveal")


def opinion(order, table, seat):
    """What an order has to say where its owner is asked; a reason where it lapses."""
    thought = read(order, ORDERS).opinion(table.view(seat), table.ask(seat))
    return str(thought.reason) if isinstance(thought, Lapse) else str(thought)


@pytest.mark.parametrize(
    "line",
    [
        "give coffee for stink or chili until I plant it",
        "accept any gift of red",
        "hide offers that ask for garden or red from me",
        "no deal until turn 9",
        "close when everybody is through",
        "close in turn 8 when everybody is through",
        "in turn 8 plant stink in 2",
        "in turn 8 plant stink in 2 over 3 wax then red in 1",
        "in turn 8 plant received stink in 2 over 12 wax",
    ],
)
def test_an_order_and_its_line_mirror_each_other(line):
    assert str(read(line.upper(), ORDERS)) == line


# ── trading ──

GIVE = "give wax for stink or chili until I plant it"


def test_it_offers_once_in_a_turn_for_what_lies_face_up():
    table = market()
    assert opinion(GIVE, table, B) == "offer wax for *stink to A"
    table = after(table, "B: offer wax for *stink to A")
    assert opinion(GIVE, table, B) == "None"
    assert opinion(GIVE, after(table, "A: decline 1"), B) == "None"
    assert opinion(GIVE, after(table, "B: withdraw 1"), B) == "None"


def test_where_nothing_wished_lies_face_up_it_asks_for_the_first_wish():
    assert opinion(GIVE, market(up="soy soy"), B) == "offer wax for stink to A"
    assert opinion("give stink for chili until I plant it", market(), A) == "offer stink for chili to all"


def test_it_accepts_what_is_exactly_wished_and_nothing_else():
    table = after(market(), "B: no deal", "A: offer *stink *chili for wax to B", "A: offer *stink for wax blue to B")
    assert opinion(GIVE, table, B) == "None"
    table = after(table, "A: offer *chili for wax to all")
    assert opinion(GIVE, table, B) == "accept 3"
    assert opinion(GIVE, after(table, "B: accept 3"), B) == "the deal is made"


def test_it_lapses_with_the_deal_and_with_the_last_bean_of_its_kind():
    table = after(market(), "B: offer wax for *stink to A", "A: accept 1")
    assert opinion(GIVE, table, B) == "the deal is made"
    assert opinion(GIVE, market(second="blue blue"), B) == "no such bean is left in your hand"


def test_whoever_has_no_deal_is_made_no_offer_of():
    assert opinion(GIVE, after(market(), "B: no deal"), B) == "None"


def test_gifts_are_accepted_if_they_hold_nothing_else():
    table = after(market(), "A: offer *stink *chili for nothing to B", "A: offer *stink for wax to B")
    assert opinion("accept any gift of stink", table, B) == "None"
    assert opinion("accept any gift of stink or chili", table, B) == "accept 1"


def test_offers_are_hidden_and_nothing_is_said():
    table = after(market(), "A: offer *stink for wax to B", "A: offer *stink for blue to B")
    order, view, ask = read("hide offers that ask for wax from me", ORDERS), table.view(B), table.ask(B)
    assert [str(answer) for answer in ask.menu if order.hides(view, answer)] == ["accept 1", "decline 1"]
    assert order.opinion(view, ask) is None


def test_no_deal_is_said_until_the_turn_comes_but_not_over_an_offer():
    table = market()
    assert opinion("no deal until turn 2", table, B) == "no deal"
    assert opinion("no deal until turn 1", table, B) == "turn 1 has come"
    assert opinion("no deal until turn 2", after(table, "A: offer *stink for wax to B"), B) == "None"
    assert opinion("no deal until turn 2", after(table, "B: offer wax for *stink to A"), B) == "None"
    assert opinion("no deal until turn 2", table, A) == "None"


# ── the end of a market ──

CLOSE = "close in turn 1 when everybody is through"


@pytest.mark.parametrize(
    ("said", "through"),
    [
        ("B: no deal, C: no deal", False),
        ("B: no deal, C: no deal, D: no deal", True),
        ("A: offer *stink for nothing to all, B: no deal, C: no deal, D: accept 1", True),
        ("A: offer *stink for nothing to D, B: no deal, C: no deal, D: decline 1", True),
        ("B: no deal, C: no deal, D: offer eye for *stink to A, A: accept 1", True),
        ("B: no deal, C: no deal, D: offer eye for *stink to A, A: decline 1", True),
        ("A: offer *stink for nothing to all, B: no deal, C: no deal, D: offer eye for *stink to A, A: accept 2", True),
        ("A: offer *chili for nothing to D, B: no deal, C: no deal, D: offer eye for *stink to A, A: accept 2", False),
    ],
)
def test_a_market_closes_when_everybody_has_had_a_say(said, through):
    table = after(market(), *said.split(", "))
    assert table.ask(A).through is through
    assert opinion(CLOSE, table, A) == ("done" if through else "None")
    assert opinion("close when everybody is through", table, A) == ("done" if through else "None")
    assert not any(table.ask(seat).through for seat in (B, C, D))


def test_a_market_stays_open_while_an_offer_waits_for_its_owner():
    table = after(market(), "B: no deal", "C: no deal", "D: offer eye for *stink to A")
    assert table.ask(A).through
    assert opinion(CLOSE, table, A) == "None"
    assert not read(CLOSE, ORDERS).minds(table.view(A), table.ask(A))


def test_it_is_for_the_own_market_of_that_turn_alone():
    table = after(market(), "B: no deal", "C: no deal", "D: no deal")
    assert opinion("close in turn 2 when everybody is through", table, A) == "None"
    assert opinion("close in turn 2 when everybody is through", table, B) == "None"
    later = after(table, "A: done", "A: plant chili in 2", "A: plant stink in 1")
    assert opinion(CLOSE, later, B) == "turn 1 is over"


# ── planting in advance ──


def sowing(order, *, hand="wax red soy", fields="", planted=()):
    table = laid_out(hand, "blue", "eye", "eye", pile="soy soy soy soy soy soy")
    table = with_farm(table, A, fields=fields) if fields else table
    return opinion(order, after(table, *planted), A)


def test_one_or_two_cards_are_planted_then_cards_are_turned_up():
    one, two = "in turn 1 plant wax in 2", "in turn 1 plant wax in 2 then red in 1"
    assert sowing(one) == sowing(two) == "plant wax in 2"
    assert sowing(one, planted=["A: plant wax in 2"]) == "reveal"
    assert sowing(two, planted=["A: plant wax in 2"]) == "plant red in 1"
    assert sowing(two, planted=["A: plant wax in 2", "A: plant red in 1"]) == "it has done its work"


def test_a_harvest_must_be_meant():
    over = "in turn 1 plant wax in 2 over 3 soy"
    assert sowing(over, fields="eye 1, soy 3") == "plant wax in 2"
    for fields in ("eye 1, soy 4", "eye 1, stink 3", "eye 1", "wax 1, soy 3"):
        assert sowing(over, fields=fields) == "your fields have changed"
    assert sowing("in turn 1 plant wax in 2", fields="eye 1, soy 3") == "your fields have changed"
    assert sowing("in turn 1 plant wax in 3") == "your fields have changed"


def test_another_card_in_front_lapses_it():
    assert sowing("in turn 1 plant red in 1") == "your hand has changed"
    assert sowing("in turn 1 plant wax in 1 then soy in 2", planted=["A: plant wax in 1"]) == "your hand has changed"


def test_it_waits_for_its_turn():
    assert sowing("in turn 5 plant wax in 1") == "None"
    assert opinion("in turn 1 plant wax in 1", after(market(), "A: done"), A) == "it has done its work"


def test_what_was_received_is_planted_as_was_said():
    table = market(fields="blue 2, soy 4")
    table = after(table, "A: offer *stink for wax to B", "B: accept 1", "A: done")
    order = "in turn 1 plant received stink in 2 over 4 soy"
    assert opinion(order, table, B) == "plant stink in 2"
    assert opinion("in turn 1 plant received stink in 2", table, B) == "your fields have changed"
    assert opinion("in turn 1 plant received chili in 2 over 4 soy", table, B) == "None"
    assert opinion("in turn 2 plant received stink in 2 over 4 soy", table, B) == "None"


# ── what is proposed ──


def test_where_to_plant_is_asked_while_accepting():
    table = after(market(fields="blue 2, soy 4"), "A: offer *stink for wax to B", "A: offer *stink for blue to C")
    proposed = alongside(table.view(B), Accept(1))
    assert list(map(str, proposed)) == [
        "in turn 1 plant received stink in 2 over 4 soy",
        "in turn 1 plant received stink in 1 over 2 blue",
    ]
    assert alongside(table.view(C), Accept(2)) == ()


def test_who_accepts_in_their_own_market_plants_neither_what_they_give_nor_what_they_only_asked_for():
    table = with_farm(market(), A, fields="soy 2, wax 2")
    assert sorted(table.view(A).up) == ["chili", "stink"]
    table = after(
        table, "A: offer *stink for red to C", "B: offer blue for *stink to A", "A: offer *chili for garden to C"
    )
    assert list(map(str, alongside(table.view(A), Accept(2)))) == [
        "in turn 1 plant received chili in 1 over 2 soy then blue in 2 over 2 wax",
        "in turn 1 plant received chili in 2 over 2 wax then blue in 1 over 2 soy",
    ]


def test_the_next_turn_can_be_prepared_in_the_market_before():
    proposed = list(map(str, suggest(market(fields="wax 1, ").view(B))))
    assert proposed[:2] == ["in turn 2 plant wax in 1", "in turn 2 plant wax in 1 then blue in 2"]
    assert {"accept any gift of wax", "give blue for wax until I plant it"} <= set(proposed)


def test_who_is_asked_for_a_bean_can_hide_such_offers():
    table = after(
        market(), "A: offer *stink for red to B", "A: offer *chili for soy to C", "A: offer *chili for wax to all"
    )
    proposed = [order for order in map(str, suggest(table.view(B))) if order.startswith("hide")]
    assert proposed == ["hide offers that ask for red from me", "hide offers that ask for wax from me"]


def test_in_ones_own_market_its_end_can_be_ordered():
    assert list(map(str, suggest(with_farm(market(), A, fields="wax 2, soy 2").view(A)))) == [
        "close in turn 1 when everybody is through",
        "in turn 1 plant received chili in 2 over 2 soy then stink in 1 over 2 wax",
        "in turn 1 plant received chili in 1 over 2 wax then stink in 2 over 2 soy",
    ]
