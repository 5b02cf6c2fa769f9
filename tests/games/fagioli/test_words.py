"""The texts of Fagioli."""

import pytest

from games.contract.asks import Step
from games.contract.game import Ruinous
from games.fagioli import FAGIOLI
from tests.games.fagioli.tables import laid_out
from tests.games.stage import Stage


def describe(table, line, reader):
    seat = table.asks[0].seat
    step = Step(table.state, seat, table.read(seat, line), table.says(seat, line).state)
    return " ".join(map(str, FAGIOLI.words.tell(step, step.after, reader)))


def test_a_play_that_draws_is_described():
    table = laid_out((1, 5), (2, 2), draw_pile=(6, 8, 9))
    assert describe(table, "play 5 left", 0) == "You played 5 on the left pile. You drew 6 8."
    assert describe(table, "play 5 left", 1) == "A played 5 on the left pile. A drew 2 cards."


def test_a_play_that_plants_is_described():
    table = laid_out((5, 6, 8, 9), (2, 2), draw_pile=(6, 8, 9))
    assert describe(table, "play 6 right plant 8", 0) == "You played 6 on the right pile. You planted 8."
    assert describe(table, "play 6 right plant 8", None) == "A played 6 on the right pile. A planted one card."


def test_a_play_face_down_is_described():
    table = laid_out((5, 9), (2, 2), draw_pile=(6, 8, 9))
    assert describe(table, "play 9 left down", 0) == "You played 9 face down on the left pile. You drew 6."
    assert describe(table, "play 9 left down", 1) == "A played a card face down on the left pile. A drew one card."


def test_an_equal_play_is_described():
    table = laid_out((5, 7), (2, 2), draw_pile=(6, 8, 9))
    assert describe(table, "play 7 right", 1) == (
        "A played 7 on the right pile. Same value as the top card: nothing happened."
    )


def test_a_hand_that_grows_too_large_is_described():
    table = laid_out((1, 2, 3, 9), (2, 2), draw_pile=(5, 6, 7, 8, 9))
    assert describe(table, "play 9 left", 0) == (
        "You played 9 on the left pile. The hand would have grown to 9 cards: a burst. "
        "You took a −2 token. You set 1 2 3 aside. You drew 5 6 7 8."
    )
    assert describe(table, "play 9 left", 1) == (
        "A played 9 on the left pile. The hand would have grown to 9 cards: a burst. "
        "A took a −2 token. A set 3 cards aside. A drew 4 cards."
    )


def test_too_few_cards_to_plant_are_described():
    table = laid_out((1, 2), (2, 2), draw_pile=(5, 6, 7, 8, 9))
    assert "There were 6 cards to plant and not enough left: a burst." in describe(table, "play 1 right", 1)
    assert "There was a card to plant and none left" in describe(
        laid_out((2,), (2,), draw_pile=(1, 1, 1, 1, 1)), "play 2 left", 1
    )


def test_planting_the_whole_hand_is_described():
    table = laid_out((2, 5), (2, 2), draw_pile=(5, 6, 7, 8, 9))
    assert describe(table, "play 2 left plant 5", 1) == (
        "A played 2 on the left pile. A planted one card. The hand was empty at the end of the turn: a burst. "
        "A took a −2 token. A drew 4 cards."
    )


def test_the_last_token_is_described():
    table = laid_out((1, 2), (2, 2), draw_pile=(5, 6), tokens=(4,))
    assert describe(table, "play 1 right", 0).endswith(
        "You took a −4 token. That was the last token, so the game is over."
    )


def test_a_reshuffle_is_described():
    table = laid_out((7, 1), (2, 2), draw_pile=(5, 9))
    assert describe(table, "play 7 left", 0).endswith("You drew 5 9. The draw pile has run out.")
    table = table.says(0, "play 7 left")
    assert describe(table, "shuffle 7", 1) == (
        "Both piles and all cards set aside were shuffled into a new draw pile. "
        "A −2 token left the game. A drew one card. "
        "The draw pile is empty, and there’s nothing to shuffle yet."
    )


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("play 9 right", "Play 9 on the right pile and draw 2"),
        ("play 9 left", "Play 9 on the left pile: you burst, take the −2 token"),
        ("play 6 right plant 7", "Play 6 on the right pile and plant 7"),
        ("play 7 right", "Play 7 on the right pile (same value: nothing happens)"),
        (
            "play 9 right down plant 2 6 7",
            "Play 9 face down on the right pile and plant 2 6 7: you burst, take the −2 token",
        ),
    ],
)
def test_a_button_says_what_it_does(line, label):
    table = laid_out((2, 6, 7, 9), (2, 2), draw_pile=(5, 6))
    assert str(FAGIOLI.words.label(table.view(0), table.read(0, line))) == label


@pytest.mark.parametrize(
    ("hand", "clause"),
    [
        ((2, 6), "we play 2 face down on the left pile for you and you draw 1: the play that changes your hand least"),
        ((8, 9), "we play 8 face down on the left pile for you and you draw 1: the play that changes your hand least"),
    ],
)
def test_the_default_is_described_with_its_reason(hand, clause):
    table = laid_out(hand, (2, 2), draw_pile=(5, 6))
    assert str(FAGIOLI.words.otherwise(table.view(0), table.asks[0])) == clause


def test_the_default_is_described_when_every_play_bursts():
    stage = Stage(
        "fagioli standard A B C\ndealer: start A\ndealer: shuffle 5 6 6 6  1 3 5 7  1 5 7 9 …\n"
        "A: play 6 right plant 5\nB: play 7 left\nC: play 9 right"
    )
    stage.perform()
    clause = FAGIOLI.words.otherwise(stage.table.view(0), stage.table.asks[0])
    assert str(clause) == "we play 6 on the left pile and plant 6 for you, because every play bursts"


def test_the_question_names_both_tops():
    table = laid_out((2, 6), (2, 2), draw_pile=(5, 6)).says(0, "play 2 left down")
    question = FAGIOLI.words.question(table.view(1), table.asks[0])
    assert str(question) == "Play a card on the left pile (counts 4) or the right pile (counts 7)."


@pytest.mark.parametrize(
    ("line", "heading", "brief"),
    [
        ("play 7 right", "On the right pile (7)", "Play 7: same value"),
        ("play 5 left", "On the left pile (3)", "Play 5: draw 2"),
        ("play 5 right plant 7 9", "On the right pile (7)", "Play 5: plant 7 9"),
        ("play 9 left down", "On the left pile (3), face down: counts 4", "Play 9: draw 1"),
        ("play 9 left", "On the left pile (3)", "Play 9: you burst"),
    ],
)
def test_plays_are_grouped_by_pile_and_side(line, heading, brief):
    table = laid_out((5, 7, 7, 9), (2, 2), draw_pile=(6, 8, 9))
    found = FAGIOLI.menus.find_place(table.view(0), table.read(0, line))
    assert found
    assert (str(found.heading), str(found.brief)) == (heading, brief)


def test_a_burst_is_ruinous_and_names_its_token():
    table = laid_out((2, 6, 7, 9), (2, 2), draw_pile=(5, 6))
    view = table.view(0)
    found = FAGIOLI.menus.find_danger(view, table.read(0, "play 9 left"))
    assert isinstance(found, Ruinous)
    assert str(found.heading) == "Moves that burst (−2 token)"
    assert str(found.warning) == "You burst: you take the −2 token, and the rest of your hand is set aside."
    assert FAGIOLI.menus.find_danger(view, table.read(0, "play 9 right")) is None
