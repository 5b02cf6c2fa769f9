"""Refusals are whole, helpful sentences."""

import pytest

import games
from tests.games.pas_de_haricots.three import FIRST, LEAD, SECOND, A, B, C, table

TAKEN = (A, "take C")


@pytest.mark.parametrize(
    ("before", "seat", "line", "sentence"),
    [
        ((), A, "play 7D", "You don’t have 7D in your hand."),
        ((LEAD,), B, "play 7S", "You don’t have 7S in your hand."),
        ((LEAD, FIRST, SECOND), A, "take A", "You can’t take the card you’ve just played."),
        ((LEAD, FIRST, SECOND), A, "take D", "That seat is empty."),
        ((LEAD, FIRST, SECOND), A, "play 6S", "You can’t do “play 6S” now. You can: take B · take C."),
        ((LEAD, FIRST, SECOND, TAKEN), C, "take C", "That card has already been taken."),
        ((LEAD, FIRST, SECOND, TAKEN), C, "take A", "The bean card goes last. Take another one."),
        ((LEAD, FIRST, SECOND, TAKEN), B, "take A", "The table isn’t waiting for B. It’s waiting for C."),
        ((LEAD, FIRST), B, "play 4D", "The table isn’t waiting for B. It’s waiting for C."),
        ((LEAD,), B, "discard 4D", "We don’t understand “discard 4D”. Try: play <card>."),
    ],
)
def test_a_refusal_says_why(before, seat, line, sentence):
    with pytest.raises(games.RulesError) as refusal:
        table(*before).says(seat, line)
    assert str(refusal.value) == sentence


def test_a_shuffle_must_name_every_card():
    with pytest.raises(games.Illegal) as refusal:
        games.open("pas_de_haricots", seats=3).says(games.DEALER, "start A").says(games.DEALER, "shuffle 1S 2S")
    assert str(refusal.value) == "A shuffle must name each of the 60 cards once."


def test_a_replay_refuses_a_line_of_another_phase():
    with pytest.raises(games.Illegal):
        games.replay("pas_de_haricots", 3, "three", [(games.DEALER, "start A"), (A, "play 1S")])
    with pytest.raises(games.Illegal):
        games.replay("pas_de_haricots", 3, "three", [(games.DEALER, "shuffle 1S")])
