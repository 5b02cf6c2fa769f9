"""The box holds sixty cards, of which none is ever lost or duplicated."""

import random

import pytest

import games
from games.contract.cards import same_cards
from games.pas_de_haricots.deck import DECK
from games.pas_de_haricots.rules import HAND_SIZES
from games.pas_de_haricots.state import Leading, Sealing, Taking


def lying_somewhere(state):
    """Return every card of the table, wherever it is."""
    on_the_table = state.played if isinstance(state, Sealing) else state.lying if isinstance(state, Taking) else ()
    held = [card for farmer in state.farmers for card in farmer.hand + farmer.collected]
    return [*held, *(card for card in on_the_table if card)]


def test_the_box_holds_fifteen_cards_in_each_suit():
    assert len(DECK) == len(set(DECK)) == 60
    assert " ".join(DECK[:15]) == "1S 2S 3S 4S 5S 6S 7S 8S 9S 10S JS NS QS KS 0S"
    assert [card[-1] for card in DECK[::15]] == ["S", "H", "D", "C"]


def test_every_table_deals_the_whole_deck():
    assert {seats: seats * cards for seats, cards in HAND_SIZES.items()} == {3: 60, 4: 60, 5: 60, 6: 60}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_no_card_is_lost_or_duplicated_in_a_game(seats):
    chance = random.Random(seats)
    table = games.open("pas_de_haricots", seats=seats)
    dealer, shuffles = games.Seeded(b"sixty"), 0
    while table.asks:
        ask = chance.choice(table.asks)
        if ask.seat == games.DEALER:
            table = table.says(ask.seat, dealer.answer(table, shuffles))
            shuffles += 1
        else:
            table = table.says(ask.seat, str(chance.choice(ask.menu)))
        if isinstance(table.state, (Leading, Sealing, Taking)):
            assert same_cards(lying_somewhere(table.state), DECK)
    assert same_cards([card for pile in table.state.collected for card in pile], DECK)
    assert shuffles == 4  # the first player, and one shuffle for each round
