"""A season's history: who did what, when and why, in words, on one page, in a division's history and in the archive."""

import csv
import io
from html import unescape
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from beanpost.leagues.models import Fixture, LeagueEvent, Season
from beanpost.leagues.records import history
from beanpost.leagues.seasons import rounds
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.privacy import erasure
from tests.friends import NOON
from tests.leagues.office import do, fill_season, play_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]


@pytest.fixture
def season(league):
    return fill_season(league, 6, size=3, rounds=2, divisions=2)


def story(client, season, **asked):
    answer = client.get(reverse("admin:leagues_season_story", args=[season.pk]), asked)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def past_of(client, row):
    url = reverse(f"admin:leagues_{row._meta.model_name}_history", args=[row.pk])
    return unescape(client.get(url).content.decode())


def start(client, season):
    """Draw and start the first round, each with a reason."""
    do(client, season, "draw", reason="Everybody is here.")
    assert do(client, season, "start", reason="Snow is coming.").status_code == 302
    return Season.objects.get(pk=season.pk)


def test_one_page_says_who_did_what_and_why(at_olgas, season):
    start(at_olgas, season)
    shown = story(at_olgas, season)
    assert "2 tables are open and their players are invited." in shown
    assert "Snow is coming." in shown
    assert "Rounds 1 to 2 were drawn. Seed:" in shown
    assert "Everybody is here." in shown
    assert "olga" in shown
    assert "accepted" in shown
    assert "publish" not in shown.lower()


def test_a_divisions_history_lists_its_draws(at_olgas, season):
    first, second = season.divisions.all()
    do(at_olgas, first, "draw")
    do(at_olgas, first, "draw", reason="Ann has left.")
    shown = past_of(at_olgas, first)
    assert f"{first}, draw 1" in shown
    assert f"{first}, draw 2" in shown
    assert "Ann has left." in shown
    assert "draw 1" not in past_of(at_olgas, second)


def test_a_tables_history_shows_a_long_reason_in_full(at_olgas, season):
    start(at_olgas, season)
    table = Fixture.objects.first()
    reason = "A very good reason. " * 9 + "The end."
    assert do(at_olgas, table, "annul", reason=reason).status_code == 302
    assert reason in past_of(at_olgas, table)
    assert reason in past_of(at_olgas, table.round.division)
    assert reason in story(at_olgas, season)
    other = Fixture.objects.last()
    assert reason not in past_of(at_olgas, other)


