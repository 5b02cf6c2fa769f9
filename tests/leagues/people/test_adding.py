"""A list of people is added with a few queries however long it is, and nobody twice."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from beanpost.leagues.models import Division, Season
from beanpost.leagues.people import entries
from beanpost.players import accounts
from beanpost.players.models import Player
from tests.friends import NOON
from tests.leagues.office import do_url, fill_season, previewed

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(league):
    return Season.objects.create(league=league, name="Spring")


@pytest.mark.parametrize(("count", "most"), [(24, 60), (200, 120)])
def test_a_list_of_any_length_is_added_with_few_queries(at_olgas, season, count, most):
    people = "name,email,division\n" + "\n".join(f"Player {n},p{n}@example.org,Group {n % 3}" for n in range(count))
    answers = previewed(at_olgas, do_url(season, "import"), {"people": people})
    with CaptureQueriesContext(connection) as queries:
        assert at_olgas.post(do_url(season, "import"), {"do": "1", "reason": "", **answers}).status_code == 302
    assert season.entries.count() == count
    assert len(queries) <= most


def test_people_are_added_once_with_what_was_typed_and_rungs_in_order(season):
    rows = [entries.NewPerson("Ann@example.org", "Ann", "Gold"), entries.NewPerson("bob@example.org")]
    assert [entry.player.name for entry in entries.add_people(season, rows, now=NOON)] == ["Ann", "bob"]
    again = [*rows, entries.NewPerson("cleo@example.org", "Cleo", "gold")]
    (cleo,) = entries.add_people(season, again, now=NOON)
    assert (cleo.division.name, cleo.rung) == ("Gold", 2)
    assert (cleo.typed_name, cleo.typed_address) == ("Cleo", "cleo@example.org")
    assert season.entries.count() == 3


@pytest.mark.parametrize("name", ["Main division", "Division principale"])
def test_the_main_division_is_found_by_the_name_in_an_export_and_on_pages(season, name):
    main = Division.objects.create(season=season, name=Division.MAIN)
    with translation.override("fr"):
        (ann,) = entries.add_people(season, [entries.NewPerson("ann@example.org", "Ann", name)], now=NOON)
    assert ann.division == main
    assert season.divisions.count() == 1


def test_people_whom_the_league_knows_are_shown_at_once(league, season):
    known = fill_season(league, 2).entries.first().player
    rows = [entries.NewPerson(known.address), entries.NewPerson("new@example.org")]
    assert [entry.is_hidden for entry in entries.add_people(season, rows, now=NOON)] == [False, True]


def test_an_address_that_refused_letters_stays_refused(season):
    gone = accounts.get_or_create_player("ann@example.org", now=NOON)
    accounts.refuse_letters(gone, now=NOON)
    accounts.erase_player(Player.objects.get(pk=gone.pk), "Somebody", now=NOON)
    (entry,) = entries.add_people(season, [entries.NewPerson("ann@example.org")], now=NOON)
    assert entry.player.unwanted_at == NOON
