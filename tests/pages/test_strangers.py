"""Strangers: nobody can use us to write to many people who never asked for it."""

from datetime import timedelta

import pytest
from django.urls import reverse

from beanpost.leagues.models import Season
from beanpost.leagues.people import entries
from beanpost.pages import letter_requests
from beanpost.play import clock
from beanpost.players import accounts, confirming
from beanpost.players.models import Player
from beanpost.post.models import Letter, VisitorHour
from beanpost.post.outbox import unconfirmed
from beanpost.privacy import storage_limits
from tests.browser import Browser
from tests.friends import NOON, gather
from tests.leagues.office import found_league, list_needs
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db

PLAN = {
    "name": "You owe us money",
    "game": "haricots/sprint",
    "seats": "3",
    "pace": "daily",
    "guests": "bob@example.org cleo@example.org",
    "bots": "0",
}


@pytest.fixture(autouse=True)
def _noon(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOON)


def ask_to_open(client, n, **headers):
    typed = PLAN | {"address": f"stranger{n}@example.org"}
    return client.post(reverse("open"), typed, **headers)


def test_one_visitor_reaches_few_strangers_by_opening_matches(client):
    answers = [ask_to_open(client, n).status_code for n in range(30)]
    assert answers == [200] * letter_requests.MAX_STRANGERS + [429] * (30 - letter_requests.MAX_STRANGERS)
    assert Letter.objects.count() == letter_requests.MAX_STRANGERS
    assert Player.objects.count() == letter_requests.MAX_STRANGERS  # other addresses are not stored either


def test_the_refusal_is_a_sentence_and_another_browser_does_not_help(client):
    for n in range(letter_requests.MAX_STRANGERS):
        ask_to_open(client, n)
    page = ask_to_open(Browser(), 99).content.decode()
    assert "You’ve asked for many letters in the last hour." in page


def test_the_limit_counts_per_visitor_and_per_hour(client, monkeypatch):
    for n in range(letter_requests.MAX_STRANGERS):
        ask_to_open(client, n)
    assert ask_to_open(client, 50, REMOTE_ADDR="192.0.2.7").status_code == 200
    assert ask_to_open(client, 51).status_code == 429
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(hours=1))
    assert ask_to_open(client, 52).status_code == 200


def test_an_ipv6_household_is_one_visitor(client):
    answers = {ask_to_open(client, n, REMOTE_ADDR=f"2001:db8::{n:x}").status_code for n in range(1, 20)}
    assert answers == {200, 429}


@pytest.mark.parametrize("network", ["192.0.2.{}", "2001:db8:1:{}::1"])
def test_a_larger_network_has_a_daily_limit(client, network, monkeypatch):
    monkeypatch.setattr(letter_requests, "MAX_OF_A_NETWORK", 3)
    answers = [ask_to_open(client, n, REMOTE_ADDR=network.format(n)) for n in range(1, 6)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert "We’ve written to many new addresses today." in answers[-1].text
    assert ask_to_open(client, 6, REMOTE_ADDR="198.51.100.1").status_code == 200
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(hours=1))
    assert ask_to_open(client, 7, REMOTE_ADDR=network.format(7)).status_code == 429
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=1))
    assert ask_to_open(client, 7, REMOTE_ADDR=network.format(7)).status_code == 200


def test_joining_and_entering_a_season_count_towards_the_limit(client):
    match = gather()
    match.open_to_all = True
    match.save()
    match.places.filter(seat=2).delete()
    league = found_league()
    league.sign_up = True
    league.save()
    Season.objects.create(league=league, name="Autumn", phase=Season.Phase.ENTERING)
    before = Player.objects.count()
    for n in range(letter_requests.MAX_STRANGERS - 2):
        ask_to_open(client, n)
    joining, entering = reverse("join", args=[match.code]), reverse("league", args=[league.slug])
    typed = {"name": "Zoe", "address": "zoe@example.org"}
    assert client.post(joining, typed).status_code == 200
    assert client.post(entering, typed | {"address": "yan@example.org"}).status_code == 200
    for address in (joining, entering):
        assert client.post(address, typed | {"address": "xen@example.org"}).status_code == 429
    assert Player.objects.count() == before + letter_requests.MAX_STRANGERS


@pytest.mark.parametrize("door", ["sign-in", "lost"])
def test_pages_that_write_only_to_players_answer_alike_for_every_address(door, client):
    accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    answers = {}
    for address in ("ann@example.org", "nobody@example.org"):
        VisitorHour.objects.all().delete()
        answers[address] = [client.post(reverse(door), {"address": address}).status_code for _ in range(32)]
    assert answers["ann@example.org"] == answers["nobody@example.org"] == [200] * letter_requests.MAX_KNOWN + [429, 429]


def test_only_a_fingerprint_of_a_visitor_is_kept_for_a_day(client):
    ask_to_open(client, 1, REMOTE_ADDR="192.0.2.7")
    assert VisitorHour.objects.exists()
    assert not any("192.0.2" in str(vars(kept)) for kept in VisitorHour.objects.all())
    storage_limits.delete_old_data(NOON + timedelta(hours=23))
    assert VisitorHour.objects.exists()
    storage_limits.delete_old_data(NOON + timedelta(hours=25))
    assert not VisitorHour.objects.exists()


# ── the limit of the whole site ──


@pytest.fixture
def _low_limit(settings):
    settings.UNCONFIRMED_LETTERS_A_DAY = 3


