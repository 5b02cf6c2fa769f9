"""The bot keeps its sets together and saves strong cards for later."""

import pytest

from tests.games.haricots.tables import table


def chosen(*hands, **facts):
    asked = table(*hands, **facts)
    return str(asked.rules.bot(asked.view(0), asked.asks[0]))


OTHERS = ((5, 5), (7, 7))


@pytest.mark.parametrize(
    ("hand", "facts", "line"),
    [
        ((1, 4, 9), {}, "play 4"),  # small beans are kept for when they are mighty
        ((4, 4, 9), {}, "play 4 4"),  # a set is led whole
        ((4, 4, 9), {"to_beat": 3}, "play 4 4"),
        ((4, 4, 9), {"to_beat": 8}, "play 9"),
        ((9, 9, 9), {"to_beat": 8}, "play 9 9 9"),  # the last cards win at once
        ((9, 9, 12), {"to_beat": 8}, "play 12"),  # rather than break the pair
        ((1, 2, 9), {"to_beat": 15}, "play 2"),  # just high enough
        ((4, 5), {"to_beat": 20}, "pass"),
        ((4, 5), {"to_beat": 20, "decks": ((), (), ())}, "fold"),
        ((4, 5), {"to_beat": 20, "decks": ((), (), ()), "variant": "basic"}, "pass"),
    ],
)
def test_the_bot_plays_as_expected(hand, facts, line):
    assert chosen(hand, *OTHERS, **facts) == line
