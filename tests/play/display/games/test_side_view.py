"""The stalk of Le Haricot Magique drawn as text."""

import pytest

from games.haricot_magique import side_view
from games.haricot_magique.stalk import BARE, BASE, Element, joints, margin
from tests.games.haricot_magique.tables import play_at_random

LEANING = (BASE, Element("die", 40, None, "eye"), Element("token", 20, 1), Element("die", 60, None, "trunk"))


def lines(drawn: side_view.Drawing) -> list[str]:
    return [*(f"{box}{name}{mark}" for box, name, mark in drawn.lines), *filter(None, [drawn.pointer])]


def test_a_stalk_is_drawn_to_scale_in_text():
    assert lines(side_view.draw_side_view(LEANING)) == [
        " 4     [______]  trunk",
        " 3  (_______)    token B",
        " 2    [______]   eye",
        " 1  [______]     base *",
        "          ^",
    ]


def test_a_drawing_tells_the_lean_and_the_weakest_joint():
    drawn = side_view.draw_side_view(LEANING)
    assert drawn.lean == round((8 * 40 + 20 + 8 * 60) / 17)
    assert str(drawn.lean_in_words) == "4.8 mm right of the centre"
    assert (drawn.weakest, str(drawn.spare)) == (1, "3.1")


def test_a_bare_base_leans_nowhere():
    drawn = side_view.draw_side_view(BARE)
    assert lines(drawn) == [" 1  [______]  base"]
    assert (drawn.lean, drawn.weakest) == (None, None)


@pytest.mark.parametrize("variant", ["base", "expert"])
def test_every_stalk_fits_into_a_letter_and_its_lines(variant):
    tallest = 0
    for seed in range(12):
        for table in play_at_random(5, variant, seed):
            drawn = side_view.draw_side_view(table.view(None).stalk)
            tallest = max(tallest, len(drawn.levels))
            assert all(len(line) <= 72 for line in lines(drawn))
            assert all(level.indent + level.width <= side_view.MAX_WIDTH + 2 for level in drawn.levels)
            assert all(level.indent >= 0 for level in drawn.levels)
    assert tallest >= 6


def test_the_shown_margin_is_that_of_the_weakest_joint():
    drawn = side_view.draw_side_view(LEANING)
    assert str(drawn.spare) == f"{min(map(margin, joints(LEANING))) / 10:.1f}"
