"""One list names lost letters, people who can't be reached and silent people, with what to do about each."""

from html import unescape

import pytest
from django.urls import reverse

from beanpost.leagues import organiser_accounts
from beanpost.leagues.mail import letters
from beanpost.leagues.models import Entry, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import rounds
from beanpost.play.models import Match, Place, Wait
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import LATER, do_url, fill_season, start_round
from tests.post.gallery import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]


@pytest.fixture
def season(league):
    return start_round(fill_season(league, 3, size=3, rounds=2))


def page(client, season):
    answer = client.get(reverse("admin:leagues_season_follow_up", args=[season.pk]))
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def opens(client, url):
    return client.get(url).status_code == 200


def test_a_lost_invitation_can_be_sent_again(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    entry = season_entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    season_entries.invite_all(season, now=NOON)
    assert "Ann hasn’t answered the invitation yet." in page(at_olgas, season)
    deliver(NOON)
    Letter.objects.update(fate="bounced")
    shown = page(at_olgas, season)
    assert "The invitation to Ann couldn’t be delivered." in shown
    assert "hasn’t answered" not in shown  # the letter is lost, so Ann is not silent
    assert do_url(entry, "invite") in shown
    assert opens(at_olgas, do_url(entry, "invite"))


def test_silent_people_are_reminded_once_and_then_only_withdrawn(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    entry = season_entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    season_entries.invite_all(season, now=NOON)
    assert do_url(season, "remind") in page(at_olgas, season)
    season_entries.remind_all(season, now=LATER)
    shown = page(at_olgas, season)
    assert "We won’t write again." in shown
    assert do_url(season, "remind") not in shown
    assert do_url(entry, "withdraw") in shown


def test_lost_news_and_bouncing_addresses_are_listed(at_olgas, season):
    letters.send_weekly(season, now=NOON)
    deliver(NOON)
    Letter.objects.filter(kind="weekly", recipient__name="Player 1").update(state="failed")
    Player.objects.filter(name="Player 2").update(unreached_at=NOON)
    shown = page(at_olgas, season)
    assert f"The weekly letter of {NOON:%-d %B} couldn’t be delivered to Player 1." in shown
    assert do_url(season, "write-again") in shown
    assert "Letters to Player 2 are bouncing." in shown
    assert "Find a substitute" in shown  # nobody is on the season's list yet


def test_players_who_do_not_come_to_their_table_are_listed(at_olgas, season):
    Player.objects.filter(name="Player 1").update(name="Ann Lee")
    Place.objects.filter(player__name="Ann Lee").update(name="Ann L.")
    shown = page(at_olgas, season)
    assert shown.count("hasn’t answered the invitation to") == 3
    assert "Ann Lee hasn’t" in shown  # organisers see whole names
    assert do_url(season.divisions.get().rounds.first(), "begin") in shown


def test_players_who_keep_a_table_waiting_are_listed(at_olgas, league, season):
    league.weekly = "never"
    league.save()
    rounds.begin_tables(season.divisions.get().rounds.first(), now=NOON)
    season_entries.accept(season_entries.add_entry(season, "sue@example.org", now=NOON), now=NOON)
    assert "is waiting for" not in page(at_olgas, season)
    assert "Every letter has arrived, as far as we know" in page(at_olgas, season)
    wait = Wait.objects.exclude(due_at=None).first()
    Wait.objects.filter(pk=wait.pk).update(remind_at=None)
    shown = page(at_olgas, season)
    table = Match.objects.get().fixture
    assert f"{table} is waiting for Player" in shown
    for name in ("remind", "extend", "bot", "substitute"):
        assert do_url(table, name) in shown
    assert f"is waiting for {wait.match.places.get(seat=wait.seat).player.name}." in shown


def test_failed_letters_of_an_organisers_own_table_are_not_shown(at_olgas, olga, season):
    deliver(NOON)
    Letter.objects.filter(kind="invitation", recipient__name="Player 0").update(state="failed")
    sentence = "A letter to Player 0 couldn’t be delivered: Invitation"
    assert sentence in page(at_olgas, season)
    organiser_accounts.link(olga, Player.objects.get(name="Player 1"))
    assert sentence not in page(at_olgas, season)


def test_unanswered_people_of_a_closed_season_are_left_alone(at_olgas, season):
    Entry.objects.create(season=season, player=Player.objects.get(name="Kim"), invited_at=NOON)
    assert "hasn’t answered the invitation yet" not in page(at_olgas, season)


def test_other_organisers_do_not_see_the_list(at_ottos, season):
    assert at_ottos.get(reverse("admin:leagues_season_follow_up", args=[season.pk])).status_code == 404
