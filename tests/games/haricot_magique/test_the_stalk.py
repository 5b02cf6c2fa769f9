"""Some stalks stand and others fall."""

import random

import pytest

from games.haricot_magique.bot.risk import odds_at_most, standing_range, sway_at_odds
from games.haricot_magique.stalk import (
    BARE,
    BASE,
    Element,
    count_tokens,
    fell,
    find_weakest_level,
    grow,
    holds,
    joints,
    margin,
    stands,
    sway_width,
)

KINDS = ("die", "token", "cylinder", "castle")


def any_stalk(chance, levels):
    """Return a random stalk that may or may not stand."""
    return (BASE, *(Element(chance.choice(KINDS), chance.randint(-90, 90)) for _ in range(levels)))


def standing_stalk(chance, levels):
    """Return a random stalk that stands, grown as in a game."""
    stalk = BARE
    while len(stalk) <= levels:
        sway = sum(chance.randint(-sway_width(len(stalk)), sway_width(len(stalk))) for _ in range(4))
        grown, stood = grow(stalk, (Element(chance.choice(KINDS[:3])),), (sway,))
        stalk = grown if stood else BARE
    return stalk


def test_a_bare_base_stands():
    assert stands(BARE)
    assert list(joints(BARE)) == []
    assert find_weakest_level(BARE) is None


def test_stands_agrees_with_checking_joint_by_joint():
    chance = random.Random(1)
    seen = set()
    for _ in range(3_000):
        stalk = any_stalk(chance, chance.randint(0, 6))
        assert stands(stalk) == all(map(holds, joints(stalk)))
        seen.add(stands(stalk))
    assert seen == {True, False}


def test_an_element_beside_the_one_below_falls():
    assert not stands((BASE, Element("die", 200)))
    assert not stands((BASE, Element("cylinder", -151)))


@pytest.mark.parametrize(("kind", "edge"), [("die", 80), ("token", 90), ("cylinder", 70)])
def test_the_edge_itself_does_not_hold(kind, edge):
    lower = (BASE, Element(kind, 0))
    assert stands((*lower, Element("token", edge - 1)))
    assert not stands((*lower, Element("token", edge)))
    assert not stands((*lower, Element("token", -edge)))


def test_a_player_can_steer_against_a_lean():
    leaning = (BASE, Element("die", 70))
    assert not stands((*leaning, Element("die", 100)))
    assert stands((*leaning, Element("die", 10)))


def test_the_margin_is_how_far_the_centre_of_mass_may_still_move():
    *_, lowest = joints((BASE, Element("die", 30), Element("die", 50)))
    assert lowest.moment / lowest.mass == 40
    assert margin(lowest) == 40
    assert find_weakest_level((BASE, Element("die", 30), Element("die", 50))) == 1


def test_margins_are_positive_while_the_stalk_stands():
    chance = random.Random(2)
    for _ in range(200):
        stalk = standing_stalk(chance, chance.randint(1, 10))
        assert all(margin(joint) >= 0 for joint in joints(stalk))


def test_the_stalk_is_checked_after_each_element():
    """The second die would balance the first, but by then the first has fallen."""
    pieces = (Element("die", 60), Element("die", -60))
    assert stands((BASE, Element("die", 60), Element("die", 0)))
    assert grow(BARE, pieces, (20, 0)) == ((BASE, Element("die", 80)), False)


def test_a_mirrored_stalk_stands_alike():
    chance = random.Random(3)
    for _ in range(500):
        stalk = any_stalk(chance, chance.randint(1, 6))
        mirrored = tuple(Element(element.kind, -element.x) for element in stalk)
        assert stands(stalk) == stands(mirrored)


@pytest.mark.parametrize("level", range(-2, 10))
def test_the_axe_fells_everything_from_the_level_hit(level):
    stalk = (BASE, *(Element("token", owner=n % 2) for n in range(6)))
    left = fell(stalk, level)
    if 2 <= level <= 7:
        assert left == stalk[: level - 1]
        assert count_tokens(left, 0) + count_tokens(left, 1) == level - 2
    else:
        assert left == (BARE if level == 1 else stalk)


def test_the_next_element_stands_in_one_span():
    chance = random.Random(4)
    for _ in range(60):
        stalk, kind = standing_stalk(chance, chance.randint(0, 9)), chance.choice(KINDS)
        low, high = standing_range(stalk, kind)
        for x in range(-200, 201):
            assert stands((*stalk, Element(kind, x))) == (low <= x <= high)


def test_a_hand_trembles_as_often_left_as_right():
    for w in (12, 31):
        for sway in range(-4 * w, 4 * w + 1):
            assert odds_at_most(w, sway) == pytest.approx(1 - odds_at_most(w, -sway - 1))
            assert sway_at_odds(w, odds_at_most(w, sway) - 1e-12) == sway
