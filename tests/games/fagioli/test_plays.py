"""The plays of a hand, and the default."""

import pytest

from games.fagioli import plays
from games.fagioli.plays import HIDDEN_TOP, OPEN_TOPS, START_TOPS
from games.fagioli.state import Pile


def lines(hand, left, right):
    return [str(play) for play in plays.build_menu(plays.list_lays(hand, left, right), hand)]


def test_every_card_can_go_on_either_pile_face_up_or_down():
    assert lines((9,), START_TOPS[3], START_TOPS[7]) == [
        "play 9 left",
        "play 9 left down",
        "play 9 right",
        "play 9 right down",
    ]


def test_a_card_can_go_face_down_only_on_an_open_card():
    assert lines((9,), HIDDEN_TOP, START_TOPS[7]) == ["play 9 left", "play 9 right", "play 9 right down"]


def test_no_card_can_go_face_down_on_a_card_without_the_icon():
    assert lines((9,), OPEN_TOPS[5]._replace(wallet=False), HIDDEN_TOP) == ["play 9 left", "play 9 right"]


def test_each_choice_of_cards_to_plant_is_one_answer():
    assert [line for line in lines((2, 5, 5, 9), START_TOPS[3], HIDDEN_TOP) if line.startswith("play 2 left")] == [
        "play 2 left plant 5",
        "play 2 left plant 9",
        "play 2 left down",
    ]


def test_a_play_with_too_few_cards_to_plant_names_none():
    assert "play 1 right" in lines((1, 5, 6, 8), HIDDEN_TOP, START_TOPS[7])


def test_a_play_that_plants_the_whole_hand_names_it():
    assert "play 1 left plant 5 6 8" in lines((1, 5, 6, 8), HIDDEN_TOP, START_TOPS[7])


def test_cards_of_one_value_are_one_answer():
    assert lines((5, 5), HIDDEN_TOP, HIDDEN_TOP) == ["play 5 left", "play 5 right"]


@pytest.mark.parametrize(
    ("pile", "expected"),
    [
        (Pile(3), START_TOPS[3]),
        (Pile(3, (9, 5)), OPEN_TOPS[5]),
        (Pile(3, (9, 5), down=True), HIDDEN_TOP),
    ],
)
def test_only_the_top_of_a_pile_counts(pile, expected):
    assert plays.top_of(pile) == expected


@pytest.mark.parametrize(
    ("hand", "left", "right", "expected"),
    [
        ((2, 6, 8), START_TOPS[3], START_TOPS[7], "play 2 left down"),  # draws one: no change; the 8 would do the same
        ((6, 8), HIDDEN_TOP, START_TOPS[7], "play 8 right"),
        ((5, 5), OPEN_TOPS[5], HIDDEN_TOP, "play 5 right"),
        ((9, 9), OPEN_TOPS[8], OPEN_TOPS[8], "play 9 left"),  # left before right
        ((2, 9), OPEN_TOPS[2], OPEN_TOPS[9], "play 2 left"),  # equal, or draws two: face up before down
        ((7, 7, 8, 8), OPEN_TOPS[9], OPEN_TOPS[9], "play 8 left plant 7"),  # the lowest cards are planted
        ((2,), OPEN_TOPS[5], OPEN_TOPS[7], "play 2 left"),  # every play bursts
        (
            (6, 6),
            OPEN_TOPS[7],
            OPEN_TOPS[9],
            "play 6 left plant 6",
        ),  # every play bursts; this one plants the whole hand
        ((9,), HIDDEN_TOP, OPEN_TOPS[9], "play 9 left"),  # five are drawn, four more than were there
    ],
)
def test_the_default_is_the_steadiest_play(hand, left, right, expected):
    assert str(plays.steadiest_play(plays.list_lays(hand, left, right), hand)) == expected
