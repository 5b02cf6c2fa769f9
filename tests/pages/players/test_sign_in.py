"""Signing in by email: asked for, shown, pressed once; and signing out."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.signing import TimestampSigner
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from beanpost.play import clock
from beanpost.play.seats import own_seat
from beanpost.play.tickets import LetterSettingsTicket, PlayerTicket, SignInTicket, sign
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import address_moves, tasks
from beanpost.post.models import Letter, LetterRequest
from beanpost.post.outbox import requested
from tests.friends import NOON, seat_friends
from tests.pages.table import link
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db

ASK, MY_GAMES, LEAVE = "/sign-in/", "/my/", "/sign-out/"


@pytest.fixture
def ann():
    return accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)


def text(response) -> str:
    return response.content.decode()


def door(player: Player) -> str:
    return link("enter", SignInTicket(player.pk, player.visits))


def is_in(client: Client) -> bool:
    return client.get(MY_GAMES).status_code == 200


# ── asking ──


def test_the_answer_is_the_same_whether_or_not_the_address_is_known(client, ann):
    known, unknown = (text(client.post(ASK, {"address": f"{who}@example.org"})) for who in ("ann", "zoe"))
    assert known.replace("ann@", "zoe@") == unknown
    requested.answer_requests(clock.now())
    assert [(letter.recipient, letter.kind) for letter in Letter.objects.all()] == [(ann, "sign_in")]
    assert Player.objects.count() == 1


def test_a_mailbox_cannot_be_flooded(client, ann):
    answers = {client.post(ASK, {"address": ann.address}).content for _ in range(2 * requested.MAX_AN_HOUR)}
    assert len(answers) == 1
    requested.answer_requests(clock.now())
    assert Letter.objects.count() == requested.MAX_AN_HOUR


@pytest.mark.parametrize("door", [ASK, "/lost/"])
def test_a_known_and_an_unknown_address_cause_the_same_queries(client, ann, door):
    """Whether an address is known can't be told by time: the page stores it, and the worker looks it up."""
    asked = []
    client.post(door, {"address": "warm@example.org"})
    for who in ("ann", "zoe"):
        with CaptureQueriesContext(connection) as queries:
            client.post(door, {"address": f"{who}@example.org"})
        asked.append([re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries])
    assert asked[0] == asked[1]
    assert not any("players_player" in sql for sql in asked[0])
    assert not Letter.objects.exists()
    tasks.read()
    assert [letter.recipient for letter in Letter.objects.all()] == [ann]
    assert not LetterRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_senders_answer_a_request_once(client, ann):
    client.post(ASK, {"address": ann.address})
    [number] = LetterRequest.objects.values_list("pk", flat=True)
    assert [requested.answer_request(number, clock.now()) for _ in range(2)] == [True, False]
    assert Letter.objects.count() == 1


def test_an_invalid_address_is_refused(client, everything):
    before = everything()
    page = client.post(ASK, {"address": "nowhere"})
    assert page.status_code == 400
    assert "errorlist" in text(page)
    assert everything() == before


def test_the_link_in_the_letter_signs_in(client, ann):
    client.post(ASK, {"address": "Ann@Example.org"})
    deliver(clock.now())
    [address] = re.findall(r"http\S+(/enter/\S+)", Letter.objects.get().text)
    assert "Sign in as Ann?" in text(client.get(address))
    assert client.post(address).headers["Location"] == MY_GAMES
    assert "Your games, Ann" in text(client.get(MY_GAMES))


def test_a_letter_whose_link_is_outdated_is_not_sent(client, ann):
    client.post(ASK, {"address": ann.address})
    requested.answer_requests(clock.now())
    accounts.sign_in(ann, ann.visits)
    deliver(Letter.objects.get().due_at)
    assert Letter.objects.get().state == Letter.State.DROPPED


# ── the link ──


def test_opening_the_link_signs_nobody_in(client, ann, everything):
    before = everything()
    for look in (client.get, client.head):
        assert look(door(ann)).status_code == 200
    assert everything() == before
    assert "sessionid" not in client.cookies
    assert not is_in(client)


