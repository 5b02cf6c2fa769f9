"""Le Haricot Magique on a touch screen: choose, roll, stack with aims, and see the drawing change."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from beanpost.play.display import scene
from beanpost.play.models import Match
from games.haricot_magique.picture import Picture
from tests.browser import click_through, wait_until
from tests.friends import seat_friends
from tests.pages.table import asked, press, table_link

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = 320
INSPECT = (Path(__file__).parents[1] / "inspect.js").read_text()
MEASURE = """svg => [...svg.querySelectorAll('[data-level] > .body')].map(body => {
  const {x, y, width, height} = body.getBBox(), seen = body.getBoundingClientRect();
  return {level: +body.parentNode.dataset.level, x, y, width, height, left: seen.left, right: seen.right,
          across: seen.width / width, upright: seen.height / height};
})"""


@pytest.fixture
def match() -> Match:
    """A match in which everyone but one player has chosen a card."""
    match = seat_friends("haricot_magique", "base", seats=3)
    for _ in range(2):
        press(match, "choose")
    return match


@pytest.fixture
def phone(page: Page) -> Page:
    page.set_viewport_size({"width": PHONE, "height": 700})
    page.emulate_media(reduced_motion="reduce")
    return page


def measured(picture: Locator) -> list[dict[str, Any]]:
    return picture.evaluate(MEASURE)


def is_as_the_model_says(picture: Locator, painted: Picture) -> bool:
    """Check that every element is drawn to scale in both directions, at its position and inside the screen."""
    seen = {part["level"]: part for part in measured(picture)}
    assert seen.keys() == {part.level.number for part in painted.parts}
    scale = next(iter(seen.values()))["across"]
    for part in painted.parts:
        found = seen[part.level.number]
        assert (found["x"], found["y"]) == (part.level.left, part.top)
        assert (found["width"], found["height"]) == (part.level.breadth, part.height)
        assert found["across"] == pytest.approx(scale, rel=0.01)
        assert found["upright"] == pytest.approx(scale, rel=0.01)
        assert 0 <= found["left"] < found["right"] <= PHONE
    return True


def x_of_first_new(plan: Locator) -> float:
    return plan.locator(".new.n1 > .body").evaluate("body => body.getBBox().x")


def test_a_player_chooses_rolls_and_stacks_with_aims_on_a_phone(phone, live_server, match):
    phone.goto(live_server.url + table_link(match))
    click_through(phone.get_by_role("button", name="Card").first)
    phone.get_by_role("heading", name="You chose card").wait_for()

    seat = match.waits.get().seat
    phone.goto(live_server.url + table_link(match))
    click_through(phone.get_by_role("button", name=re.compile("^Roll")).last)
    phone.get_by_role("heading", name="You decided to roll").wait_for()
    while scene.build_scene(Match.objects.get(pk=match.pk), seat).view.phase != "stacking":
        click_through(phone.get_by_role("button", name="Take no extra dice"))
    before = scene.build_scene(Match.objects.get(pk=match.pk), seat).view
    assert before.phase == "stacking"
    assert is_as_the_model_says(phone.locator(".table .picture"), Picture(before.stalk))

    plan = phone.locator("#plan")
    was = x_of_first_new(plan)
    for _ in range(2):
        phone.locator(".dice li").first.get_by_role("button", name="to the right").click()
    expect(phone.locator(".order output").first).to_have_text("2 mm right")
    wait_until(phone, "was => document.querySelector('#plan .new.n1 > .body').getBBox().x === was + 20", was)
    assert phone.evaluate(INSPECT) == []
    click_through(phone.get_by_role("button", name="Stack them like this"))
    phone.get_by_role("heading", name="You stack").wait_for()

    [stacked] = [event.line for event in match.events.filter(seat=seat) if event.line.startswith("stack")]
    assert "@2" in stacked
    after = scene.build_scene(Match.objects.get(pk=match.pk), seat)
    attempt = after.story.pictured[0].picture
    assert is_as_the_model_says(phone.locator(".happened .picture").first, Picture(attempt.grown))
    assert is_as_the_model_says(phone.locator(".table .picture"), Picture(after.view.stalk))
    assert len(attempt.grown) > len(before.stalk)
    assert phone.evaluate(INSPECT) == []


@pytest.fixture
def stacking(match) -> Match:
    """A match in which a player has two different dice to stack."""
    while (view := asked(match).view).phase != "stacking" or len(set(view.dice)) < 2:
        press(match, "choose 3" if view.phase == "choosing" else "roll 3")
    return match


def test_dice_change_places_by_a_tap_and_by_the_keyboard(phone, live_server, stacking):
    phone.goto(live_server.url + table_link(stacking))
    first, second = (phone.locator(f"#own_die_{n}").input_value() for n in (1, 2))
    phone.locator(".aim input").first.press("ArrowLeft")
    phone.locator(".dice li").first.get_by_role("button", name="later").press("Enter")
    assert [phone.locator(f"#own_die_{n}").input_value() for n in (1, 2)] == [second, first]
    assert [phone.locator(f"#own_aim_{n}").input_value() for n in (1, 2)] == ["0", "-1"]
    assert phone.evaluate("document.activeElement.ariaLabel").startswith("2 ")
    assert stacking.events.filter(line__startswith="stack", seat=stacking.waits.get().seat).count() == 0


@pytest.mark.parametrize("light", ["light", "dark"])
def test_the_stacking_page_is_readable_in_light_and_dark_mode(light, phone, live_server, stacking):
    phone.emulate_media(color_scheme=light)
    phone.goto(live_server.url + table_link(stacking))
    assert phone.evaluate(INSPECT) == []


def test_the_drawing_is_still_with_reduced_motion(page, live_server, stacking):
    press(stacking, "stack")
    moving = {}
    for wish in ("no-preference", "reduce"):
        page.emulate_media(reduced_motion=wish)
        page.goto(live_server.url + table_link(stacking))
        page.get_by_text("Show what happened").click()
        moving[wish] = page.evaluate("document.querySelector('.happened').getAnimations({subtree: true}).length")
    assert moving["no-preference"] > 0
    assert moving["reduce"] == 0
