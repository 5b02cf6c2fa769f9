"""Readers of a league: who they may be, the names they see, and the sign-up page before they enter."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.forms import modelform_factory
from django.test import Client
from django.urls import reverse

from beanpost.leagues.admin.forms import LeagueForm
from beanpost.leagues.mail import contacts, letters
from beanpost.leagues.models import League, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.seasons import keepers, rounds
from beanpost.pages.leagues import readers
from beanpost.play.display import durations
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import do, fill_season, play_round
from tests.post.gallery import deliver
from tests.site.doors import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]


@pytest.fixture
def season(league):
    """A season of three people with family names, after its first round."""
    season = fill_season(league, 3, size=3, rounds=2)
    for n, name in enumerate(("Ann Lee", "Bob de Vries", "Cleo")):
        Player.objects.filter(name=f"Player {n}").update(name=name)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    round_ = season.divisions.get().rounds.first()
    rounds.publish(round_, now=NOON)
    play_round(round_)
    return Season.objects.get(pk=season.pk)


def page(client, name, *arguments, **query):
    return client.get(reverse(name, args=arguments), query)


def text(answer):
    return unescape(answer.content.decode())


def public_pages(season):
    slug, (ann, bob) = season.league.slug, Player.objects.filter(name__contains=" ").order_by("name")
    return [
        ("league", slug),
        ("season", slug, season.pk),
        ("league-player", slug, ann.pk),
        ("head-to-head", slug, ann.pk, bob.pk),
        ("league-calendar", slug),
        ("league-feed", slug),
    ]


# ── names ──


def test_public_pages_show_first_names_and_initials_unless_players_wish_otherwise(client, season):
    code = Match.objects.get().code
    shown = [text(page(client, *where)) for where in public_pages(season)]
    shown += [text(page(client, name, code)) for name in ("match", "replay", "export")]
    assert not [one for one in shown if "Lee" in one or "Vries" in one]
    assert "Ann L." in shown[1]
    assert "Bob V." in shown[1]
    assert "Cleo" in shown[1]


def test_letters_to_other_players_show_the_names_that_players_want_shown(at_olgas, season):
    letters.send_weekly(season, now=NOON)
    round_ = season.divisions.get().rounds.last()
    rounds.publish(round_, now=NOON)
    fixture = round_.fixtures.get()
    ann = fixture.chairs.get(sitter__name="Ann Lee")
    do(at_olgas, fixture, "forfeit", chair=str(ann.pk), reason="She left.", announce="on")
    deliver(NOON + timedelta(days=1))
    for kind in ("weekly", "announcement"):
        sent = Letter.objects.filter(kind=kind, state=Letter.State.SENT)
        assert any("Ann L." in letter.text for letter in sent), kind
        assert not [letter for letter in sent if "Lee" in letter.text + letter.html or "Vries" in letter.text]


def test_two_people_with_the_same_public_name_get_numbers(client, season):
    Player.objects.filter(name="Bob de Vries").update(name="Ann Lowe")
    shown = text(page(client, "season", season.league.slug, season.pk))
    assert "Ann L. (1)" in shown
    assert "Ann L. (2)" in shown
    assert "Lowe" not in shown


def test_a_player_may_show_the_whole_name_or_a_nickname(client, season):
    Player.objects.filter(name="Ann Lee").update(name_shown="whole")
    Player.objects.filter(name="Bob de Vries").update(name_shown="nickname", nickname="Beanie")
    shown = text(page(client, "season", season.league.slug, season.pk))
    assert "Ann Lee" in shown
    assert "Beanie" in shown
    assert "Bob" not in shown


def test_players_are_asked_once_how_they_want_to_be_shown(season):
    ann = Player.objects.get(name="Ann Lee")
    client = signed_in(ann)
    shown = text(page(client, "my-games"))
    assert "show you as “Ann L.”" in shown
    refused = client.post(reverse("shown-name"), {"name_shown": "nickname", "nickname": ""})
    assert "Enter a nickname, or choose another name." in text(refused)
    assert client.post(reverse("shown-name"), {"name_shown": "nickname", "nickname": "Annie"}).status_code == 302
    assert "show you as" not in text(page(client, "my-games"))
    assert Player.objects.get(pk=ann.pk).public_name == "Annie"


def test_players_without_a_league_are_not_asked(db):
    kim = Player.objects.create(address="kim@example.org", name="Kim Doe", joined_at=NOON)
    assert "show you as" not in text(page(signed_in(kim), "my-games"))


# ── readers ──


def test_an_unlisted_league_is_read_by_its_link_only(client, season):
    assert season.league.name in text(page(client, "leagues"))
    League.objects.update(visibility="unlisted")
    assert season.league.name not in text(page(client, "leagues"))
    answer = page(client, "season", season.league.slug, season.pk)
    assert answer.status_code == 200
    assert answer["X-Robots-Tag"] == "noindex"


def test_a_members_league_shows_nothing_without_its_code(client, season):
    League.objects.update(visibility="members", join_code="BEANS7")
    assert season.league.name not in text(page(client, "leagues"))
    for where in public_pages(season):
        answer = page(client, *where)
        assert answer.status_code == 403
        assert "Ann" not in text(answer)
        assert season.name not in text(answer)


def test_the_code_opens_a_members_league_in_this_browser(client, season):
    League.objects.update(visibility="members", join_code="BEANS7")
    url = reverse("league", args=[season.league.slug])
    assert "That isn’t the league’s code." in text(client.post(url, {"code": "PEAS"}))
    assert client.post(url, {"code": " beans7 "}).status_code == 200
    assert all(page(client, *where).status_code == 200 for where in public_pages(season))
    assert page(Client(), *public_pages(season)[1]).status_code == 403
    assert page(Client(), *public_pages(season)[4], code="BEANS7").status_code == 200


def test_members_and_organisers_need_no_code(at_olgas, at_ottos, season):
    League.objects.update(visibility="members", join_code="BEANS7")
    where = public_pages(season)[1]
    assert page(signed_in(Player.objects.get(name="Cleo")), *where).status_code == 200
    assert page(at_olgas, *where).status_code == 200
    assert page(at_ottos, *where).status_code == 403
    stranger = Player.objects.create(address="zoe@example.org", name="Zoe", joined_at=NOON)
    assert page(signed_in(stranger), *where).status_code == 403


def test_a_match_leads_only_readers_to_a_league_that_is_not_public(client, season):
    code, name = Match.objects.get().code, season.league.name
    assert name in text(page(client, "match", code))
    member = signed_in(Player.objects.get(name="Cleo"))
    for visibility in ("unlisted", "members"):
        League.objects.update(visibility=visibility, join_code="BEANS7")
        for door in ("match", "replay", "export"):
            shown = text(page(client, door, code))
            assert name not in shown
            assert season.league.slug not in shown
        assert name in text(page(member, "match", code))


def test_the_api_tells_of_public_leagues_only(client, season):
    slug, pk = season.league.slug, season.pk
    doors = [("api-league", slug), ("api-standings", slug, pk), ("api-fixtures", slug, pk)]
    texts = [text(page(client, *door)) for door in doors]
    assert "Ann L." in texts[1]
    assert "Ann L." in texts[2]
    assert not [one for one in texts if "Lee" in one or "Vries" in one]
    for visibility in ("unlisted", "members"):
        League.objects.update(visibility=visibility, join_code="BEANS7")
        assert slug not in text(page(client, "api-leagues"))
        assert all(page(client, *door).status_code == 404 for door in doors)


def test_a_changed_code_closes_the_league_again(client, season):
    League.objects.update(visibility="members", join_code="BEANS7")
    where = public_pages(season)[1]
    assert page(client, *where, code="BEANS7").status_code == 200
    League.objects.update(join_code="NEWBEANS")
    assert page(client, *where).status_code == 403


def test_a_visitor_cannot_try_codes_without_end(client, season):
    League.objects.update(visibility="members", join_code="BEANS7")
    url = reverse("league", args=[season.league.slug])
    tries = [client.post(url, {"code": f"PEAS{n}"}).status_code for n in range(readers.MAX_WRONG_CODES)]
    assert tries == [403] * (readers.MAX_WRONG_CODES - 1) + [429]
    refused = client.post(url, {"code": "BEANS7"})
    assert refused.status_code == 429
    assert "Too many wrong codes." in text(refused)
    member = signed_in(Player.objects.get(name="Cleo"))
    assert page(member, *public_pages(season)[1]).status_code == 200


def test_nobody_signs_up_for_a_members_league_without_its_code(client, league):
    season = open_season(league)
    League.objects.update(visibility="members", join_code="BEANS7")
    typed = {"name": "Zoe", "address": "zoe@example.org"}
    assert client.post(reverse("league", args=[league.slug]), typed).status_code == 403
    assert not season.entries.exists()


def test_a_form_without_a_visibility_keeps_the_leagues(league):
    League.objects.update(visibility="members", join_code="BEANS7")
    form = modelform_factory(League, LeagueForm, fields=("visibility", "join_code"))
    for typed in ({}, {"visibility": ""}):
        filled = form({**typed, "join_code": "abc"}, instance=League.objects.get())
        assert not filled.is_valid()
        assert filled.cleaned_data["visibility"] == "members"
        assert filled.errors["join_code"] == ["Choose a code of at least 6 characters."]


def test_a_members_calendar_and_feed_carry_the_code_because_other_programs_have_no_cookie(client, season):
    League.objects.update(visibility="members", join_code="BEANS7")
    home = text(client.get(reverse("league", args=[season.league.slug]) + "?code=BEANS7"))
    for name in ("league-calendar", "league-feed"):
        address = reverse(name, args=[season.league.slug])
        assert f'href="{address}?code=BEANS7"' in home
        assert Client().get(address).status_code == 403
        assert Client().get(f"{address}?code=BEANS7").status_code == 200


def test_links_in_letters_of_a_members_league_carry_its_code(client, league):
    League.objects.update(visibility="members", join_code="BEANS7")
    season = Season.objects.create(league=League.objects.get(), name="Spring", size=3, rounds=2)
    season_entries.add_entry(season, "ines@example.org", name="Ines", now=NOON)
    season_entries.invite_all(season, now=NOON)
    deliver(NOON)
    assert f"/league/{league.slug}/?code=BEANS7" in Letter.objects.get(kind="league_invite").text


def test_people_asked_to_run_a_members_league_can_read_it(client, league):
    League.objects.update(visibility="members", join_code="BEANS7", keeper=None)
    league.refresh_from_db()
    code = f"/league/{league.slug}/?code=BEANS7"
    keepers.ask_to_keep(league, "hal@example.org", now=NOON)
    contacts.ask_for_confirmation(league, "office@club.example", now=NOON)
    deliver(NOON)
    for kind, name in (("keeper", "keeping"), ("contact", "contacting")):
        letter = Letter.objects.get(kind=kind)
        assert code in letter.text
        asked = re.search(rf"/{reverse(name, args=['x']).split('/')[1]}/\S+", letter.text).group()
        assert code in text(client.get(asked))
        client.post(asked, {"accept": "1"})
        assert code in text(client.get(asked))
        client.post(asked, {"decline": "1"})
        assert code not in text(client.get(asked))


# ── the sign-up page ──


def open_season(league, **more):
    League.objects.update(sign_up=True, run_by="The Bean Club", contact="club@example.org")
    return Season.objects.create(league=league, name="Spring", size=3, rounds=4, phase="entering", **more)


def test_the_sign_up_page_says_what_people_enter(client, league):
    open_season(league, most_entries=5, round_days=7)
    shown = text(page(client, "league", league.slug))
    for fact in ("Haricots", "5 left", "about 28 days", "The Bean Club", "club@example.org", "Players at a table"):
        assert fact in shown
    assert "the league’s organisers, and no one else" in shown
    assert "waiting list" not in shown


@pytest.mark.parametrize(("pace", "slower"), [("daily", 1), ("weekly", 7)])
def test_without_dates_the_sign_up_page_says_the_measured_days(client, league, pace, slower):
    League.objects.update(games={"haricots": "sprint"}, pace=pace)
    league.refresh_from_db()
    season = open_season(league)
    quick, slow = (
        count * slower for count in durations.round_days(durations.find_duration("haricots", "sprint", 3)[1])
    )
    days = f"about {quick} days" if quick == slow else f"{quick} to {slow} days"
    assert f"4 rounds of {days} each" in text(page(client, "league", league.slug))
    Season.objects.filter(pk=season.pk).update(format="knock_out")
    assert f"{days} a round" in text(page(client, "league", league.slug))


def test_a_full_season_says_waiting_list_before_people_enter(client, league):
    season = open_season(league, most_entries=1)
    entry = season_entries.add_entry(season, "ann@example.org", name="Ann", now=NOON)
    season_entries.accept(entry, now=NOON)
    shown = text(page(client, "league", league.slug))
    assert "none left: you go on the waiting list" in shown
    assert "Join the waiting list" in shown
    assert ">Enter<" not in shown
