"""Stacking dice on a page without scripts: it shows a plan first, and the result after."""

import pytest
from django.urls import reverse

from beanpost.play.display import scene
from beanpost.play.display.scene import Scene
from beanpost.play.display.story import tell_story
from beanpost.play.models import Match
from tests.friends import seat_friends
from tests.pages.table import asked, link, press, table_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """A match in which a player has to stack dice with at least two different faces."""
    match = seat_friends("haricot_magique", "base", seats=3)
    while (view := asked(match).view).phase != "stacking" or len(set(view.dice)) < 2:
        press(match, "choose 3" if view.phase == "choosing" else "roll 3")
    return match


def typed(shown: Scene, *, aim: int, button: str) -> dict[str, object]:
    rows = enumerate(shown.view.dice, 1)
    return {f"die_{n}": face for n, face in rows} | {f"aim_{n}": aim for n in range(1, 9)} | {button: "stack"}


def test_the_page_starts_with_the_dice_as_rolled_and_their_risk(client, match):
    shown, text = asked(match), client.get(table_link(match)).content.decode()
    levels = text.split('id="plan"')[1].split("</svg>")[0].count("data-level")
    assert levels > len(shown.view.stalk)
    assert "Chance of falling: " in text
    assert text.index('class="moves"') < text.index('id="stack"') < text.index("You have until")


def test_a_plan_is_shown_and_nothing_is_played(client, match):
    shown, before = asked(match), match.events.count()
    page = client.post(table_link(match), typed(shown, aim=2, button="preview"))
    text = page.content.decode()
    assert page.status_code == 200
    assert text.count('<option value="2" selected>2 mm right</option>') == len(shown.view.dice)
    assert "With a steady hand, it would stand like this." in text
    assert match.events.count() == before


def test_unavailable_dice_have_no_plan(client, match):
    shown, before = asked(match), match.events.count()
    same = {f"die_{n}": shown.view.dice[0] for n in range(1, len(shown.view.dice) + 1)}
    page = client.post(table_link(match), typed(shown, aim=0, button="preview") | same)
    assert page.status_code == 422
    assert "Stack all the dice, each one once" in page.content.decode()
    assert "data-level" not in page.content.decode().split('id="plan"')[1].split("</form>")[0]
    assert match.events.count() == before


@pytest.mark.parametrize("wrong", [{"aim_1": "7"}, {"aim_1": "left"}, {"die_1": "castle"}, {"die_2": ""}])
def test_an_invalid_plan_is_refused_with_a_sentence(client, match, wrong):
    before = match.events.count()
    page = client.post(table_link(match), typed(asked(match), aim=0, button="preview") | wrong)
    assert page.status_code == 400
    assert 'class="errorlist"' in page.content.decode()
    assert match.events.count() == before


def test_the_page_of_a_suggested_stack_shows_its_plan(client, match):
    shown = asked(match)
    option = shown.question.options[-1]
    text = client.get(link("move", option.ticket)).content.decode()
    risk = option.label[option.label.rindex("(") + 1 : -1]
    assert f'<p class="risk">{risk[0].upper()}{risk[1:]}</p>' in text


def test_the_page_after_a_stack_shows_it_element_by_element(client, match):
    shown = asked(match)
    page = client.post(table_link(match), typed(shown, aim=0, button="compose"))
    match.refresh_from_db()
    attempt = scene.build_scene(match, shown.reader).story.pictured[-1].picture
    happened = page.content.decode().split('<section class="happened">')[1].split("</section>")[0]
    assert happened.count("<li>") == len(attempt.grown) - len(attempt.before)
    assert happened.count("data-level") == len(attempt.grown)
    assert ('class="falls' in happened) is not attempt.stands


def test_a_later_visitor_can_watch_the_stack(client, match):
    press(match, "stack")
    while asked(match).view.phase != "preparing":
        press(match)
    text = client.get(table_link(match)).content.decode()
    assert "Show what happened since your last turn" in text
    assert '<section class="happened">' in text


def test_the_replay_shows_the_stack_too(client, match):
    press(match, "stack")
    line = next(line for line in tell_story(match, None) if line.picture)
    text = client.get(reverse("moment", args=[match.code, line.seq])).content.decode()
    assert text.count('<section class="happened">') == 1
