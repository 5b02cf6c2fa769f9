"""Running out of cards, with decks far smaller than the box."""

import random
from collections import Counter

import pytest

import games
from games.engine.bots import random_player
from games.fagioli.rules import DECK
from games.fagioli.state import Choosing, Dealing, Finished, Playing, Reshuffling
from tests.games.fagioli.tables import laid_out, tables_of


def all_cards(state):
    market = state.market
    lying = [card for pile in market.piles for card in pile.cards]
    held = [card for farmer in state.farmers for card in farmer.hand + farmer.planted]
    return Counter([*lying, *held, *market.draw_pile, *market.aside])


def all_tokens(state):
    return [*state.market.tokens, *(token for farmer in state.farmers for token in farmer.tokens)]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_no_card_is_ever_lost(seats, seed):
    game = games.open("fagioli", seats=seats)
    for table in tables_of(game, [random_player(seed + n) for n in range(seats)], b"%d" % seed):
        if not isinstance(table.state, Choosing | Dealing):
            assert all_cards(table.state) == Counter(DECK)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(20))
def test_nobody_ever_has_to_play_without_a_card(seats, seed):
    chance = random.Random(seed)
    cards = [chance.choice(DECK) for _ in range(seats + seed % 8)]
    hands = [(cards[seat],) for seat in range(seats)]
    game = laid_out(*hands, draw_pile=tuple(cards[seats:]))
    tables = list(tables_of(game, [random_player(seed + n) for n in range(seats)], b"tiny %d" % seed))
    for table in tables:
        assert all_cards(table.state) == Counter(cards)
        if isinstance(table.state, Playing):
            assert all(farmer.hand for farmer in table.state.farmers)
    assert isinstance(tables[-1].state, Finished)


def test_a_draw_goes_on_after_the_reshuffle():
    table = laid_out((7, 1), (2, 2), draw_pile=(5, 9)).says(0, "play 7 left")
    assert isinstance(table.state, Reshuffling)
    assert table.state.owed == 2
    assert table.view(0).hand == (1, 5, 9)


def test_a_draw_cut_short_returns_no_second_token():
    table = laid_out((7, 1), (2, 2), draw_pile=(5,)).says(0, "play 7 left")
    assert table.state.owed == 3
    table = table.says(games.DEALER, "shuffle 7")
    assert table.view(0).hand == (1, 5, 7)
    assert table.view(0).draw_pile == 0
    assert table.view(0).tokens == (3, 3, 3, 4)  # one went back for the reshuffle


def test_a_hand_bursts_by_the_difference_even_if_fewer_cards_are_left():
    table = laid_out((7, 1, 2), (2, 2), draw_pile=(5,)).says(0, "play 7 left")  # of the four owed, two are left
    assert table.view(0).seats[0].tokens == (2,)
    assert table.says(games.DEALER, "shuffle 2 7 1").view(0).hand == (1, 2, 5, 7)


def test_an_empty_pile_stays_empty_until_a_seat_draws():
    table = laid_out((7, 1), (2, 2), draw_pile=(5,)).says(0, "play 7 left").says(games.DEALER, "shuffle 7")
    table = table.says(1, "play 2 left plant 2")  # B plants the whole hand, bursts, and finds the pile empty
    assert table.asks[0].about == "turn 2 reshuffle"
    assert table.state.owed == 4
    table = table.says(games.DEALER, "shuffle 2")
    assert table.view(1).hand == (2,)
    assert table.view(1).seats[1].tokens == (3,)
    assert table.view(1).tokens == (3, 4)


def test_a_play_without_a_draw_leaves_the_empty_pile_alone():
    table = laid_out((7, 1), (2, 3, 7), draw_pile=(5,)).says(0, "play 7 left").says(games.DEALER, "shuffle 7")
    table = table.says(1, "play 7 right")
    assert table.ask(0)
    assert table.view(0).draw_pile == 0
    assert table.view(0).tokens == (3, 3, 3, 4)


@pytest.mark.parametrize("line", ["shuffle 7 7", "shuffle 9", "shuffle 7 5"])
def test_a_reshuffle_must_name_the_cards_of_the_piles_and_those_set_aside(line):
    table = laid_out((7, 1), (2, 2), draw_pile=(5,)).says(0, "play 7 left")
    with pytest.raises(games.Illegal):
        table.says(games.DEALER, line)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_token_is_held_or_left_or_returned_for_a_reshuffle(seats):
    game = games.open("fagioli", seats=seats)
    for table in tables_of(game, [game.rules.bot] * seats, b"tokens"):
        if isinstance(table.state, Playing | Reshuffling):
            returned = sum(entry.seat == games.DEALER for entry in table.lines) - 2
            assert len(all_tokens(table.state)) + returned == {2: 5, 3: 6, 4: 7}[seats]
