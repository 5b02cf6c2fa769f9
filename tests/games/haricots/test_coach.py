"""Advice for the first turns: what happened, and why the bot's own choice is good."""

import pytest

from tests.games.haricots.tables import table

OTHERS = ((5, 5), (7, 7))


@pytest.mark.parametrize(
    ("hand", "facts", "sentence"),
    [
        ((4, 9, 12), {}, "4 is a good start, because low cards"),
        ((4, 4, 9), {}, "4 4 is a good start, because equal cards"),
        ((1, 1, 4, 4, 6, 10), {}, "6 is a good start, because it’s low and your equal cards stay together"),
        ((1, 2, 6, 10), {}, "6 is a good start, because small beans are worth more later"),
        ((4, 4, 9), {"to_beat": 8}, "9 is good, because 9 is just enough"),
        ((9, 9, 12), {"to_beat": 8}, "12 is good, because it beats that and your equal cards stay together"),
        ((1, 2, 9), {"to_beat": 15}, "small beans are mighty: 2 is good, because it now counts 16"),
        ((4, 5), {"to_beat": 20}, "you can’t beat that: pass"),
    ],
)
def test_the_advice_names_a_move_and_its_reason(hand, facts, sentence):
    leads = {"leader": 1, "lying": (8,)} if "to_beat" in facts else {}
    asked = table(hand, *OTHERS, **facts | leads)
    assert sentence in str(asked.rules.practice.advise(asked.view(0), asked.asks[0]))


def test_there_is_no_advice_when_only_folding_is_left():
    asked = table((4, 5), *OTHERS, to_beat=20, leader=1, decks=((), (), ()))
    assert asked.rules.practice.advise(asked.view(0), asked.asks[0]) is None