def test_the_history_describes_changed_settings_in_words(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", size=3, rounds=2)
    url = reverse("admin:leagues_season_change", args=[season.pk])
    form = {
        "league": league.pk,
        "name": "Spring",
        "format": "swiss",
        "size": 4,
        "rounds": 2,
        "moving": 2,
        "annulled": "bye",
        "divisions-TOTAL_FORMS": 0,
        "divisions-INITIAL_FORMS": 0,
    }
    answer = at_olgas.post(url, form)
    assert answer.status_code == 302, answer.content.decode()
    event = LeagueEvent.objects.get()
    assert (event.told, event.changes["size"]) == ("", [3, 4])
    description = story(at_olgas, season)
    assert "Swiss" in description
    assert "3 → 4" in description


def test_the_page_is_filtered_by_kind_division_and_words(at_olgas, season):
    season = start(at_olgas, season)
    first, second = season.divisions.all()
    do(at_olgas, Fixture.objects.filter(round__division=first).first(), "annul", reason="Two boats collided.")
    season.league.contact = "olga@club.example"
    season.league.save()
    words = {"headline": "Sorry", "words": "About the boats.", "to": "everyone"}
    do(at_olgas, season, "write", **words)
    assert "Two boats" in story(at_olgas, season, kind="tables")
    assert "Two boats" not in story(at_olgas, season, kind="people")
    assert "Two boats" in story(at_olgas, season, division=str(first.pk))
    assert "Two boats" not in story(at_olgas, season, division=str(second.pk))
    assert "Two boats" in story(at_olgas, season, q="BOATS")
    assert "Snow is coming" not in story(at_olgas, season, q="BOATS")
    letters = story(at_olgas, season, kind="letters")
    assert "Letter to everyone in the season: Sorry" in letters
    assert story(at_olgas, season, kind="nonsense", page="x")


def test_the_history_lists_results(at_olgas, season):
    season = start(at_olgas, season)
    round_ = season.divisions.first().rounds.first()
    rounds.begin_tables(round_, now=NOON)
    play_round(round_)
    assert "Result: 1. " in story(at_olgas, season, kind="tables")


def test_the_archive_holds_the_history_with_draws_and_reasons(at_olgas, season):
    start(at_olgas, season)
    answer = at_olgas.get(reverse("admin:leagues_season_export", args=[season.pk, "season", "zip"]))
    files = ZipFile(io.BytesIO(answer.content))
    past = list(csv.DictReader(io.StringIO(files.read("history.csv").decode("utf-8-sig"))))
    assert [row["reason"] for row in past if row["reason"]] == [
        "Everybody is here.",
        "Everybody is here.",
        "Snow is coming.",
    ]
    assert {row["who"] for row in past if row["reason"]} == {"olga"}
    draws = list(csv.DictReader(io.StringIO(files.read("draws.csv").decode("utf-8-sig"))))
    assert {row["reason"] for row in draws} == {"Everybody is here."}
    assert "Player 0" in " ".join(row["names"] for row in draws)


def test_other_organisers_see_no_history(at_ottos, season):
    assert at_ottos.get(reverse("admin:leagues_season_story", args=[season.pk])).status_code == 404


def test_a_persons_history_says_that_they_were_moved_with_others(at_olgas, season):
    entry, home = season.divisions.first().entries.first(), season.divisions.last()
    chosen = {"action": "move_all", "_selected_action": [entry.pk], "do": "1", "division": home.pk}
    at_olgas.post(reverse("admin:leagues_entry_changelist"), chosen)
    assert f"Moved to {home}." in past_of(at_olgas, entry)


def test_erased_people_are_nameless_in_the_history(at_olgas, season):
    entry = season.entries.first()
    Player.objects.filter(pk=entry.player_id).update(name="Zebedee Quill")
    do(at_olgas, season.entries.get(pk=entry.pk), "withdraw", reason="Zebedee Quill is ill.")
    assert "Zebedee" in story(at_olgas, season)
    erasure.erase(Player.objects.get(pk=entry.player_id), now=NOON)
    assert "Zebedee" not in story(at_olgas, season)


def test_erased_people_are_nameless_where_a_result_was_decided(at_olgas, season):
    start(at_olgas, season)
    fixture = Fixture.objects.exclude(match=None).first()
    player = fixture.chairs.first().sitter
    Player.objects.filter(pk=player.pk).update(name_shown="nickname", nickname="Zebedee")  # after they sat down
    places = {f"chair{chair.pk}": 1 for chair in fixture.chairs.all()}
    assert do(at_olgas, fixture, "adjudicate", reason="A tie.", announce="on", **places).status_code == 302
    assert "1. Zebedee" in story(at_olgas, season)
    erasure.erase(Player.objects.get(pk=player.pk), now=NOON)
    assert "Zebedee" not in story(at_olgas, season)
    assert "Zebedee" not in str(list(Letter.objects.values_list("values", flat=True)))


def test_an_erased_address_with_an_accent_is_gone_from_changed_settings(at_olgas, league):
    player = accounts.get_or_create_player("zoe@café.example", name="Zoe", now=NOON)  # who never came here
    before = history.take_snapshot(league)
    league.about = f"Write to {player.address}."
    league.save()
    changes = history.compare(league, before)
    history.record(league, history.Kind.SETTINGS, "", changes=changes, by=None, now=NOON)
    assert player.address in past_of(at_olgas, league)
    erasure.erase(player, now=NOON)
    shown = past_of(at_olgas, league)
    assert "Write to" in shown
    assert "café" not in shown


@pytest.mark.parametrize("page", ["leagues_season_story", "leagues_division_history"])
def test_twenty_moved_people_cost_no_more_queries_than_four(at_olgas, league, page):
    season = fill_season(league, 20, divisions=2)
    first, second = season.divisions.all()
    url = reverse(f"admin:{page}", args=[season.pk if "season" in page else second.pk])

    def count_queries(entries):
        keys = [entry.pk for entry in entries]
        chosen = {"action": "move_all", "_selected_action": keys, "do": "1", "division": second.pk}
        at_olgas.post(reverse("admin:leagues_entry_changelist"), chosen)
        at_olgas.get(url)  # shows the message about it
        with CaptureQueriesContext(connection) as queries:
            assert unescape(at_olgas.get(url).content.decode()).count(f"Division: {first} → {second}") == len(keys)
        return len(queries)

    few = count_queries(season.entries.filter(division=first)[:4])
    LeagueEvent.objects.all().delete()
    season.entries.update(division=first)
    assert count_queries(season.entries.all()) <= few
