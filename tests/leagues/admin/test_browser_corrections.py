"""An organiser corrects mistakes in a real browser, ends seasons early, and opens the cockpit of 500 people."""

import pytest
from django.conf import settings
from django.urls import reverse

from beanpost.leagues.models import Fixture, Season
from beanpost.leagues.people import entries
from tests.friends import NOON
from tests.leagues.admin.test_browser import PHONE, SCREEN, carry_out, press
from tests.leagues.admin.test_five_hundred import big_season
from tests.leagues.conftest import signed_in
from tests.leagues.office import fill_season, play_out, start_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def office(page, live_server, olga):
    """A browser in which the organiser is signed in: a function that opens a row's page of the admin."""
    cookie = signed_in(olga).cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
    page.set_viewport_size(SCREEN)

    def visit(row, tab="change"):
        page.goto(live_server.url + reverse(f"admin:leagues_{row._meta.model_name}_{tab}", args=[row.pk]))
        return page

    return visit


@pytest.fixture
def table(league):
    """The one table of a season, played to the end."""
    start_round(fill_season(league, 3, size=3, rounds=1))
    play_out(Fixture.objects.get().match)
    return Fixture.objects.get()


def act(office, row, name, **places):
    """Press an action on a row's page, fill in places by player, press again, and land in the cockpit."""
    page = office(row, "cockpit" if isinstance(row, Season) else "change")
    press(page, name)
    for player, place in places.items():
        page.get_by_label(f"Place of {player.replace('_', ' ')}").fill(str(place))
    carry_out(page, name)
    page.wait_for_selector(".cockpit")
    row.refresh_from_db()


def ranks(table):
    return [chair.rank for chair in table.chairs.order_by("entry__player__name")]


def test_each_correction_of_a_table_is_a_few_presses(office, table):
    played = ranks(table)
    act(office, table, "Correct the result", Player_0=1, Player_1=1, Player_2=3)
    assert (table.ending, ranks(table)) == ("adjudicated", [1, 1, 3])
    act(office, table, "Correct the result", Player_0=3, Player_1=2, Player_2=1)  # decided anew
    assert ranks(table) == [3, 2, 1]
    act(office, table, "Annul")
    act(office, table, "Undo the annulment")
    assert (table.ending, ranks(table)) == ("played", played)
    earlier = table.match
    act(office, table, "Play again")
    assert (table.ending, table.earlier_matches.get().match) == ("", earlier)
    assert table.match.phase == "gathering"
    page = office(table.round.division.season, "story")
    for text in ("corrected the result", "no longer counts", "counts again", "will be played again", "As agreed."):
        assert page.get_by_text(text).first.is_visible()


def test_a_round_a_season_and_entries_are_reopened(office, league, table):
    round_, season = table.round, table.round.division.season
    act(office, season, "Close round 1")
    act(office, round_, "Reopen the round")
    round_.refresh_from_db()
    assert round_.phase == "published"
    act(office, season, "Close round 1")
    act(office, season, "Close the season")
    assert season.phase == "ended"
    act(office, season, "Reopen the season")
    assert season.phase == "running"
    other = fill_season(league, 3, size=3, name="Winter")
    act(office, other, "Reopen entries")
    assert other.phase == "entering"


def test_a_season_is_cancelled_and_another_abandoned(office, league, table, live_server):
    planned = Season.objects.create(league=league, name="Spring")
    entries.add_entry(planned, "p000@example.org", now=NOON)
    entries.invite_all(planned, now=NOON)
    act(office, planned, "Cancel the season")
    running = start_round(fill_season(league, 3, size=3, rounds=1, name="Winter"))
    act(office, Season.objects.get(pk=running.pk), "Abandon the season")
    running.refresh_from_db()
    assert (running.phase, Fixture.objects.get(round__division__season=running).ending) == ("ended", "annulled")
    page = office(running, "cockpit")
    page.goto(live_server.url + reverse("league", args=[league.slug]))
    assert page.get_by_text("Winter").first.is_visible()
    assert page.get_by_text("Spring").count() == 0


def test_the_cockpit_of_500_people_fits_a_phone(office, league):
    page = office(big_season(league), "cockpit")
    assert page.get_by_text("and 113 more tables").first.is_visible()
    page.set_viewport_size(PHONE)
    assert page.locator("html").evaluate("page => page.scrollWidth") <= PHONE["width"] + 1
