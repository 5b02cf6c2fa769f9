"""The stalk of Le Haricot Magique drawn as a picture."""

import pytest

from games.haricot_magique.actions import read_aimed
from games.haricot_magique.page import list_placed_elements, make_plan
from games.haricot_magique.picture import HEIGHTS, Picture, Sketch
from games.haricot_magique.stalk import BARE, BASE, HALF_WIDTH, Element, joints, margin
from games.haricot_magique.words.telling import Attempt
from tests.games.haricot_magique.tables import DEALER, A, chosen, play_at_random, table

LEANING = (BASE, Element("die", 40, None, "eye"), Element("token", 20, 1), Element("die", 60, None, "trunk"))
TUMBLING = (*LEANING, Element("die", 100, None, "extra"), Element("die", 130, None, "eye"))


def test_every_element_is_drawn_to_scale_at_its_position():
    parts = Picture(LEANING).parts
    assert [part.level.x for part in parts] == [60, 20, 40, 0]
    assert all(part.level.breadth == 2 * HALF_WIDTH[part.level.kind] for part in parts)
    assert all(part.height == part.level.breadth for part in parts if part.level.kind == "die")
    assert [part.letter or part.face for part in parts] == ["trunk", "B", "eye", ""]


def test_each_element_lies_on_the_one_below_and_the_base_on_the_board():
    picture = Picture(LEANING)
    parts = picture.parts
    assert [part.bottom for part in parts] == [*(part.top for part in parts[1:]), picture.board]
    assert picture.board == sum(HEIGHTS[element.kind] for element in LEANING)


def test_the_centre_of_mass_is_that_of_all_elements_above_the_base():
    picture = Picture(LEANING)
    assert picture.centre == (round((8 * 40 + 20 + 8 * 60) / 17), round((8 * 80 + 180 + 8 * 280) / 17))
    assert picture.centre[0] == picture.drawing.lean
    assert Picture(BARE).centre is None


def test_the_weakest_joint_shows_its_overlap_its_load_and_the_nearer_edge():
    weak = Picture(LEANING).weak
    assert (weak.left, weak.right, weak.x, weak.edge, weak.side) == (-40, 80, 48, 80, "right")
    assert weak.y == Picture(LEANING).parts[-1].top
    assert Picture(BARE).weak is None


def test_elements_above_a_breaking_joint_fall_over_its_nearer_edge():
    picture = Picture(TUMBLING, before=3)
    assert picture.broken == 1  # the mass above the base is centred at 80.6, and the base reaches to 80
    assert [part.level.number for part in picture.falling] == [6, 5, 4, 3, 2]
    assert [part.level.number for part in picture.firm] == [1]
    assert [part.nth for part in picture.parts] == [3, 2, 1, 0, 0, 0]
    assert (picture.weak.edge, picture.weak.side) == (80, "right")


def test_the_text_alternative_names_every_level():
    assert str(Picture(LEANING[:2]).in_words) == (
        "The stalk from the side, from the top down: "
        "level 2, eye, 4.0 mm right of the centre; level 1, base, directly above the centre."
    )


@pytest.mark.parametrize("paint", [Picture, Sketch])
def test_every_stalk_fits_on_the_narrowest_phone(paint):
    for seed in range(6):
        for now in play_at_random(5, "base", seed):
            picture = paint(now.view(None).stalk)
            left, top, width, height = picture.box
            wide, tall = picture.pixels
            assert wide <= paint.WIDE + 1
            assert tall <= paint.TALL + 1
            assert all(left < part.level.left for part in picture.parts)
            assert all(part.level.left + part.level.breadth < left + width for part in picture.parts)
            assert top < 0 < picture.board < top + height
            assert picture.broken is None


# ── stacks ──


@pytest.fixture
def view():
    return table(*chosen(3, 1, 2), *LINES).view(A)


LINES = (
    *((1, "roll 1"), (DEALER, "roll extra"), (1, "enough"), (1, "stack extra@3"), (DEALER, "sway 2")),
    *((2, "roll 2"), (DEALER, "roll eye eye"), (2, "stack eye@3 eye@3"), (DEALER, "sway 0 0")),
    *((A, "roll 3"), (DEALER, "roll treasure eye trunk")),
)


def test_a_plan_is_drawn_without_trembling(view):
    thought = make_plan(view, [read_aimed("treasure@-2"), read_aimed("eye"), read_aimed("trunk@4")])
    placed = [part.level for part in reversed(thought.picture.parts) if part.nth]
    assert [(str(level.name), level.x) for level in placed] == [
        ("treasure", -20),
        ("token A", -20),
        ("eye", 0),
        ("trunk", 40),
        ("cylinder", 40),
    ]
    assert thought.stands
    assert str(thought.risk).startswith("chance of falling: about ")


def test_a_plan_that_cannot_stand_says_so(view):
    thought = make_plan(view, [read_aimed("treasure@-6"), read_aimed("eye@-6"), read_aimed("trunk@-6")])
    assert not thought.stands
    assert thought.picture.broken
    assert str(thought.risk) == "chance of falling: about 91%"


def test_an_attempt_is_described_element_by_element():
    placed = list_placed_elements(Attempt(LEANING[:3], TUMBLING, stands=False))
    texts = [(str(e.name), str(e.where), str(e.outcome)) for e in placed]
    assert texts == [
        ("trunk", "6.0 mm right of the centre", f"{min(map(margin, joints(LEANING))) / 10:.1f} mm to spare"),
        ("extra", "10.0 mm right of the centre", "1.5 mm to spare"),
        ("eye", "13.0 mm right of the centre", "and it falls"),
    ]
