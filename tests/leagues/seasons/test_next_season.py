"""Invitations to the following season: everyone who played, and everyone who stood by unless the organiser unticks
them."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import season_records
from beanpost.leagues.seasons import next_season, rounds, substitutes
from beanpost.privacy import erasure
from beanpost.privacy.match_data import make_pseudonym
from tests.friends import NOON
from tests.leagues.office import do, fill_season, invent_results

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(league):
    """An ended season: three played, Wim and Wes were on the waiting list, Sue was a substitute, Zoe left, Ida
    never answered."""
    season = fill_season(league, 3, size=3, rounds=1)
    for name in ("Wim", "Wes"):  # entries are closed
        entries.accept(added(season, name), now=NOON)
    entries.accept(added(season, "Sue"), now=NOON, as_substitute=True)
    substitutes.withdraw(entries.accept(added(season, "Zoe"), now=NOON))
    added(season, "Ida")
    Season.objects.update(phase="ended")
    return Season.objects.get()


def added(season, name):
    return entries.add_entry(season, f"{name.lower()}@example.org", name=name, now=NOON)


def number(name):
    return Entry.objects.get(player__name=name, season__name="Autumn").pk


def asked_in(name):
    return dict(Entry.objects.filter(season__name=name).values_list("player__name", "state"))


def page(client, season, **pressed):
    """Return the page without its CSRF token, which may contain a name by chance."""
    url = reverse("admin:leagues_season_do", args=[season.pk, "next"])
    shown = client.post(url, pressed) if pressed else client.get(url)
    return shown.content.decode().replace(str(shown.context["csrf_token"]), "")


def ticks(page):
    return len(re.findall(r"<input[^>]*\schecked[\s>]", page))


def test_players_who_stood_by_are_listed_and_ticked_in_the_preview(at_olgas, season):
    shown = page(at_olgas, season)
    assert "From the waiting list: Wim and Wes." in shown
    assert "Substitutes: Sue." in shown
    assert "Wim (on the waiting list)" in shown
    assert "Sue (substitute)" in shown
    assert ticks(shown) == 3
    assert "Zoe" not in shown
    assert "Ida" not in shown


def test_players_who_stood_by_are_entered_in_the_next_season_and_can_be_invited(at_olgas, season):
    also = [number(name) for name in ("Wim", "Wes", "Sue")]
    assert do(at_olgas, season, "next", name="Winter", also=also).status_code == 302
    players = dict.fromkeys(("Player 0", "Player 1", "Player 2"), "invited")
    assert asked_in("Winter") == players | dict.fromkeys(("Wim", "Wes", "Sue"), "invited")
    fresh = Season.objects.get(name="Winter")
    newcomers = fresh.entries.filter(division=None)  # their division is found when entries close
    assert [entry.player.name for entry in newcomers.order_by("rung")] == ["Wim", "Wes", "Sue"]
    assert entries.invite_all(fresh, now=NOON) == 6


def test_unticked_players_are_neither_listed_nor_invited(at_olgas, season):
    looked = page(at_olgas, season, look="1", name="Winter", also=[number("Wes")])
    assert "From the waiting list: Wes." in looked
    assert "Substitutes: " not in looked
    assert ticks(looked) == 1
    assert 'value="Winter"' in looked
    assert do(at_olgas, season, "next", name="Winter", also=[number("Wes")]).status_code == 302
    assert set(asked_in("Winter")) == {"Player 0", "Player 1", "Player 2", "Wes"}


def test_players_who_played_are_invited_even_if_everyone_else_is_unticked(at_olgas, season):
    assert "waiting list: " not in page(at_olgas, season, look="1", name="Winter")
    assert do(at_olgas, season, "next", name="Winter").status_code == 302
    assert set(asked_in("Winter")) == {"Player 0", "Player 1", "Player 2"}


@pytest.mark.parametrize("who", ["Zoe", "Player 0", "nonsense"])
def test_only_players_who_stood_by_can_be_ticked(at_olgas, season, who):
    ticked = who if who == "nonsense" else number(who)
    assert do(at_olgas, season, "next", name="Winter", also=[ticked]).status_code == 400
    assert not Season.objects.filter(name="Winter").exists()


def test_a_season_without_stand_by_players_shows_no_tick_boxes(at_olgas, season):
    Entry.objects.filter(state__in=("waiting", "substitute")).update(state="declined")
    assert "Also add to its list" not in page(at_olgas, season)
    assert do(at_olgas, season, "next", name="Winter").status_code == 302
    assert len(asked_in("Winter")) == 3


@pytest.mark.parametrize("name", ["Wim", "Sue", "Player 0"])
def test_a_deleted_player_is_not_invited_again(at_olgas, season, name):
    entry = Entry.objects.get(player__name=name)
    erasure.erase(entry.player, now=NOON)
    assert Entry.objects.get(pk=entry.pk).state == entry.state  # their record in an ended season stays
    assert make_pseudonym(entry.player) not in page(at_olgas, season)
    fresh = next_season.plan_next_season(season, "Winter", also=substitutes.find_substitutes(season))
    assert fresh.entries.count() == 5
    assert not fresh.entries.filter(player=entry.player).exists()


@pytest.mark.parametrize("state", ["invited", "entered", "waiting", "substitute"])
def test_a_deleted_player_declines_seasons_open_for_entries(league, state):
    season = Season.objects.create(league=league, name="Winter", phase="entering", most_entries=1)
    home = season.divisions.create(name="Division 1")
    ann, bob = added(season, "Ann"), added(season, "Bob")
    Entry.objects.filter(pk=ann.pk).update(state=state, division=home)
    entries.accept(bob, now=NOON)  # Bob waits for Ann's place, if she has it
    erasure.erase(ann.player, now=NOON)
    assert dict(season.entries.values_list("pk", "state")) == {ann.pk: "declined", bob.pk: "entered"}
    assert not entries.find_people_to_invite(season).exists()
    assert season_records.compute_standings(home) == []


@pytest.mark.parametrize("state", ["entered", "substitute"])
def test_a_deleted_player_leaves_a_running_season(league, state):
    season = fill_season(league, 3, size=3, rounds=1)
    entry = season.entries.first()
    Entry.objects.filter(pk=entry.pk).update(state=state)
    erasure.erase(entry.player, now=NOON)
    assert Entry.objects.get(pk=entry.pk).state == "left"


def test_a_player_who_cannot_be_deleted_stays_in_their_seasons(league):
    season = Season.objects.create(league=league, name="Winter", phase="entering")
    entry = entries.add_entry(season, league.keeper.address, now=NOON)
    with pytest.raises(ValidationError, match="You organise a league"):
        erasure.erase(league.keeper, now=NOON)
    assert Entry.objects.get(pk=entry.pk).state == "invited"


def test_a_preview_keeps_the_typed_values(at_olgas, league):
    """Including an unticked box for the letter."""
    entry = fill_season(league, 3, size=3, rounds=1).entries.first()
    url = reverse("admin:leagues_entry_do", args=[entry.pk, "withdraw"])
    assert ticks(at_olgas.get(url).content.decode()) == 1
    looked = at_olgas.post(url, {"look": "1", "reason": "Moved away."}).content.decode()
    assert ticks(looked) == 0
    assert 'value="Moved away."' in looked


def test_ladder_players_keep_their_final_order_in_the_next_season(league):
    """Points don't matter: the ladder decides. Relegated players stand at the top of the lower division, promoted ones
    at the bottom of theirs."""
    season = fill_season(league, 8, divisions=2, size=4, rounds=1, moving=1, format="ladder")
    for division in season.divisions.all():
        rounds.draw(division, by=None, now=NOON)
        rounds.publish(division.rounds.get(), now=NOON)
        invent_results(division.rounds.get())
        for rung, entry in enumerate(division.entries.order_by("-rung")):
            Entry.objects.filter(pk=entry.pk).update(rung=rung)
    Season.objects.update(phase="ended")
    fresh = next_season.plan_next_season(Season.objects.get(), "Winter")
    ladders = [[entry.player.name[-1] for entry in home.entries.order_by("rung")] for home in fresh.divisions.all()]
    assert ladders == [["3", "2", "1", "7"], ["0", "6", "5", "4"]]


@pytest.mark.parametrize("name", ["Autumn", "Spring"])
def test_a_name_already_used_in_the_league_is_refused_with_a_sentence(at_olgas, season, name):
    do(at_olgas, season, "next", name="Spring")
    assert "This league already has a season with that name." in page(at_olgas, season, do="1", reason="", name=name)
    assert Season.objects.count() == 2


def test_the_season_after_a_cancelled_one_is_not_cancelled(at_olgas, season):
    Season.objects.update(cancelled_at=NOON, ends_on=NOON.date(), annulled="replay", size=5)
    assert do(at_olgas, Season.objects.get(), "next", name="Winter").status_code == 302
    fresh = Season.objects.get(name="Winter")
    assert (fresh.phase, fresh.cancelled_at, fresh.seed, fresh.ends_on) == ("planned", None, "", None)
    assert (fresh.league_id, fresh.annulled, fresh.size) == (season.league_id, "replay", 5)
