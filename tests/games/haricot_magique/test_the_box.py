"""The contents of the box, of which nothing is ever lost or duplicated."""

import pytest

from games.contract.boxes import load_box
from games.contract.cards import same_cards
from games.haricot_magique.stalk import HALF_WIDTH, MASS, count_elements, count_tokens, stands
from games.haricot_magique.state import Dealing, Filling, Rolling, Starting
from games.haricot_magique.steps.dealing import DIE_SIDES
from games.haricot_magique.steps.gold import BAGS
from games.haricot_magique.steps.rolling import DICE_NUMBERS
from games.haricot_magique.steps.rounds import CARDS, POWERS
from games.haricot_magique.view import dice_in_hand
from tests.games.haricot_magique.tables import play_at_random

BOX = load_box("haricot_magique")
KINDS = [(seats, variant) for seats in (2, 3, 4, 5) for variant in ("base", "expert")]


def test_the_box_holds_what_the_rulebook_counts():
    assert len(BAGS) == 30
    assert {value: BAGS.count(value) for value in BAGS} == {10: 10, 15: 10, 20: 10}
    assert DIE_SIDES == ("eye", "eye", "treasure", "treasure", "extra", "trunk")
    assert CARDS == (1, 2, 3, 4, 5, 6, 7)
    assert (BOX["dice"], BOX["tokens"], BOX["cylinders"]) == (12, 3, 2)


def test_every_card_allows_its_numbers_of_dice():
    assert DICE_NUMBERS == {1: (1,), 2: (2,), 3: (3,), 4: (1, 3), 5: (2, 3), 6: (1, 2), 7: (1, 2, 3)}
    assert list(POWERS.values()) == ["eye", "hide", "steal", "axe", "pair", "spare", "reroll"]


def test_the_elements_have_their_sizes_and_weights():
    assert HALF_WIDTH == {"die": 80, "token": 90, "cylinder": 70, "castle": 70}
    assert MASS == {"die": 8, "token": 1, "cylinder": 4, "castle": 10}


def test_assumed_facts_are_marked_with_a_reason():
    assumed = [*BOX["cards"].values(), BOX["reroll"], BOX["axe"], BOX["aim"], BOX["sway"], *BOX["elements"].values()]
    known = [BOX["cards"]["4"], BOX["cards"]["5"]]
    assert all(entry["assumed"] and entry["why"] for entry in assumed if entry not in known)
    assert not any("assumed" in entry for entry in known)


@pytest.mark.parametrize(("seats", "variant"), KINDS)
def test_nothing_is_lost_or_duplicated_in_a_game(seats, variant):
    for seed in range(3):
        for table in play_at_random(seats, variant, seed):
            if not isinstance(table.state, Starting | Filling | Dealing):
                check_everything_is_there(table)


def check_everything_is_there(table):
    state, view = table.state, table.view(None)
    garden = state.garden
    held = [bag for climber in garden.climbers for bag in climber.bags]
    assert same_cards([*garden.pile, *held], BAGS)
    for seat, climber in enumerate(garden.climbers):
        assert same_cards([*climber.hand, *climber.deck, *climber.played], CARDS)
        assert list(climber.hand) == sorted(climber.hand)
        assert view.seats[seat].tokens + count_tokens(garden.stalk, seat) == 3
        assert view.seats[seat].tokens >= 0
    assert 0 <= view.cylinders == 2 - count_elements(garden.stalk, "cylinder")
    assert view.reserve + count_elements(garden.stalk, "die") + len(view.dice) == 12
    if isinstance(state, Rolling):
        assert 1 <= state.count <= view.reserve
    assert "castle" not in [element.kind for element in garden.stalk]
    assert garden.stalk[0].x == 0


@pytest.mark.parametrize(("seats", "variant"), KINDS)
def test_the_stalk_and_every_lower_part_of_it_stand_after_every_line(seats, variant):
    for table in play_at_random(seats, variant, 7):
        stalk = table.view(None).stalk
        assert all(stands(stalk[:level]) for level in range(1, len(stalk) + 1))


def test_dice_in_hand_are_those_rolled_in_the_turn():
    for table in play_at_random(3, "expert", 5):
        if table.view(None).turn is not None:
            assert table.view(None).dice == dice_in_hand(table.state)