def test_a_link_works_once_and_ends_those_before_it(client, ann):
    first, second = door(ann), door(ann)
    client.post(first)
    for address in (first, second):
        for page in (Client().get(address), (stranger := Client()).post(address)):
            assert page.status_code == 410
            assert "This link has already been used" in text(page)
        assert not is_in(stranger)


def test_a_player_who_presses_twice_is_already_signed_in(client, ann):
    address = door(ann)
    for _ in range(2):
        assert client.post(address).headers["Location"] == MY_GAMES


@pytest.mark.parametrize(("minutes", "status"), [(19, 302), (21, 404)])
def test_a_link_works_for_twenty_minutes(minutes, status, client, ann):
    with time_machine.travel(NOON, tick=False):
        address = door(ann)
    with time_machine.travel(NOON + timedelta(minutes=minutes), tick=False):
        assert client.post(address).status_code == status


def test_an_expired_link_leads_to_a_new_one(client, ann):
    with time_machine.travel(NOON, tick=False):
        address = door(ann)
    with time_machine.travel(NOON + timedelta(minutes=21), tick=False):
        shown = text(client.get(address))
    assert "Sign-in links work for twenty minutes" in shown
    assert f'href="{ASK}"' in shown


def test_no_other_ticket_signs_in(client, ann):
    other = reverse("enter", args=[sign(PlayerTicket(ann.pk))])
    forged = reverse("enter", args=[TimestampSigner(key="another key").sign_object([ann.pk, 0])])
    for address in (other, forged):
        assert client.post(address).status_code == 404
        assert not is_in(client)


def test_a_post_from_another_site_signs_nobody_in(ann):
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(door(ann)).status_code == 403
    assert not is_in(stranger)


# ── the session ──


@pytest.fixture
def visitor(client, ann):
    client.post(door(ann))
    return client


def test_the_cookie_is_hidden_from_scripts_and_from_other_sites(visitor, settings):
    cookie = visitor.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert 0 < cookie["max-age"] <= timedelta(days=14).total_seconds()


def test_a_session_prepared_by_an_attacker_is_of_no_use_to_them(client, ann):
    session = client.session
    session["prepared"] = True
    session.save()
    before = session.session_key
    client.post(door(ann))
    assert client.cookies["sessionid"].value != before


def test_signing_out_ends_this_session(visitor, ann):
    elsewhere = Client()
    ann.refresh_from_db()
    elsewhere.post(door(ann))
    visitor.get(LEAVE)
    assert is_in(visitor)
    assert "You’re signed out" in text(visitor.post(LEAVE))
    assert (is_in(visitor), is_in(elsewhere)) == (False, True)


def test_an_organiser_stays_signed_in_to_the_admin(visitor, admin_user):
    visitor.force_login(admin_user)
    assert is_in(visitor)
    visitor.post(LEAVE)
    assert not is_in(visitor)
    assert visitor.get("/admin/").status_code == 200


def everywhere(visitor, ann):
    visitor.post(LEAVE, {"everywhere": "1"})


def by_letter(visitor, ann):
    letters = link("renew-all", LetterSettingsTicket(ann.pk, ann.sessions))
    assert "sign out everywhere" in text(visitor.get(letters))
    Client().post(letters)


def by_renewing_a_seat(visitor, ann):
    own_seat.renew_links(seat_friends().places.select_related("player").get(player=ann))


def by_a_new_address(visitor, ann):
    address_moves.apply_confirmed_change(ann, ann.address, "anne@beans.example", now=clock.now())


@pytest.mark.parametrize("ending", [everywhere, by_letter, by_renewing_a_seat, by_a_new_address])
def test_every_session_ends_and_no_old_link_signs_in_again(ending, visitor, ann):
    ann.refresh_from_db()
    elsewhere, unused = Client(), door(ann)
    ending(visitor, ann)
    assert not is_in(visitor)
    assert elsewhere.post(unused).status_code == 410
    assert not is_in(elsewhere)


def test_a_visitor_is_asked_to_sign_in(client):
    assert client.get(MY_GAMES).headers["Location"] == ASK
