"""Dates of seasons and rounds: on pages, in the calendar, in warnings; after them, open tables can be decided."""

from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse

from beanpost.leagues import periodic
from beanpost.leagues.actions.next_step import find_next_step
from beanpost.leagues.models import Fixture, Round, Season
from beanpost.leagues.seasons import rounds
from beanpost.play import clock
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import do, fill_season, find_concerns, page, play_round
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db
TODAY = NOON.date()


@pytest.fixture(autouse=True)
def today(monkeypatch):
    set_day(monkeypatch, 0)


def set_day(monkeypatch, days):
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=days))


@pytest.fixture
def season(league):
    """A season whose first round is drawn; rounds take ten days."""
    season = fill_season(league, 6, size=3, rounds=2, round_days=10)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    return Season.objects.get(pk=season.pk)


def start(client, season, **answers):
    assert do(client, season, "start", **answers).status_code == 302
    rounds.begin_tables(season.divisions.get().rounds.first(), now=NOON)
    return season.divisions.get().rounds.first()


def list_items(user, days):
    found = find_concerns(user, NOON + timedelta(days=days))
    return [(concern.what, way.label) for concern in found for way in concern.ways]


def test_starting_a_round_proposes_its_last_day(at_olgas, season):
    shown = page(at_olgas, "admin:leagues_season_do", season.pk, "start")
    assert f'value="{TODAY + timedelta(days=10)}"' in shown
    round_ = start(at_olgas, season, due_on=str(TODAY + timedelta(days=5)))
    assert round_.due_on == TODAY + timedelta(days=5)


def test_a_round_needs_no_last_day_and_none_in_the_past(at_olgas, season):
    answer = do(at_olgas, season, "start", due_on=str(TODAY - timedelta(days=1)))
    assert answer.status_code == 400
    assert "A deadline can’t be in the past." in unescape(answer.content.decode())
    assert start(at_olgas, season).due_on is None


def test_the_last_day_is_public_in_the_calendar_and_in_the_invitation(at_olgas, client, season):
    due = TODAY + timedelta(days=10)
    do(at_olgas, season, "start", due_on=str(due))
    Season.objects.update(starts_on=TODAY, ends_on=due)
    written = f"{due:%b}"
    shown = page(client, "season", season.league.slug, season.pk)
    assert "Until" in shown
    assert written in shown
    assert "until" in page(at_olgas, "admin:leagues_season_cockpit", season.pk)
    ics = page(client, "league-calendar", season.league.slug)
    assert f"DTSTART;VALUE=DATE:{due:%Y%m%d}" in ics
    assert "round 1 ends" in ics
    deliver(NOON)
    assert "Last day of the round:" in Letter.objects.filter(kind="invitation").first().text


def test_players_of_open_tables_are_warned_once(at_olgas, season):
    start(at_olgas, season, due_on=str(TODAY + timedelta(days=10)))
    Letter.objects.all().delete()
    finished = Fixture.objects.first()
    Fixture.objects.filter(pk=finished.pk).update(ending="played")
    assert periodic.warn_of_deadlines(NOON + timedelta(days=6)) == 0
    assert periodic.warn_of_deadlines(NOON + timedelta(days=7)) == 3
    assert periodic.warn_of_deadlines(NOON + timedelta(days=7, hours=1)) == 0
    warned = Letter.objects.filter(kind="announcement")
    still = {chair.sitter_id for chair in Fixture.objects.get(ending="", round__number=1).chairs.all()}
    assert {letter.recipient_id for letter in warned} == still
    assert "and your table has no result yet" in warned.first().values["headline"]


def test_a_moved_deadline_is_told_and_warned_about_again(at_olgas, monkeypatch, season):
    start(at_olgas, season, due_on=str(TODAY + timedelta(days=2)))
    assert periodic.warn_of_deadlines(NOON) == 6
    answer = do(at_olgas, season, "deadline", due_on=str(TODAY + timedelta(days=9)), announce="on", reason="Snow.")
    assert answer.status_code == 302
    assert Round.objects.first().due_on == TODAY + timedelta(days=9)
    assert Letter.objects.filter(values__reason="Snow.").count() == 6
    assert periodic.warn_of_deadlines(NOON) == 0
    assert periodic.warn_of_deadlines(NOON + timedelta(days=6)) == 6


def test_after_the_deadline_each_open_table_is_offered_to_be_decided(at_olgas, olga, monkeypatch, season):
    round_ = start(at_olgas, season, due_on=str(TODAY + timedelta(days=5)))
    assert not [what for what, act in list_items(olga, 5) if act == "Set the result"]
    items = [what for what, act in list_items(olga, 6) if act == "Set the result"]
    assert len(items) == 2
    assert "has no result, and the round ended on" in items[0]
    set_day(monkeypatch, 6)
    step = find_next_step(Season.objects.get())
    assert step.action == "deadline"
    assert "2 tables have no result" in step.sentence
    cockpit = page(at_olgas, "admin:leagues_season_cockpit", season.pk)
    table = Fixture.objects.first()
    assert reverse("admin:leagues_fixture_do", args=[table.pk, "adjudicate"]) in cockpit
    play_round(round_)
    assert not [what for what, act in list_items(olga, 6) if act == "Set the result"]


def test_the_first_page_says_when_a_season_should_have_started_or_ended(olga, season):
    Season.objects.update(starts_on=TODAY + timedelta(days=1), ends_on=TODAY + timedelta(days=20))
    assert not any("was to start" in what for what, _act in list_items(olga, 1))
    assert any("was to start" in what for what, _act in list_items(olga, 2))
    Season.objects.update(phase="running")
    assert not any("was to start" in what for what, _act in list_items(olga, 2))
    assert any("Autumn ends on" in what for what, _act in list_items(olga, 14))
    assert any("was to end on" in what for what, _act in list_items(olga, 21))
    Season.objects.update(phase="ended")
    assert not any("was to end on" in what for what, _act in list_items(olga, 21))
