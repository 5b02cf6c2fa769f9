"""Running out of cards, with decks far smaller than the box."""

import random

import pytest

import games
from games.bohnanza.state import Drawing, Finished, Market, Picking, Planting, Sowing, Tending, TurningUp
from tests.games.bohnanza.people import anybody
from tests.games.bohnanza.tables import after, all_cards, laid_out, tables_of, with_farm


def test_the_rest_is_turned_up_after_the_shuffle():
    table = after(laid_out("wax", "red", "red", pile="soy", discard="eye blue"), "A: plant wax in 1")
    assert table.state == TurningUp(table.state.layout, up=("soy",), owed=1)
    assert [ask.seat for ask in table.asks] == [games.DEALER]
    table = after(table, "dealer: shuffle eye blue")
    assert table.view(None).up == ("soy", "eye")
    assert (table.view(None).pile, table.view(None).exhaustions) == (1, 1)


def test_a_shuffle_is_asked_at_once_even_if_nothing_more_is_owed():
    table = after(laid_out("wax", "red", "red", pile="soy soy", discard="eye"), "A: plant wax in 1")
    assert table.state == TurningUp(table.state.layout, up=("soy", "soy"), owed=0)
    table = after(table, "dealer: shuffle eye")
    assert isinstance(table.state, Market)
    assert table.view(None).pile == 1


def test_the_rest_is_drawn_after_the_shuffle_even_twice_in_one_draw():
    table = laid_out("wax", "red", "red red", "red", pile="soy soy eye", discard="chili")
    table = after(table, "A: plant wax in 1", "A: offer *soy *soy for red to C", "C: accept 1", "A: done")
    table = after(table, "C: plant soy in 1", "C: plant soy in 1", "C: harvest 1", "A: plant red in 2")
    assert table.state == Drawing(table.state.layout, owed=2)
    assert table.view(0).hand == ("eye",)
    table = after(table, "dealer: shuffle soy chili")
    assert isinstance(table.state, Sowing)
    assert table.view(0).hand == ("eye", "soy", "chili")
    assert table.view(0).exhaustions == 2
    assert table.view(0).pile == 0


def test_a_draw_is_cut_short_if_there_are_no_discards_either():
    table = after(laid_out("wax", "red", "red", "red", pile="soy"), "A: plant wax in 1")
    assert isinstance(table.state, Market)
    assert table.view(None).up == ("soy",)
    assert table.view(None).exhaustions == 1
    table = after(with_farm(table, 1, fields="red 1, "), "A: done", "A: plant soy in 2", "B: plant red in 1")
    assert table.view(0).hand == ()  # nothing to draw
    table = after(with_farm(table, 2, fields="wax 2, "), "C: harvest 1")
    assert isinstance(table.state, Market)  # now there is a card, but nobody needs one yet
    table = after(table, "B: done")
    assert table.state == Drawing(table.state.layout, owed=3)
    table = after(table, "dealer: shuffle wax wax")
    assert table.view(1).hand == ("wax", "wax")
    assert table.view(0).exhaustions == 2
    assert isinstance(table.state, Sowing)


def test_a_cut_short_market_is_not_filled_up_later():
    table = after(laid_out("wax", "red", "red", pile=""), "A: plant wax in 1")
    table = with_farm(table, 1, fields="stink 2, , ")
    table = after(table, "B: harvest 1")
    assert isinstance(table.state, Market)
    assert table.view(None).up == ()
    table = after(table, "A: done")
    assert table.state == Drawing(table.state.layout, owed=3)
    assert table.view(None).exhaustions == 0  # the pile was never exhausted


def test_an_empty_pile_is_counted_once():
    table = laid_out("wax", "red", "red", "red", pile="", discard="", exhaustions=1)
    table = after(table, "A: plant wax in 1", "A: done", "B: plant red in 1", "B: done")
    assert table.view(None).exhaustions == 1


def test_a_seat_with_an_empty_hand_turns_up_cards_without_a_line():
    table = laid_out("", "red", "red", pile="soy eye wax wax wax wax")
    assert isinstance(table.state, Market)
    assert table.view(None).up == ("soy", "eye")


def test_an_empty_hand_after_the_first_card_turns_up_cards_without_a_line():
    table = after(laid_out("wax", "red", "red", pile="soy eye wax wax wax wax"), "A: plant wax in 2")
    assert isinstance(table.state, Market)


def test_the_last_exhaustion_while_turning_up_completes_market_and_planting():
    table = laid_out("wax", "red red", "red", pile="soy", discard="eye eye", exhaustions=1)
    table = after(table, "A: plant wax in 1")
    assert isinstance(table.state, Market)  # no shuffle after the last exhaustion
    table = after(table, "A: offer *soy for red to B", "B: accept 1", "A: done")
    assert isinstance(table.state, Planting)
    table = after(table, "A: plant red in 2", "B: plant soy in 1")
    assert isinstance(table.state, Finished)
    assert table.view(0).hand == ()  # no phase 4


def test_the_game_ends_after_the_last_exhaustion_even_if_only_another_seat_plants():
    table = laid_out("wax", "red red", "red", pile="soy", exhaustions=1)
    table = after(table, "A: plant wax in 1", "A: offer *soy for nothing to B", "B: accept 1", "A: done")
    assert isinstance(after(table, "B: plant soy in 3").state, Finished)


