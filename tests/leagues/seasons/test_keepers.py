"""Rounds start before a league's keeper has accepted. Until then an organiser decides in their matches."""

from html import unescape
from urllib.parse import urlencode

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from beanpost.leagues import organiser_accounts
from beanpost.leagues.mail.letters import KeeperTicket
from beanpost.leagues.models import Fixture, League
from beanpost.leagues.seasons import keepers, rounds
from beanpost.play.models import Match
from beanpost.play.tickets import redeem, sign
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.compose.letter import compose
from beanpost.post.mime import split_parts
from beanpost.post.models import Letter
from tests.friends import NOON, welcome_player
from tests.leagues.conftest import organiser, signed_in
from tests.leagues.office import LATER, NO_WEBHOOKS, do, do_url, fill_season, invent_results, page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
KIM = "kim@example.org"


@pytest.fixture
def season(league):
    """A drawn season of a league whose named keeper has not answered."""
    League.objects.update(keeper=None)
    league.refresh_from_db()
    keepers.ask_to_keep(league, KIM, now=NOON)
    season = fill_season(league, 6, size=3, rounds=2)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    return season


def settled(league) -> tuple[str, str]:
    league.refresh_from_db()
    return (league.keeper.address if league.keeper else "", league.typed_keeper)


def keeper_url(league, back="") -> str:
    return reverse("admin:leagues_league_keeper", args=[league.pk]) + (f"?{urlencode({'next': back})}" if back else "")


def link_in(letter: Letter) -> str:
    text = split_parts(compose(letter, LATER).source).text
    return next(line for line in text.split() if "/keeper/" in line).partition("//")[2].partition("/")[2]


def test_the_organiser_who_starts_a_round_is_its_keeper_until_the_named_one_accepts(at_olgas, league, season):
    olga = welcome_player("olga@example.org", "Olga")
    shown = unescape(at_olgas.get(do_url(season, "start")).content.decode())
    assert f"We’ve asked {KIM} to decide in this league’s matches, and have no answer yet." in shown
    assert "the organiser who starts a round decides in its matches" in shown
    assert do(at_olgas, season, "start").status_code == 302
    assert {match.keeper for match in Match.objects.all()} == {olga}
    invent_results(season.divisions.get().rounds.first())
    rounds.close_round(season.divisions.get().rounds.first(), now=LATER)
    assert do(at_olgas, season, "start").status_code == 302
    assert Match.objects.filter(keeper=olga).count() == 4  # in every round


def test_matches_keep_the_keeper_they_started_with_when_the_named_one_accepts(at_olgas, league, season):
    olga = welcome_player("olga@example.org", "Olga")
    do(at_olgas, season, "start")
    kim = Player.objects.get(address=KIM)
    assert keepers.accept(league, kim)
    first, second = season.divisions.get().rounds.all()
    invent_results(first)
    rounds.close_round(first, now=LATER)
    assert do(at_olgas, season, "start").status_code == 302
    assert {match.keeper for match in Match.objects.filter(fixture__round=first)} == {olga}
    assert {match.keeper for match in Match.objects.filter(fixture__round=second)} == {kim}


def test_an_organiser_without_a_player_confirms_their_address_by_the_same_button_and_comes_back(
    at_olgas, client, league, season
):
    start = do_url(season, "start")
    asked = at_olgas.get(start)
    assert (asked.status_code, asked.headers["Location"]) == (302, keeper_url(league, start))
    assert do(at_olgas, season, "start").status_code == 302
    assert not Match.objects.exists()
    assert "brings you back to the same button" in unescape(at_olgas.get(asked.headers["Location"]).content.decode())
    at_olgas.post(asked.headers["Location"], {"confirm": "1"})
    letter = Letter.objects.get(recipient__address="olga@example.org")
    confirming = "/" + link_in(letter)
    client.get(confirming)
    assert organiser_accounts.find_confirmed_player(season.league.organisers.get()) is None
    assert client.post(confirming).headers["Location"] == start
    assert settled(league) == ("", KIM)  # Kim is still asked
    assert at_olgas.get(start).status_code == 200
    assert do(at_olgas, season, "start").status_code == 302
    assert {match.keeper.address for match in Match.objects.all()} == {"olga@example.org"}


def test_the_way_back_stays_inside_the_office(at_olgas, league, season):
    at_olgas.post(keeper_url(league, "https://example.org/"), {"confirm": "1"})
    assert settled(league) == ("", "olga@example.org")  # asked as a keeper, without a way back
    address = split_parts(compose(Letter.objects.latest("pk"), LATER).source).text
    ticket = address.partition("/keeper/")[2].partition("/")[0]
    assert redeem(KeeperTicket, ticket).back == ""


