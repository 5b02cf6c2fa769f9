"""An organiser runs a season in a real browser, on a screen and on a phone, with few presses."""

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse

from beanpost.leagues.admin.cockpit import cockpit_url
from beanpost.leagues.models import Entry, Fixture, League, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.play import clock
from beanpost.play.models import Match
from tests.browser import click_through
from tests.leagues.admin.test_five_hundred import big_season
from tests.leagues.conftest import signed_in
from tests.leagues.office import fill_season, found_league, invent_results, play_out

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 780}
SCREEN = {"width": 1280, "height": 900}


@pytest.fixture
def season():
    olga = get_user_model().objects.create_user("olga", email="olga@x.org", password="beans for all", is_staff=True)
    return fill_season(found_league("Bean League", olga), 6, size=3, rounds=1)


@pytest.fixture
def look(page):
    """Check that nothing overflows sideways on a phone."""

    def look():
        page.set_viewport_size(PHONE)
        assert page.locator("html").evaluate("page => page.scrollWidth") <= PHONE["width"] + 1
        page.set_viewport_size(SCREEN)

    return look


MIDDLES = """words => words.map((element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  const { top, bottom } = words.getBoundingClientRect();
  return Math.round((top + bottom) / 2);
})"""


def press(page, name):
    click_through(page.get_by_role("link", name=name, exact=True).first)


def carry_out(page, name):
    page.get_by_label("Reason").fill("As agreed.")
    click_through(page.get_by_role("button", name=name, exact=True))


def test_an_organiser_runs_a_round_in_the_browser(page, live_server, season, look):
    page.goto(live_server.url + "/admin/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill("beans for all")
    click_through(page.get_by_role("button", name="Sign in"))
    look()
    click_through(page.get_by_role("button", name="I don’t play here"))
    look()
    press(page, "Draw")
    look()
    assert len(set(page.locator("form p > *").evaluate_all(MIDDLES))) == 1  # every button is on one line
    carry_out(page, "Draw")
    page.goto(live_server.url + "/admin/")
    press(page, "Start round 1")
    carry_out(page, "Start round 1")
    look()
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
    press(page, "Close round 1")
    carry_out(page, "Close round 1")
    look()
    page.goto(live_server.url + "/admin/")
    press(page, "Close the season")
    carry_out(page, "Close the season")
    assert Season.objects.get().phase == "ended"
    page.goto(live_server.url + reverse("season", args=[season.league.slug, season.pk]))
    look()


class Presses:
    """An organiser's browser that counts clicks and keys."""

    def __init__(self, page, address):
        self.page, self.count = page, 0
        page.goto(address)

    def press(self, name, role="link"):
        self.count += 1
        click_through(self.page.get_by_role(role, name=name, exact=True).first)

    def act(self, name):
        """Press the green button, look at the preview, and press again."""
        assert self.page.locator(".go").inner_text() == name
        self.press(name)
        self.press(name, "button")
        assert self.page.locator(".cockpit").is_visible()


PEOPLE = "name,email,division\n" + "\n".join(f"Player {n},p{n:02}@example.org,Division {n % 3 + 1}" for n in range(24))


def test_a_season_of_24_people_in_three_divisions_takes_at_most_30_presses(page, live_server, look):
    olga = get_user_model().objects.create_user("olga", email="olga@x.org", password="beans for all", is_staff=True)
    found_league("Bean League", olga)
    page.set_viewport_size(SCREEN)
    office = Presses(page, live_server.url + "/admin/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill("beans for all")
    office.press("Sign in", "button")
    office.press("I don’t play here", "button")
    office.press("Plan your first season")
    page.get_by_label("Name", exact=False).first.fill("Autumn")
    page.get_by_label("Rounds").fill("3")
    office.press("Save", "button")
    office.press("Add people")
    page.locator("textarea").fill(PEOPLE)
    office.press("Preview", "button")
    look()
    assert page.get_by_label("Column with the addresses").locator("option:checked").inner_text() == "2 · email"
    office.press("Add people", "button")
    look()
    office.act("Invite everyone")
    for entry in Entry.objects.all():
        season_entries.accept(entry, now=clock.now())
    page.reload()
    office.act("Close entries")
    office.act("Draw")
    for number in (1, 2, 3):
        look()
        office.act(f"Start round {number}")
        assert Match.objects.count() == 6 * number
        look()
        for round_ in Round.objects.filter(number=number):
            invent_results(round_)
        page.reload()
        office.act(f"Close round {number}")
    office.act("Close the season")
    look()
    season = Season.objects.get()
    assert (season.phase, season.divisions.count(), League.objects.count()) == ("ended", 3, 1)
    print(f"{office.count} presses")
    assert office.count <= 30
    for tab in ("People", "Tables", "Follow up", "Settings", "History"):
        click_through(page.locator(".season-tabs").get_by_role("link", name=tab, exact=True))
        look()


def test_the_cockpit_of_500_people_fits_a_phone(page, live_server, look, olga, league):
    cookie = signed_in(olga).cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
    page.goto(live_server.url + cockpit_url(big_season(league)))
    assert page.get_by_text("and 113 more tables").first.is_visible()
    look()
