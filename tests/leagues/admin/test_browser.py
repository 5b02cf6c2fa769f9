"""An organiser runs one small round in a real browser, on a screen and on a phone."""

from itertools import count

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from beanpost.leagues.models import Fixture, Round, Season
from beanpost.play.models import Match
from tests.leagues.office import fill_season, found_league, play_out

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 780}
SCREEN = {"width": 1280, "height": 900}


@pytest.fixture
def season():
    olga = get_user_model().objects.create_user("olga", email="olga@x.org", password="beans for all", is_staff=True)
    return fill_season(found_league("Bean League", olga), 6, size=3, rounds=1)


@pytest.fixture
def look(page, tmp_path):
    """Check that nothing overflows sideways on a phone. Screenshots of both widths stay in the test's own folder."""
    numbers = count(1)

    def look():
        number = next(numbers)
        page.screenshot(path=tmp_path / f"{number}-screen.png", full_page=True)
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"] + 1
        page.screenshot(path=tmp_path / f"{number}-phone.png", full_page=True)
        page.set_viewport_size(SCREEN)

    return look


MIDDLES = """words => words.map((element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  const { top, bottom } = words.getBoundingClientRect();
  return Math.round((top + bottom) / 2);
})"""


def press(page, name):
    page.get_by_role("link", name=name, exact=True).first.click()


def carry_out(page, name):
    page.get_by_label("Reason").fill("As agreed.")
    page.get_by_role("button", name=name, exact=True).click()


def test_an_organiser_runs_a_round_in_the_browser(page, live_server, season, look):
    page.goto(live_server.url + "/admin/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill("beans for all")
    page.get_by_role("button", name="Log in").click()
    look()
    page.get_by_role("button", name="I don’t play here").click()
    look()
    press(page, "Draw")
    look()
    assert len(set(page.locator("form p > *").evaluate_all(MIDDLES))) == 1  # every button is on one line
    carry_out(page, "Draw")
    page.goto(live_server.url + "/admin/")
    press(page, "Publish")
    carry_out(page, "Publish")
    assert Match.objects.count() == 2
    page.goto(live_server.url + reverse("admin:leagues_round_change", args=[Round.objects.get().pk]))
    look()
    press(page, "Start without waiting")
    carry_out(page, "Start without waiting")
    page.goto(live_server.url + reverse("admin:play_match_change", args=[Match.objects.first().pk]))
    look()
    for match in Match.objects.all():
        play_out(match)
    assert set(Fixture.objects.values_list("ending", flat=True)) == {"played"}
    page.goto(live_server.url + "/admin/")
    press(page, "Close the round")
    carry_out(page, "Close the round")
    page.goto(live_server.url + "/admin/")
    press(page, "Close the season")
    carry_out(page, "Close the season")
    assert Season.objects.get().phase == "ended"
    page.goto(live_server.url + reverse("season", args=[season.league.slug, season.pk]))
    look()