@pytest.fixture
def season():
    season = Season.objects.create(league=found_league(), name="Autumn")
    for n in range(5):
        entries.add_entry(season, f"p{n}@example.org", name=f"Person {n}", now=NOON)
    return season


def sent() -> int:
    return Letter.objects.filter(kind="league_invite", state=Letter.State.SENT).count()


@pytest.mark.usefixtures("_low_limit")
def test_invitations_above_the_cap_wait_in_the_outbox_and_go_a_day_later(season):
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    assert sent() == 3
    waiting = Letter.objects.filter(state=Letter.State.QUEUED)
    assert {letter.due_at for letter in waiting} == {NOON + timedelta(days=1)}
    deliver(NOON + timedelta(hours=23))
    assert sent() == 3
    deliver(NOON + timedelta(days=1, minutes=1))
    assert sent() == 5


@pytest.mark.usefixtures("_low_limit")
def test_an_address_that_answers_makes_room_for_another(season):
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    first = Letter.objects.filter(state=Letter.State.SENT).first().recipient
    unconfirmed.confirm_player(first, now=NOON)
    assert unconfirmed.find_free_time(NOON, requested=False) is None


@pytest.mark.usefixtures("_low_limit")
def test_players_who_have_answered_before_are_written_to_despite_the_cap(season):
    for n in range(3):
        confirming.count_letter(f"x{n}@example.org", n + 1000, now=NOON, is_retry=False)
    Player.objects.update(confirmed_at=NOON)
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    assert sent() == 5


@pytest.mark.usefixtures("_low_limit")
def test_the_admin_says_until_when_letters_wait(season, admin_user, client):
    assert not [what for what in list_needs(admin_user) if "new addresses" in what]
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    client.force_login(admin_user, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("admin:index")).content.decode()
    assert "We’ve written to 3 new addresses in the last day" in page
    assert "5 invitations of the last day may wait until Tue 17 Nov, 12:00 (UTC)" in page


@pytest.mark.usefixtures("_low_limit")
def test_an_organiser_sees_only_their_own_leagues_waiting_invitations(season, django_user_model):
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    olga, otto = (django_user_model.objects.create_user(name, is_staff=True) for name in ("olga", "otto"))
    season.league.organisers.add(olga)
    [waiting] = [what for what in list_needs(olga) if "addresses" in what]
    assert waiting.startswith("5 invitations of the last day may wait until")
    assert list_needs(otto) == []


@pytest.mark.usefixtures("_low_limit")
def test_strangers_cannot_use_up_the_limit_for_invitations(client, season):
    for n in range(5):
        ask_to_open(client, n)
    deliver(NOON)
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    assert sent() == 3


@pytest.mark.usefixtures("_low_limit")
def test_invitations_do_not_use_up_the_limit_for_strangers(client, season):
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    assert sent() == 3
    assert ask_to_open(client, 1).status_code == 200
    deliver(NOON)
    assert Letter.objects.get(kind="open").state == Letter.State.SENT


@pytest.mark.usefixtures("_low_limit")
def test_the_admin_says_that_strangers_have_reached_their_limit(client, admin_user):
    for n in range(3):
        ask_to_open(client, n)
    deliver(NOON)
    [item] = [what for what in list_needs(admin_user) if "addresses" in what]
    assert item.startswith("Strangers have had us write to 3 new addresses in the last day")


@pytest.mark.usefixtures("_low_limit")
def test_a_visitor_is_told_that_the_site_has_written_to_enough_new_addresses(client):
    for n in range(3):
        ask_to_open(client, n)
    deliver(NOON)
    answers = [ask_to_open(client, 9), client.post(reverse("open"), PLAN | {"address": "stranger0@example.org"})]
    assert [answer.status_code for answer in answers] == [429, 429]  # the same for a known and an unknown address
    assert "We’ve written to many new addresses today." in answers[0].content.decode()
    assert not Player.objects.filter(address="stranger9@example.org").exists()


def test_a_site_without_a_cap_holds_no_letter_back(season, settings):
    settings.UNCONFIRMED_LETTERS_A_DAY = 0
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    assert sent() == 5


# ── names typed by others ──


@pytest.mark.parametrize("kind", ["open", "sign_in", "lost"])
def test_a_letter_to_an_unknown_address_does_not_repeat_the_typed_name(kind, client):
    ask_to_open(client, 1)
    door = {"open": None, "sign_in": "sign-in", "lost": "lost"}[kind]
    if door:
        Letter.objects.all().delete()
        client.post(reverse(door), {"address": "stranger1@example.org"})
    deliver(NOON)
    letter = Letter.objects.get(kind=kind)
    assert letter.state == Letter.State.SENT
    assert "You owe us money" not in letter.subject + letter.text + letter.html


def test_an_invitation_to_a_season_does_not_repeat_a_typed_name():
    season = Season.objects.create(league=found_league(), name="Autumn")
    entries.add_entry(season, "ann@example.org", name="You owe us money", now=NOON)
    entries.invite_all(season, now=NOON)
    deliver(NOON)
    letter = Letter.objects.get(kind="league_invite")
    assert "Would you like to play in Bean League, Autumn?" in letter.text
    assert "You owe us money" not in letter.subject + letter.text + letter.html


def test_a_player_who_has_answered_is_greeted_by_name(client):
    ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    unconfirmed.confirm_player(ann, now=NOON)
    client.post(reverse("sign-in"), {"address": ann.address})
    deliver(NOON)
    assert "Sign in, Ann" in Letter.objects.get(kind="sign_in").text
