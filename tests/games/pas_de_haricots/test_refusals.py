"""Refusals are whole, helpful sentences."""

import pytest

import games
from tests.games.pas_de_haricots.three import FIRST, LEAD, SECOND, A, B, C, table

TAKEN = (A, "take C")


@pytest.mark.parametrize(
    ("before", "seat", "line", "sentence"),
    [
        ((), A, "play 7D", "You do not have 7D in your hand."),
        ((LEAD,), B, "play 7S", "You do not have 7S in your hand."),
        ((LEAD, FIRST, SECOND), A, "take A", "You cannot take the card you have just played."),
        ((LEAD, FIRST, SECOND), A, "take D", "Nobody sits there."),
        ((LEAD, FIRST, SECOND), A, "play 6S", "“play 6S” cannot be said now. What can be said: take B · take C."),
        ((LEAD, FIRST, SECOND, TAKEN), C, "take C", "That card has already been taken."),
        ((LEAD, FIRST, SECOND, TAKEN), C, "take A", "The bean card goes last: take another one."),
        ((LEAD, FIRST, SECOND, TAKEN), B, "take A", "The table is not waiting for B. It waits for C."),
        ((LEAD, FIRST), B, "play 4D", "The table is not waiting for B. It waits for C."),
        ((LEAD,), B, "discard 4D", "“discard 4D” is not something one says here. Try: play <card>."),
    ],
)
def test_a_refusal_says_why(before, seat, line, sentence):
    with pytest.raises(games.RulesError) as refusal:
        table(*before).says(seat, line)
    assert str(refusal.value) == sentence


def test_a_shuffle_must_name_every_card():
    with pytest.raises(games.Illegal) as refusal:
        games.open("pas_de_haricots", seats=3).says(games.DEALER, "start A").says(games.DEALER, "shuffle 1S 2S")
    assert str(refusal.value) == "A shuffle names each of the 60 cards once."


def test_a_replay_refuses_a_line_of_another_phase():
    with pytest.raises(games.Illegal):
        games.replay("pas_de_haricots", 3, "three", [(games.DEALER, "start A"), (A, "play 1S")])
    with pytest.raises(games.Illegal):
        games.replay("pas_de_haricots", 3, "three", [(games.DEALER, "shuffle 1S")])
