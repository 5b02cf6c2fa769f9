"""Standings for other sites: one page that may be framed, JSON and CSV, all without a cookie."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from beanpost.leagues.models import League, Season
from beanpost.players.models import Player
from tests.friends import NOON
from tests.leagues.office import fill_season, play_round, start_round
from tests.site.doors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(league):
    season = start_round(fill_season(league, 3, size=3, rounds=1))
    Player.objects.filter(name="Player 0").update(name="Ann Lee")
    play_round(season.divisions.get().rounds.get())
    return season


def get(client, season, name, *more):
    return client.get(reverse(name, args=[season.league.slug, season.pk, *more]))


def test_the_embedded_standings_are_the_only_page_that_may_be_framed(client, season):
    answer = get(client, season, "season-embed")
    assert answer.status_code == 200
    assert "X-Frame-Options" not in answer.headers
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    for name in ("season", "standings"):
        other = get(client, season, name, *(["json"] if name == "standings" else []))
        assert other.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]


def test_embedded_standings_have_no_cookie_and_no_form(client, season):
    for answer in (get(client, season, "season-embed"), get(client, season, "standings", "json")):
        assert not answer.cookies
        assert "<form" not in answer.content.decode()
        assert "<script" not in answer.content.decode()


def test_embedded_standings_are_alike_for_signed_in_players(season):
    """They are cached for everybody, and a frame must not act for the player whose browser shows it."""
    ann, stranger = signed_in(Player.objects.get(name="Ann Lee")), Client()
    for door in (("season-embed",), ("standings", "json"), ("standings", "csv")):
        answer = get(ann, season, *door)
        assert not answer.cookies
        assert answer.content == get(stranger, season, *door).content
        assert "Cookie" not in answer.headers.get("Vary", "")
        assert ann.post(answer.wsgi_request.path).status_code == 405


def test_search_engines_leave_out_unlisted_standings(client, season):
    doors = [("season-embed",), ("standings", "json"), ("standings", "csv")]
    League.objects.update(visibility="unlisted")
    assert all(get(client, season, *door).headers["X-Robots-Tag"] == "noindex" for door in doors)


def test_standings_are_published_as_json_and_csv_with_the_names_players_wish(client, season):
    answer = get(client, season, "standings", "json")
    rows = answer.json()["standings"]
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert len(rows) == 3
    assert {"division", "rank", "name", "points", "played", "wins"} == set(rows[0])
    assert "Ann L." in [row["name"] for row in rows]
    sheet = get(client, season, "standings", "csv").content.decode("utf-8-sig")
    assert [row["name"] for row in csv.DictReader(io.StringIO(sheet))] == [row["name"] for row in rows]
    assert "Lee" not in sheet + answer.content.decode() + get(client, season, "season-embed").content.decode()


def test_a_members_or_cancelled_season_is_not_published(client, season):
    doors = [("season-embed",), ("standings", "json"), ("standings", "csv")]
    assert get(client, season, "standings", "xml").status_code == 404
    League.objects.update(visibility="members", join_code="BEANS7")
    assert all(get(client, season, *door).status_code == 404 for door in doors)
    League.objects.update(visibility="unlisted")
    assert all(get(client, season, *door).status_code == 200 for door in doors)
    Season.objects.update(cancelled_at=NOON)
    assert all(get(client, season, *door).status_code == 404 for door in doors)


def test_the_seasons_page_says_how_to_embed_it(client, season):
    shown = get(client, season, "season").content.decode()
    assert reverse("season-embed", args=[season.league.slug, season.pk]) in shown
