"""Standing orders of Bohnanza: their answers, their silence, and the reasons they lapse."""

import pytest

import games
from games.bohnanza.actions import Accept
from games.bohnanza.orders.suggestions import suggest, suggest_beside
from games.contract.notation import read
from games.contract.orders import Lapse, drop_redundant
from tests.games.bohnanza.tables import after, laid_out, with_farm

VOCABULARY = games.get("bohnanza").vocabulary
ORDERS = games.get("bohnanza").orders.kinds
A, B, C, D = range(4)


def market(hand="wax coffee stink", up="chili stink", *, second="wax blue", fields=""):
    """Return A's open market. A has planted the first card of `hand`; B holds `second` and has `fields`."""
    table = laid_out(hand, second, "eye", "eye", pile=f"{up} soy soy soy soy")
    table = with_farm(table, B, fields=fields) if fields else table
    return after(table, f"A: plant {hand.split()[0]} in 1", "A: reveal")


def opinion(order, table, seat):
    """Return an order's opinion on its owner's question as text; the reason if it lapses."""
    thought = read(order, ORDERS).respond(table.view(seat), table.ask(seat))
    return str(thought.reason) if isinstance(thought, Lapse) else str(thought)


@pytest.mark.parametrize(
    "line",
    [
        "give coffee for stink or chili until I plant it",
        "accept any gift of red",
        "hide offers that ask for garden or red from me",
        "no deal until turn 9",
        "no deal until turn 9 unless a trade pays",
        "plant well through turn 9",
        "play on through turn 9",
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


def test_give_offers_once_a_turn_for_a_face_up_card():
    table = market()
    assert opinion(GIVE, table, B) == "offer wax for *stink to A"
    table = after(table, "B: offer wax for *stink to A")
    assert opinion(GIVE, table, B) == "None"
    assert opinion(GIVE, after(table, "A: decline 1"), B) == "None"
    assert opinion(GIVE, after(table, "B: withdraw 1"), B) == "None"


def test_give_asks_for_the_first_bean_named_if_none_is_face_up():
    assert opinion(GIVE, market(up="soy soy"), B) == "offer wax for stink to A"
    assert opinion("give stink for chili until I plant it", market(), A) == "offer stink for chili to all"


def test_give_accepts_only_an_offer_of_exactly_its_kind():
    table = after(market(), "B: no deal", "A: offer *stink *chili for wax to B", "A: offer *stink for wax blue to B")
    assert opinion(GIVE, table, B) == "None"
    table = after(table, "A: offer *chili for wax to all")
    assert opinion(GIVE, table, B) == "accept 3"
    assert opinion(GIVE, after(table, "B: accept 3"), B) == "you made the trade"


def test_give_lapses_with_the_deal_and_with_the_last_bean_of_its_kind():
    table = after(market(), "B: offer wax for *stink to A", "A: accept 1")
    assert opinion(GIVE, table, B) == "you made the trade"
    assert opinion(GIVE, market(second="blue blue"), B) == "the bean has left your hand"


def test_give_makes_no_offer_after_no_deal():
    assert opinion(GIVE, after(market(), "B: no deal"), B) == "None"


def test_a_gift_is_accepted_if_it_holds_no_other_beans():
    table = after(market(), "A: offer *stink *chili for nothing to B", "A: offer *stink for wax to B")
    assert opinion("accept any gift of stink", table, B) == "None"
    assert opinion("accept any gift of stink or chili", table, B) == "accept 1"


def test_hide_offers_hides_answers_and_says_nothing():
    table = after(market(), "A: offer *stink for wax to B", "A: offer *stink for blue to B")
    order, view, ask = read("hide offers that ask for wax from me", ORDERS), table.view(B), table.ask(B)
    assert [str(answer) for answer in ask.menu if order.hides(view, answer)] == ["accept 1", "decline 1"]
    assert order.respond(view, ask) is None


def test_no_deal_is_said_until_the_turn_comes_unless_an_offer_is_open():
    table = market()
    assert opinion("no deal until turn 2", table, B) == "no deal"
    assert opinion("no deal until turn 1", table, B) == "turn 1 has started"
    assert opinion("no deal until turn 2", after(table, "A: offer *stink for wax to B"), B) == "None"
    assert opinion("no deal until turn 2", after(table, "B: offer wax for *stink to A"), B) == "None"
    assert opinion("no deal until turn 2", table, A) == "None"


# ── the end of a market ──

CLOSE = "close in turn 1 when everybody is through"


@pytest.mark.parametrize(
    ("lines", "through"),
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
def test_a_market_closes_when_everybody_has_had_a_say(lines, through):
    table = after(market(), *lines.split(", "))
    assert table.ask(A).through is through
    assert opinion(CLOSE, table, A) == ("done" if through else "None")
    assert opinion("close when everybody is through", table, A) == ("done" if through else "None")
    assert not any(table.ask(seat).through for seat in (B, C, D))


def test_a_market_stays_open_while_an_offer_waits_for_its_owner():
    table = after(market(), "B: no deal", "C: no deal", "D: offer eye for *stink to A")
    assert table.ask(A).through
    assert opinion(CLOSE, table, A) == "None"
    assert not read(CLOSE, ORDERS).handles(table.view(A), table.ask(A))


def test_closing_a_market_is_only_for_ones_own_market_of_that_turn():
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


def test_sow_plants_one_or_two_cards_and_then_turns_up_cards():
    one, two = "in turn 1 plant wax in 2", "in turn 1 plant wax in 2 then red in 1"
    assert sowing(one) == sowing(two) == "plant wax in 2"
    assert sowing(one, planted=["A: plant wax in 2"]) == "reveal"
    assert sowing(two, planted=["A: plant wax in 2"]) == "plant red in 1"
    assert sowing(two, planted=["A: plant wax in 2", "A: plant red in 1"]) == "it did its job"


def test_sow_harvests_only_the_crop_it_names():
    over = "in turn 1 plant wax in 2 over 3 soy"
    assert sowing(over, fields="eye 1, soy 3") == "plant wax in 2"
    for fields in ("eye 1, soy 4", "eye 1, stink 3", "eye 1", "wax 1, soy 3"):
        assert sowing(over, fields=fields) == "your fields have changed"
    assert sowing("in turn 1 plant wax in 2", fields="eye 1, soy 3") == "your fields have changed"
    assert sowing("in turn 1 plant wax in 3") == "your fields have changed"


def test_sow_lapses_if_another_card_is_in_front():
    assert sowing("in turn 1 plant red in 1") == "your hand has changed"
    assert sowing("in turn 1 plant wax in 1 then soy in 2", planted=["A: plant wax in 1"]) == "your hand has changed"


def test_sow_waits_for_its_turn():
    assert sowing("in turn 5 plant wax in 1") == "None"
    assert opinion("in turn 1 plant wax in 1", after(market(), "A: done"), A) == "it did its job"


def test_received_cards_are_planted_as_ordered():
    table = market(fields="blue 2, soy 4")
    table = after(table, "A: offer *stink for wax to B", "B: accept 1", "A: done")
    order = "in turn 1 plant received stink in 2 over 4 soy"
    assert opinion(order, table, B) == "plant stink in 2"
    assert opinion("in turn 1 plant received stink in 2", table, B) == "your fields have changed"
    assert opinion("in turn 1 plant received chili in 2 over 4 soy", table, B) == "None"
    assert opinion("in turn 2 plant received stink in 2 over 4 soy", table, B) == "None"


# ── suggestions ──


def test_accepting_suggests_where_to_plant():
    table = after(market(fields="blue 2, soy 4"), "A: offer *stink for wax to B", "A: offer *stink for blue to C")
    proposed = suggest_beside(table.view(B), Accept(1))
    assert list(map(str, proposed)) == [
        "play on through turn 6",
        "plant well through turn 2",
        "in turn 1 plant received stink in 2 over 4 soy",
        "in turn 1 plant received stink in 1 over 2 blue",
    ]
    assert list(map(str, suggest_beside(table.view(C), Accept(2)))) == [
        "play on through turn 7",
        "plant well through turn 3",
    ]


def test_the_active_player_plants_neither_cards_given_away_nor_cards_only_asked_for():
    table = with_farm(market(), A, fields="soy 2, wax 2")
    assert sorted(table.view(A).up) == ["chili", "stink"]
    table = after(
        table, "A: offer *stink for red to C", "B: offer blue for *stink to A", "A: offer *chili for garden to C"
    )
    assert list(map(str, suggest_beside(table.view(A), Accept(2)))) == [
        "play on through turn 9",
        "plant well through turn 5",
        "in turn 1 plant received chili in 1 over 2 soy then blue in 2 over 2 wax",
        "in turn 1 plant received chili in 2 over 2 wax then blue in 1 over 2 soy",
    ]


def test_the_next_turn_can_be_prepared_in_the_market_before():
    proposed = list(map(str, suggest(market(fields="wax 1, ").view(B))))
    assert proposed[:5] == [
        "play on through turn 6",
        "plant well through turn 2",
        "no deal until turn 2 unless a trade pays",
        "in turn 2 plant wax in 1",
        "in turn 2 plant wax in 1 then blue in 2",
    ]
    assert {"accept any gift of wax", "give blue for wax until I plant it"} <= set(proposed)


def test_a_player_asked_for_a_bean_can_hide_such_offers():
    table = after(
        market(), "A: offer *stink for red to B", "A: offer *chili for soy to C", "A: offer *chili for wax to all"
    )
    proposed = [order for order in map(str, suggest(table.view(B))) if order.startswith("hide")]
    assert proposed == ["hide offers that ask for red from me", "hide offers that ask for wax from me"]


def test_the_active_player_can_order_the_end_of_the_market():
    assert list(map(str, suggest(with_farm(market(), A, fields="wax 2, soy 2").view(A)))) == [
        "play on through turn 9",
        "close in turn 1 when everybody is through",
        "in turn 1 plant received chili in 2 over 2 soy then stink in 1 over 2 wax",
        "in turn 1 plant received chili in 1 over 2 wax then stink in 2 over 2 soy",
        "plant well through turn 5",
        "no deal until turn 5 unless a trade pays",
    ]


def test_a_plan_goes_along_with_offers_and_other_answers():
    table = market()
    beside = [str(order) for order in suggest_beside(table.view(A), read("offer *chili for red to B", VOCABULARY))]
    assert beside == [
        "play on through turn 9",
        "plant well through turn 5",
        "close in turn 1 when everybody is through",
    ]
    beside = [str(order) for order in suggest_beside(table.view(B), read("no deal", VOCABULARY))]
    assert beside == [
        "play on through turn 6",
        "plant well through turn 2",
        "no deal until turn 2 unless a trade pays",
    ]


# ── plans for several turns ──


def test_plant_well_plants_where_it_pays_best_turns_up_cards_and_harvests_what_can_pay_no_more():
    table = with_farm(laid_out("wax coffee", "red", "eye", "eye", pile="soy soy"), A, fields="blue 1, wax 2")
    assert opinion("plant well through turn 1", table, A) == "plant wax in 2"
    table = after(table, "A: plant wax in 2")
    assert opinion("plant well through turn 1", table, A) == "reveal"  # the coffee would cost a field
    full = with_farm(laid_out("wax coffee", "red", "eye", "eye", pile="soy soy"), A, fields="cocoa 4, wax 2")
    assert opinion("plant well through turn 1", full, A) == "harvest 1"


def test_plant_well_says_nothing_in_a_market_and_lapses_after_its_turn():
    assert opinion("plant well through turn 1", market(), A) == "None"
    assert opinion("plant well through turn 0", market(), A) == "turn 0 is over"


def test_no_deal_is_said_unless_a_trade_would_pay():
    line = "no deal until turn 2 unless a trade pays"
    assert opinion(line, market(fields="red 2, garden 2", second="red"), B) == "no deal"
    assert opinion(line, market(fields="stink 2, garden 2", second="coffee"), B) == "None"  # a stink bean lies face up
    offered = after(market(fields="red 2, garden 2", second="red"), "A: offer *chili for red to B")
    assert opinion(line, offered, B) == "None"  # orders never decline
    assert opinion("no deal until turn 1 unless a trade pays", market(), B) == "turn 1 has started"


def test_no_order_is_offered_that_would_overrule_an_active_plan():
    view = market(fields="wax 1, ").view(B)
    standing = [read("plant well through turn 2", ORDERS), read("no deal until turn 2 unless a trade pays", ORDERS)]
    assert drop_redundant(suggest(view), standing, view) == []
    assert drop_redundant(suggest(view), [read("play on through turn 6", ORDERS)], view) == []


@pytest.mark.parametrize("order", ["no deal until turn 4", "no deal until turn 4 unless a trade pays"])
def test_an_order_that_said_no_deal_covers_the_market_until_a_player_offers_something(order):
    wish = read(order, ORDERS)
    table = market()
    assert not wish.handles(table.view(B), table.ask(B))  # nothing is said yet
    table = after(table, "B: no deal")
    assert wish.handles(table.view(B), table.ask(B))
    assert not wish.handles(table.view(A), table.ask(A))  # one's own market
    table = after(table, "A: offer *stink for red to B")
    assert not wish.handles(table.view(B), table.ask(B))


# ── playing on ──

PLAY_ON = "play on through turn 1"


def test_play_on_plants_as_the_bot_does_and_lapses_after_its_turn():
    table = with_farm(laid_out("wax coffee", "red", "eye", "eye", pile="soy soy"), A, fields="blue 1, wax 2")
    assert opinion(PLAY_ON, table, A) == "plant wax in 2"
    assert opinion("play on through turn 0", table, A) == "turn 0 is over"


def test_play_on_trades_in_other_markets_and_says_no_deal_when_nothing_is_left():
    table = market(fields="stink 2, garden 2", second="coffee")
    offered = opinion(PLAY_ON, table, B)
    assert offered.startswith("offer ")
    assert "*stink" in offered
    assert opinion(PLAY_ON, market(fields="red 2, garden 2", second="red"), B) == "no deal"


def test_play_on_accepts_what_pays_and_declines_nothing():
    gift = after(market(fields="stink 2, garden 2", second="coffee"), "A: offer *stink for nothing to B")
    assert opinion(PLAY_ON, gift, B) == "accept 1"
    unwanted = after(market(fields="red 2, garden 2", second="red"), "A: offer *chili for red to B")
    assert opinion(PLAY_ON, unwanted, B) == "no deal"
    assert opinion(PLAY_ON, after(unwanted, "B: no deal"), B) == "None"


def own_market(fields):
    """A's market: the chili and the stink bean that lie there are of no use to the others."""
    return with_farm(market(fields="red 2, garden 2", second="red"), A, fields=fields)


def test_play_on_closes_its_own_market_once_everyone_has_answered_and_nothing_pays():
    table = own_market("chili 2, stink 2")
    assert opinion(PLAY_ON, table, A) == "None"
    table = after(table, "B: no deal", "C: no deal", "D: no deal")
    assert opinion(PLAY_ON, table, A) == "done"


def test_play_on_leaves_time_to_a_player_whose_offer_is_open():
    table = after(own_market("chili 2, stink 2"), "C: no deal", "D: no deal", "B: offer red for *chili *stink to A")
    assert opinion(PLAY_ON, table, A) == "None"
    assert opinion(PLAY_ON, after(table, "B: no deal"), A) == "done"


def test_play_on_asks_its_owner_when_they_could_offer_something_in_their_own_market():
    wish, table = read(PLAY_ON, ORDERS), own_market("wax 3, blue 3")
    table = after(with_farm(table, C, fields="chili 2, "), "B: no deal", "C: no deal", "D: no deal")
    assert opinion(PLAY_ON, table, A) == "None"
    assert not wish.needs_no_letter(table.view(A), table.ask(A))
    assert wish.needs_no_letter(table.view(B), table.ask(B))