def test_the_last_exhaustion_while_drawing_stops_the_game_on_the_spot():
    table = laid_out("wax", "red red", "red", pile="soy soy eye eye", discard="chili", exhaustions=1)
    table = after(table, "A: plant wax in 1", "A: done", "A: plant soy in 2", "A: plant soy in 2")
    assert isinstance(table.state, Finished)
    assert table.view(0).hand == ("eye", "eye")
    assert table.view(0).seats[0].coins == 1  # two soy beans, sold in the final harvest
    assert table.view(0).discard == 3  # the wax bean and one soy bean beside the chili bean
    assert table.result == games.Result((1, 0, 0), (1, 2, 3))


def test_the_final_harvest_protects_no_bean_and_hands_break_ties():
    table = laid_out("wax", "red red red", "red red", pile="soy soy eye", exhaustions=1)
    table = with_farm(table, 1, fields="red 1, soy 2, ")
    table = with_farm(table, 2, fields="red 2, , ")
    table = after(table, "A: plant wax in 1", "A: done", "A: plant soy in 2", "A: plant soy in 2")
    assert table.result == games.Result((1, 1, 1), (3, 1, 2))
    assert all(plot.bean is None for seat in table.view(None).seats for plot in seat.fields)


def test_the_game_ends_when_no_card_is_left_to_play_with():
    table = laid_out("wax", "", "", pile="")
    table = after(table, "A: plant wax in 1", "A: done")
    assert isinstance(table.state, Finished)
    assert table.view(None).exhaustions == 0


def test_the_game_goes_on_while_a_seat_holds_a_card():
    table = after(laid_out("wax", "", "red", pile=""), "A: plant wax in 1", "A: done", "B: done")
    assert isinstance(table.state, Sowing)
    assert table.state.layout.seat == 2


@pytest.mark.parametrize("line", ["shuffle eye", "shuffle eye blue blue", "shuffle eye soy", "shuffle blue blue"])
def test_a_reshuffle_must_name_the_cards_of_the_discard_pile(line):
    table = after(laid_out("wax", "red", "red", pile="soy", discard="eye blue"), "A: plant wax in 1")
    with pytest.raises(games.Illegal):
        table.says(games.DEALER, line)


# ── the duel ─────────────────────────────────────────────────────────────────────────────────────


def test_the_duel_finishes_step_3_when_the_pile_runs_out_in_it():
    table = laid_out("wax red", "red", pile="soy eye", discard="chili eye soy")
    table = after(table, "A: plant wax in 1", "A: go")
    assert table.state == Picking(table.state.layout, up=("soy", "eye", "soy", "eye"))  # matched with what was drawn
    table = after(table, "A: plant soy in 2", "A: go")
    assert isinstance(table.state, Finished)
    assert table.state.lost == ("eye", "soy", "eye")
    assert table.view(0).hand == ("red",)  # no step 4


def test_the_duel_stops_at_once_when_the_pile_runs_out_in_step_4():
    table = laid_out("wax red", "red", pile="soy eye blue chili")
    table = after(table, "A: plant wax in 1", "A: go", "A: go")
    assert isinstance(table.state, Finished)
    assert table.view(0).hand == ("red", "chili")
    assert table.state.lost == ("soy", "eye", "blue")
    assert table.result == games.Result((0, 0), (1, 2))


def test_the_duel_skips_the_first_planting_of_an_empty_hand():
    table = laid_out("", "red", pile="soy eye blue chili wax wax")
    assert isinstance(table.state, Tending)
    assert [(entry.seat, entry.line) for entry in table.forced] == [(0, "go")]


def test_a_seat_with_an_empty_hand_is_asked_if_it_can_sell():
    table = with_farm(laid_out("", "red", pile="soy eye blue chili wax wax"), 0, fields="red 2, ")
    assert not table.forced
    assert [str(answer) for answer in table.asks[0].menu] == ["go", "harvest 1"]


def test_the_duel_ends_when_no_card_is_left():
    assert isinstance(laid_out("", "", pile="").state, Finished)
    assert not isinstance(laid_out("", "", pile="", offer="wax").state, Finished)


# ── all cards, always ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("seed", range(3))
def test_no_card_is_ever_lost(seats, seed):
    game = games.open("bohnanza", seats=seats)
    deck = None
    for table in tables_of(game, [anybody(10 * seed + seat) for seat in range(seats)], b"%d" % seed):
        deck = deck or all_cards(table.state)
        assert all_cards(table.state) == deck


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("seed", range(15))
def test_games_with_tiny_decks_end_too(seats, seed):
    chance = random.Random(seed)
    cards = [chance.choice(["red", "soy", "wax", "eye"]) for _ in range(seats + seed % 9)]
    game = laid_out(*cards[:seats], pile=" ".join(cards[seats:]))
    cards_then = all_cards(game.state)
    for table in tables_of(game, [anybody(seed + seat) for seat in range(seats)], b"tiny %d" % seed):
        assert all_cards(table.state) == cards_then
        assert games.recall(games.remember(table)) == table
        waited_for = [ask for ask in table.asks if ask.default or ask.seat == games.DEALER]
        assert waited_for or isinstance(table.state, Finished)
