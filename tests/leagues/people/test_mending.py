"""Organisers pick the columns of a list, and correct what they typed until the person accepts."""

from html import unescape

import pytest
from django.urls import reverse

from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.privacy import data_export
from tests.friends import NOON
from tests.leagues.office import LATER, do, entry_link
from tests.post.gallery import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
ODD_LIST = (
    "When;Who;Contact;Second contact\n1 May;Ann;x@example.org;ann@example.org\n2 May;Bob;y@example.org;bob@example.org"
)


@pytest.fixture
def season(league):
    return Season.objects.create(league=league, name="Spring", size=3, rounds=2)


def listed(season):
    return sorted(season.entries.values_list("typed_name", "typed_address"))


def test_the_preview_shows_the_first_rows_of_each_column(at_olgas, season):
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    shown = unescape(at_olgas.post(url, {"look": "1", "people": ODD_LIST}).content.decode())
    assert "Column 1: When · 1 May · 2 May" in shown
    assert "Column 4: Second contact · ann@example.org · bob@example.org" in shown
    assert "Column with the addresses" in shown
    assert not Entry.objects.exists()


def test_nobody_is_added_before_the_organiser_has_seen_the_list_as_it_is_read(at_olgas, season):
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    assert 'name="do"' not in at_olgas.get(url).text
    first = at_olgas.post(url, {"do": "1", "people": ODD_LIST})
    assert first.status_code == 200
    assert 'name="do"' in first.text
    shown = {name: first.context["form"].initial[name] for name in ("seen", "column_address", "column_name")}
    assert shown["column_address"] == "3"
    for changed in ({"people": ODD_LIST + "\n3 May;Cleo;z@example.org;"}, {"column_address": "4"}):
        again = at_olgas.post(url, {"do": "1", "people": ODD_LIST} | shown | changed)
        assert again.status_code == 200
        assert not Entry.objects.exists()
    assert at_olgas.post(url, {"do": "1", "people": ODD_LIST} | shown).status_code == 302
    assert listed(season) == [("Ann", "x@example.org"), ("Bob", "y@example.org")]


def test_an_organiser_picks_the_columns_of_a_list(at_olgas, season):
    answer = do(at_olgas, season, "import", people=ODD_LIST, column_address="4", column_name="2")
    assert answer.status_code == 302, answer.content.decode()
    assert listed(season) == [("Ann", "ann@example.org"), ("Bob", "bob@example.org")]


def test_columns_can_be_picked_in_a_list_without_a_heading(at_olgas, season):
    people = "Lee,Ann,A,ann@example.org\nRoux,Zoé,B,zoe@example.org"
    chosen = {"column_address": "4", "column_name": "2", "column_last": "1", "column_division": "3"}
    assert do(at_olgas, season, "import", people=people, **chosen).status_code == 302
    assert listed(season) == [("Ann Lee", "ann@example.org"), ("Zoé Roux", "zoe@example.org")]
    assert [division.name for division in season.divisions.all()] == ["A", "B"]


def test_a_wrong_column_is_refused_line_by_line(at_olgas, season):
    answer = do(at_olgas, season, "import", people=ODD_LIST, column_address="2")
    assert answer.status_code == 400
    assert "“Ann” isn’t an email address." in unescape(answer.content.decode())
    assert do(at_olgas, season, "import", people=ODD_LIST, column_address="99").status_code == 400
    assert not Entry.objects.exists()


def test_a_name_is_corrected_and_the_player_keeps_theirs(at_olgas, season):
    Player.objects.create(address="ann@example.org", name="Ann Lee", joined_at=NOON)
    entry = season_entries.add_entry(season, "ann@example.org", name="An", now=NOON)
    assert do(at_olgas, entry, "mend", name="Ann", address="ann@example.org").status_code == 302
    assert listed(season) == [("Ann", "ann@example.org")]
    assert Player.objects.get(address="ann@example.org").name == "Ann Lee"


def test_a_corrected_address_voids_the_old_link_and_is_invited(at_olgas, client, season):
    old = season_entries.add_entry(season, "anm@example.org", name="Ann", now=NOON)
    season_entries.invite_all(season, now=NOON)
    assert do(at_olgas, old, "mend", name="Ann", address="ann@example.org").status_code == 302
    fresh = season.entries.get(typed_address="ann@example.org")
    assert fresh.state == "invited"
    deliver(LATER)
    assert [letter.address for letter in Letter.objects.filter(kind="league_invite", state="sent")] == [
        "ann@example.org"
    ]
    client.post(entry_link(old), {"enter": "1"})
    assert season.entries.get(pk=old.pk).state == "left"
    client.post(entry_link(fresh), {"enter": "1"})
    assert season.entries.get(pk=fresh.pk).state in {"entered", "waiting"}


def test_the_address_of_another_person_in_the_season_is_refused(at_olgas, season):
    season_entries.add_entry(season, "bob@example.org", name="Bob", now=NOON)
    entry = season_entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    answer = do(at_olgas, entry, "mend", name="Ann", address="bob@example.org")
    assert answer.status_code == 400
    assert season.entries.filter(state="invited").count() == 2


def test_nothing_can_be_corrected_once_the_person_has_accepted(at_olgas, season):
    entry = season_entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    season_entries.accept(entry, now=NOON)
    entry = Entry.objects.get()
    assert do(at_olgas, entry, "mend", name="Nan", address="nan@example.org").status_code == 400
    assert Entry.objects.get().player.address == "ann@example.org"


def test_a_column_number_without_end_is_no_column(at_olgas, season):
    url = reverse("admin:leagues_season_do", args=[season.pk, "import"])
    assert at_olgas.post(url, {"look": "1", "people": ODD_LIST, "column_address": "9" * 5000}).status_code == 200
    assert do(at_olgas, season, "import", people=ODD_LIST, column_address="9" * 5000).status_code == 400


def test_a_column_of_addresses_is_not_taken_for_names(at_olgas, season):
    """Names are shown to everybody, addresses to nobody."""
    answer = do(at_olgas, season, "import", people=ODD_LIST, column_address="4", column_name="3")
    assert answer.status_code == 400
    assert "“x@example.org”: An email address is no name: everyone would see it." in unescape(answer.content.decode())
    assert not Entry.objects.exists()


def test_the_export_of_a_mistyped_address_does_not_show_the_right_one(at_olgas, season):
    entry = season_entries.add_entry(season, "wrong@example.org", name="Nina", now=NOON)
    do(at_olgas, entry, "mend", name="Nina B.", address="wrong@example.org")
    do(at_olgas, entry, "mend", name="Nina", address="nina@example.org")
    assert season.events.filter(entry=entry, told__startswith="nina@example.org is on the list instead").exists()
    data = data_export.export_data(entry.player)
    assert [remark["told"] for remark in data["remarks"]] == ["Nina B.: corrected."]
    assert "nina@example.org" not in str(data)
