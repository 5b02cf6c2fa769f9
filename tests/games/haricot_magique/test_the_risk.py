"""The odds shown to players agree with simulated stacks."""

import random

import pytest

from games.haricot_magique.actions import read_aimed
from games.haricot_magique.bot.risk import chance_to_stand, standing_range
from games.haricot_magique.stalk import BARE, BASE, Element, grow, sway_width
from games.haricot_magique.steps.stacking import list_pieces

TRIES = 5_000
LEANING = (BASE, *(Element("die", x) for x in (10, 30, 45, 60)))
TALL = (
    BASE,
    *(Element(kind, x) for kind, x in [("die", 5), ("token", 10), ("die", -15), ("cylinder", -20), ("die", 8)]),
)
SKEWED = (*TALL, Element("die", 35), Element("die", 20), Element("token", 30))


@pytest.mark.parametrize(
    ("stalk", "dice"),
    [
        (BARE, "eye treasure trunk"),
        (LEANING, "trunk"),
        (LEANING, "trunk@-3"),
        (LEANING, "treasure treasure@-2 eye@-2"),
        (TALL, "eye@2 treasure"),
        (SKEWED, "treasure trunk extra"),
        (SKEWED, "treasure@-2 trunk@-2 extra"),
    ],
)
def test_the_odds_agree_with_five_thousand_stacks(stalk, dice):
    row = list_pieces(stalk, 0, tuple(map(read_aimed, dice.split())))
    chance = random.Random(9)
    stood = sum(grow(stalk, row, swings(chance, len(stalk), len(row)))[1] for _ in range(TRIES))
    assert chance_to_stand(stalk, row) == pytest.approx(stood / TRIES, abs=0.02)


def swings(chance, elements, count):
    return [sum(chance.randint(-w, w) for _ in range(4)) for w in map(sway_width, range(elements, elements + count))]


def test_aiming_at_the_middle_of_the_span_helps():
    for stalk in (LEANING, SKEWED):
        aim = sum(standing_range(stalk, "die")) // 20
        centre, steered = (1 - chance_to_stand(stalk, (Element("die", 10 * mm),)) for mm in (0, aim))
        assert steered < centre / 2
