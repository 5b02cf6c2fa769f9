"""The JSON API shows public facts, and nothing else."""

import json
import re

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

import games
from beanpost.leagues.models import EarlierMatch, Fixture, League
from beanpost.pages.api import views
from beanpost.pages.api.openapi import DOCUMENT
from beanpost.play.models import Match
from games.verification.verify import verify
from tests.friends import NOON, seat_friends
from tests.leagues.office import found_league, play_out, season_after_one_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def season():
    return season_after_one_round()


@pytest.fixture
def ended():
    return play_out(seat_friends())


def ask(client, name, *args, status=200):
    answer = client.get(reverse(f"api-{name}", args=args))
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/json"
    return answer.json()


def test_every_game_is_listed(client):
    listed = ask(client, "games")["games"]
    assert [game["slug"] for game in listed] == list(games.GAMES)
    assert all(game["seats"]["fewest"] <= game["seats"]["most"] for game in listed)


def test_a_match_that_is_over_is_shown_with_a_log_that_can_be_verified(client, ended):
    shown = ask(client, "match", ended.code)
    assert len(shown["entries"]) == ended.length
    assert verify(shown).lines == ended.length
    assert "@example.org" not in json.dumps(shown)
    assert ask(client, "verification", ended.code) == {
        "match": ended.code,
        "holds": True,
        "fault": "",
        "lines": ended.length,
        "digest": ended.head,
        "name_erased": False,
    }


def test_a_match_is_shown_while_it_runs_if_all_its_players_let_others_watch(client):
    match = seat_friends()
    Match.objects.update(watchable=True)
    match.places.update(may_be_watched=True)
    assert [row["code"] for row in ask(client, "matches")["matches"]] == [match.code]
    shown = ask(client, "match", match.code)
    assert "secret" not in shown
    assert len(shown["entries"]) == match.length
    match.places.filter(seat=0).update(may_be_watched=False)
    assert ask(client, "matches") == {"matches": []}
    ask(client, "match", match.code, status=404)


@pytest.mark.parametrize("name", ["match", "verification"])
def test_a_running_match_is_not_shown(client, name):
    match = seat_friends()
    assert ask(client, name, match.code, status=404) == {"error": views.NOT_HERE}


@pytest.mark.parametrize("name", ["match", "verification"])
def test_a_practice_match_is_not_shown(client, ended, name):
    Match.objects.update(practice=True)
    ask(client, name, ended.code, status=404)


def test_a_league_is_shown_with_its_seasons(client, season):
    listed = ask(client, "leagues")["leagues"]
    assert [league["slug"] for league in listed] == ["bean-league"]
    shown = ask(client, "league", "bean-league")
    assert [(row["number"], row["name"], row["phase"]) for row in shown["seasons"]] == [
        (season.pk, "Autumn", season.phase)
    ]


@pytest.mark.parametrize("visibility", ["unlisted", "members"])
def test_a_league_that_is_not_public_is_hidden_with_its_matches(client, season, ended, visibility):
    Fixture.objects.filter(pk=Fixture.objects.first().pk).update(match=ended)
    ask(client, "match", ended.code)
    League.objects.update(visibility=visibility)
    assert ask(client, "leagues") == {"leagues": []}
    ask(client, "league", "bean-league", status=404)
    for name in ("standings", "fixtures"):
        ask(client, name, "bean-league", season.pk, status=404)
    for name in ("match", "verification"):
        ask(client, name, ended.code, status=404)


def test_a_match_that_was_played_again_is_hidden_with_its_league(client, season, ended):
    EarlierMatch.objects.create(fixture=Fixture.objects.first(), match=ended, replaced_at=NOON)
    ask(client, "match", ended.code)
    League.objects.update(visibility="members")
    ask(client, "match", ended.code, status=404)


def test_a_match_that_may_be_watched_is_hidden_with_its_league(client, season):
    match = seat_friends()
    Match.objects.filter(pk=match.pk).update(watchable=True)
    match.places.update(may_be_watched=True)
    Fixture.objects.filter(pk=Fixture.objects.first().pk).update(match=match)
    assert [row["code"] for row in ask(client, "matches")["matches"]] == [match.code]
    League.objects.update(visibility="unlisted")
    assert ask(client, "matches") == {"matches": []}


def test_standings_and_fixtures_are_those_of_the_season_page(client, season):
    standings = ask(client, "standings", "bean-league", season.pk)["standings"]
    assert [row["rank"] for row in standings][:1] == [1]
    assert {row["name"] for row in standings} == {f"Player {n}" for n in range(6)}
    tables = ask(client, "fixtures", "bean-league", season.pk)["fixtures"]
    assert {row["round"] for row in tables} == {1}, "a round that was only drawn is still secret"
    assert len(tables) == Fixture.objects.filter(round__number=1).count()
    assert all(player["rank"] for row in tables for player in row["players"])


def test_a_running_match_of_a_league_is_not_named(client, season):
    Match.objects.update(phase=Match.Phase.RUNNING)
    tables = ask(client, "fixtures", "bean-league", season.pk)["fixtures"]
    assert {row["match"] for row in tables} == {None}


def test_no_address_is_shown(client, season):
    answers = [ask(client, name, "bean-league", season.pk) for name in ("standings", "fixtures")]
    answers += [ask(client, "leagues"), ask(client, "league", "bean-league")]
    assert "example" not in json.dumps(answers).replace("http://testserver", "")


def test_another_leagues_season_is_not_found(client, season):
    found_league("Other League")
    assert ask(client, "standings", "other-league", season.pk, status=404) == {"error": views.NOT_HERE}


def test_a_visitor_who_asks_too_often_is_told_to_wait(client, monkeypatch):
    monkeypatch.setattr(views, "MAX_AN_HOUR", 2)
    for _ in range(2):
        ask(client, "games")
    assert ask(client, "games", status=429) == {"error": views.TOO_MANY}
    other = client.get(reverse("api-games"), REMOTE_ADDR="192.0.2.9")
    assert other.status_code == 200


def test_the_api_only_reads(ended):
    client = Client(enforce_csrf_checks=True)
    assert client.post(reverse("api-match", args=[ended.code])).status_code == 405


def test_the_description_names_every_address_of_the_api(client):
    described = ask(client, "openapi")
    assert described["servers"][0]["url"].endswith("/api/v1")  # every path begins with a slash
    resolvers = map(get_resolver, ("beanpost.pages.urls", "beanpost.pages.leagues.urls"))
    routes = {str(route.pattern) for resolver in resolvers for route in resolver.url_patterns}
    api = {re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in routes if route.startswith("api/v1/")}
    api = {route.removeprefix("api/v1").replace("{pk}", "{number}") for route in api}
    assert set(described["paths"]) == api - {"/openapi.json"}


def test_each_answer_has_the_fields_of_its_description(client, season, ended):
    values = {"code": ended.code, "slug": "bean-league", "number": season.pk}
    for path, ways in DOCUMENT["paths"].items():
        answer = client.get(f"/api/v1{path.format(**values)}")
        assert answer.status_code == 200, path
        schema = ways["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        for part in schema.get("allOf", [schema]):
            assert_fits(answer.json(), part, path)


TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def assert_fits(value, schema, path):
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    assert any(isinstance(value, TYPES[kind]) for kind in kinds), (path, value, kinds)
    for name in schema.get("required", ()):
        assert name in value, (path, name)
        assert_fits(value[name], schema["properties"][name], f"{path} {name}")
    for item in value if isinstance(value, list) else ():
        assert_fits(item, schema["items"], path)