def test_a_keeper_who_has_not_answered_is_shown_as_waiting_from_the_first_day(at_olgas, league, season):
    for shown in (page(at_olgas, "admin:index"), page(at_olgas, "admin:leagues_season_cockpit", season.pk)):
        assert f"We’ve asked {KIM} to decide in this league’s matches, and have no answer yet." in shown
        assert "Send again" in shown
        assert "Be the keeper yourself" in shown
        assert keeper_url(league) in shown


def test_the_named_keeper_is_asked_again_three_times_at_most(at_olgas, league, season):
    for day in range(1, 5):
        keepers.ask_again(league, now=NOON.replace(day=NOON.day + day))
    assert Letter.objects.filter(kind="keeper", recipient__address=KIM).count() == 3
    at_olgas.post(keeper_url(league), {"again": "1"})
    assert "We don’t ask this person again." in page(at_olgas, "admin:leagues_league_keeper", league.pk)


def test_an_organiser_becomes_the_keeper_with_one_press(at_olgas, league, season):
    welcome_player("olga@example.org", "Olga")
    at_olgas.post(keeper_url(league), {"self": "1"})
    assert settled(league) == ("olga@example.org", "")
    assert "Olga decides in this league’s matches." in page(at_olgas, "admin:leagues_league_keeper", league.pk)
    assert "have no answer yet" not in page(at_olgas, "admin:index")


def test_an_organiser_whose_account_is_linked_keeps_the_league_as_that_player(at_olgas, olga, league, season):
    other = welcome_player("olga@elsewhere.example", "Olga")
    organiser_accounts.link(olga, other)
    at_olgas.post(keeper_url(league), {"self": "1"})
    assert settled(league) == ("olga@elsewhere.example", "")


def test_an_organiser_without_an_address_is_asked_which_player_they_are(league, season):
    pia = organiser("pia")
    pia.email = ""
    pia.save()
    league.organisers.add(pia)
    browser = signed_in(pia)
    assert "Say which player I am" in unescape(browser.get(do_url(season, "start"), follow=True).content.decode())
    browser.post(keeper_url(league), {"self": "1"})
    assert settled(league) == ("", KIM)


def test_another_leagues_organiser_does_not_reach_the_keeper(at_ottos, other_league, league, season):
    assert at_ottos.get(keeper_url(league)).status_code == 404
    assert at_ottos.post(keeper_url(league), {"self": "1"}).status_code == 404


def test_a_round_needs_somebody_who_decides(season):
    with pytest.raises(ValidationError, match="Confirm your own address first"):
        rounds.publish(season.divisions.get().rounds.first(), now=NOON)


def new_league(**more):
    return {
        "name": "Pea League", "slug": "pea-league", "language": "en", "games": ["haricots/sprint"], "pace": "daily",
        "absence": "usual", "weekly": "never", **NO_WEBHOOKS, **more,
    }  # fmt: skip


def test_i_am_the_keeper_is_the_default_of_a_new_league(olga):
    olga.is_superuser = True
    olga.save()
    browser, add = signed_in(olga), reverse("admin:leagues_league_add")
    assert browser.get(add).context["adminform"].form.initial["keeps_it"]
    assert "I’m the keeper: I decide in this league’s matches" in unescape(browser.get(add).content.decode())
    browser.post(add, new_league(keeps_it="on"))
    league = League.objects.get()
    assert settled(league) == ("", "olga@example.org")
    player = accounts.look_up("olga@example.org")
    url = reverse("keeping", args=[sign(KeeperTicket(player.pk, player.sessions, league.pk))])
    assert "Go to the office" in browser.post(url, {"accept": "1"}).content.decode()
    assert settled(league) == ("olga@example.org", "")
    browser.post(add, new_league(keeps_it="on", name="Second", slug="second"))
    assert settled(League.objects.get(slug="second")) == ("olga@example.org", "")


def test_an_organiser_who_plays_at_a_table_they_started_still_cannot_decide_it(at_olgas, olga, league, season):
    player = Player.objects.get(address="p000@example.org")
    Player.objects.filter(pk=player.pk).update(confirmed_at=NOON)
    organiser_accounts.link(olga, player)
    assert do(at_olgas, season, "start").status_code == 302
    own = Fixture.objects.filter(chairs__sitter=player).first()
    assert own.match.keeper == player
    assert at_olgas.get(do_url(own, "annul")).status_code == 403


def test_an_address_typed_for_a_new_league_is_asked_although_the_box_is_still_ticked(olga):
    olga.is_superuser = True
    olga.save()
    signed_in(olga).post(reverse("admin:leagues_league_add"), new_league(keeps_it="on", keeper_address=KIM))
    league = League.objects.get()
    assert (league.keeper, league.typed_keeper) == (None, KIM)
