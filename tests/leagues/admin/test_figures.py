"""Limits for pages and actions of the office: queries, and the size of a page."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from beanpost.leagues.admin import cockpit
from beanpost.leagues.mail import letters
from beanpost.leagues.models import Fixture, Round, Season
from beanpost.leagues.people import entries
from beanpost.play.models import Wait
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.admin.test_five_hundred import big_season
from tests.leagues.office import LATER, do, fill_season, found_league, invent_results, start_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
MAX_FOR_A_DRAW = 50
MAX_FOR_A_COCKPIT = 25
MAX_FOR_THE_FIRST_PAGE = 25
FORMATS = Season.Format.values
MAX_FOR_PEOPLE = 30
MAX_FOR_AN_IMPORT = {24: 60, 200: 120}  # by people; with the two previews before it
MAX_SIZE = 150_000  # bytes of a page at 200 people


@pytest.mark.parametrize("people", [24, 48])
def test_three_divisions_are_drawn_with_few_queries(at_olgas, league, people):
    season = fill_season(league, people, size=4, rounds=3, divisions=3)
    with CaptureQueriesContext(connection) as queries:
        assert do(at_olgas, season, "draw").status_code == 302
    assert Fixture.objects.count() == 3 * people // 4
    assert len(queries) <= MAX_FOR_A_DRAW


@pytest.mark.parametrize("people", MAX_FOR_AN_IMPORT)
def test_people_are_added_with_few_queries(at_olgas, league, people):
    season = Season.objects.create(league=league, name="Autumn")
    rows = "\n".join(f"Player {n},p{n:03}@example.org,Group {n % 4}" for n in range(people))
    with CaptureQueriesContext(connection) as queries:
        assert do(at_olgas, season, "import", people=f"name,email,division\n{rows}").status_code == 302
    assert season.entries.count() == people
    assert len(queries) <= MAX_FOR_AN_IMPORT[people]


@pytest.mark.parametrize(("divisions", "format_"), [(1, "swiss"), (5, "round_robin"), (3, "knock_out")])
def test_the_pages_of_a_season_take_few_queries_at_any_time(at_olgas, league, divisions, format_):
    season = fill_season(league, 6 * divisions, size=3, rounds=2, divisions=divisions, format=format_)
    for action in ("", "draw", "start", "begin", "invent", "close-round", "draw", "abandon"):
        if action == "invent":
            for round_ in Round.objects.filter(number=1):
                invent_results(round_)
        elif action:
            do(at_olgas, season, action, reason="Because.")
        with CaptureQueriesContext(connection) as queries:
            at_olgas.get(cockpit.cockpit_url(season))
        assert len(queries) <= MAX_FOR_A_COCKPIT, action
        with CaptureQueriesContext(connection) as queries:
            at_olgas.get(cockpit.list_url("entry", season=season))
        assert len(queries) <= MAX_FOR_PEOPLE, action


def test_every_page_of_a_season_of_200_people_is_small(at_olgas, league):
    season = big_season(league, people=200)
    tabs = [url for _label, url, _now in cockpit.build_tabs(season, "")]
    first = season.divisions.get()
    rows = [first, first.rounds.last(), Fixture.objects.last(), season.entries.first()]
    rows = [reverse(f"admin:leagues_{row._meta.model_name}_change", args=[row.pk]) for row in rows]
    for url in (reverse("admin:index"), *tabs, *rows):
        page = at_olgas.get(url)
        assert page.status_code == 200
        assert len(page.content) <= MAX_SIZE, url


@pytest.mark.parametrize("seasons", [1, 8])
def test_the_first_page_takes_few_queries_however_many_seasons_there_are(at_olgas, olga, admin_client, seasons):
    """Each league has a season with everything that can go wrong, one that is over, and one that is being planned."""
    for n in range(seasons):
        league = found_league(f"League {n}", olga, games={"haricots": "sprint"})
        lose_everything(fill_season(league, 12, size=3, rounds=3, divisions=2, format=FORMATS[n % len(FORMATS)]))
        planned = Season.objects.create(league=league, name="Winter", phase="entering")
        entries.add_entry(planned, f"p{n}@example.org", now=NOON)
        entries.invite_all(planned, now=NOON)
        Letter.objects.filter(kind="league_invite").update(state="failed")
        Season.objects.create(league=found_league(f"Old {n}", olga), name="Past", phase="ended")
    for client in (at_olgas, admin_client):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("admin:index"))
        assert len(page.context["busy"]) == 2 * seasons
        assert len(queries) <= MAX_FOR_THE_FIRST_PAGE, "\n".join(query["sql"][:150] for query in queries)


def lose_everything(season):
    """Leave a season with late players, lost letters, people who can't be reached, and a seat to fill."""
    start_round(season, begin=True)
    first = Round.objects.filter(division__season=season, number=1).first()
    Wait.objects.update(remind_at=None)
    Round.objects.filter(pk=first.pk).update(due_on=NOON.date() - timedelta(days=2))
    letters.send_weekly(season, now=NOON)
    Letter.objects.filter(values__season=season.pk).update(state="failed")
    Letter.objects.filter(match__fixture__round=first).update(state="failed")
    Player.objects.filter(entries__season=season).update(unreached_at=LATER)
    season.entries.filter(pk=season.entries.first().pk).update(state="left", answered_at=LATER)
    table = first.fixtures.last()
    invent_results(first)
    Fixture.objects.filter(pk=table.pk).update(ending="")
    Fixture.objects.filter(ending="played").update(decided_at=LATER)
