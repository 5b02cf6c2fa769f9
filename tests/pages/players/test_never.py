"""“Never write to this address again”: which links do it, and how to undo it."""

import re

import pytest
from django.test import Client

from beanpost.pages import sessions
from beanpost.play import clock
from beanpost.play.seats import own_seat
from beanpost.play.tickets import NeverTicket, SeatTicket, SilenceTicket, UndoSilenceTicket
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import requested
from tests.friends import seat_friends, welcome_player
from tests.pages.table import link
from tests.post.gallery import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]


def text(response) -> str:
    return response.content.decode()


@pytest.fixture
def ann():
    """A player who is in no match."""
    return welcome_player("ann@example.org", "Ann")


@pytest.fixture
def bob():
    """A player whom a match waits for."""
    seat_friends()
    return Player.objects.get(name="Bob")


def never_link(player: Player) -> str:
    return link("never", NeverTicket(player.pk, player.sessions))


def silence_link(player: Player) -> str:
    return link("silence", SilenceTicket(player.pk, player.sessions))


def is_silent(player: Player) -> bool:
    player.refresh_from_db()
    return player.unwanted_at is not None


def test_a_player_in_no_match_confirms_and_is_unsubscribed_at_once(client, ann):
    assert "Never write to this address again?" in text(client.get(never_link(ann)))
    assert not is_silent(ann)
    assert "We won’t write to you again" in text(client.post(never_link(ann)))
    assert is_silent(ann)


def test_a_press_by_mistake_is_undone_on_the_same_page(client, ann):
    page = text(client.post(never_link(ann)))
    undo = re.search(r'action="(/never/undo/[^"]+)"', page)[1]
    assert "We won’t write to you again" in text(client.get(undo))
    assert is_silent(ann)
    assert "We’ll write to you again" in text(client.post(undo, {"undo": "1"}))
    assert not is_silent(ann)


def test_the_undo_link_unsubscribes_nobody(client, bob):
    """Otherwise a stranger with an old letter could keep one until its reader is in a match."""
    undo = link("undo-silence", UndoSilenceTicket(bob.pk, bob.sessions))
    client.post(undo)
    assert not is_silent(bob)
    assert client.post(undo.replace("/never/undo/", "/never/yes/")).status_code == 404
    assert not is_silent(bob)


@pytest.mark.parametrize("posted", [{}, {"List-Unsubscribe": "One-Click"}])
def test_a_player_in_a_match_is_not_unsubscribed_by_a_link_but_asked_by_letter(client, bob, posted):
    for _ in range(3):
        assert "Nothing has changed so far." in text(client.post(never_link(bob), posted))
    assert not is_silent(bob)
    assert Letter.objects.filter(kind="never", recipient=bob).count() == 1  # once a day


@pytest.mark.parametrize(
    "void", [accounts.sign_out_everywhere, lambda player: own_seat.renew_links(player.places.get())]
)
def test_a_forwarded_letter_unsubscribes_nobody_once_its_links_are_renewed(client, bob, void):
    links = never_link(bob), silence_link(bob)
    void(bob)
    for address in links:
        for page in (client.get(address), client.post(address)):
            assert page.status_code == 410
    assert not is_silent(bob)
    assert not Letter.objects.filter(kind="never").exists()


def test_the_letter_that_asks_unsubscribes_and_undoes_it(client, bob):
    client.post(never_link(bob))
    deliver(clock.now())
    letter = Letter.objects.get(kind="never")
    assert silence_link(bob).partition(":")[0] in letter.text
    assert "Never write to this address again?" in text(client.get(silence_link(bob)))
    assert not is_silent(bob)
    client.post(silence_link(bob))
    assert is_silent(bob)
    assert "Undo" in text(client.get(silence_link(bob)))
    client.post(silence_link(bob), {"undo": "1"})
    assert not is_silent(bob)


def test_the_undo_link_is_void_after_signing_out_everywhere_but_a_new_sign_in_undoes_it(client, bob):
    address = silence_link(bob)
    client.post(address)
    accounts.sign_out_everywhere(bob)
    assert client.post(address, {"undo": "1"}).status_code == 410
    assert is_silent(bob)
    client.post("/sign-in/", {"address": bob.address})
    requested.answer_requests(clock.now())
    assert Letter.objects.filter(kind="sign_in", recipient=bob).exists()


def test_a_signed_in_player_undoes_it_on_my_games(client, bob):
    sign_in(client, bob)
    accounts.refuse_letters(bob, now=clock.now())
    assert "Write to me again" in text(client.get("/my/"))
    assert client.get("/my/write-again/").status_code == 302
    assert is_silent(bob)
    client.post("/my/write-again/")
    assert not is_silent(bob)
    assert "Write to me again" not in text(client.get("/my/"))


def test_another_player_cannot_undo_it(client, bob):
    accounts.refuse_letters(bob, now=clock.now())
    assert client.post("/my/write-again/").status_code == 302
    page = text(client.get(never_link(bob)))
    assert "We won’t write to you again" in page
    assert 'name="undo"' not in page
    for address in (never_link(bob), link("never", NeverTicket(bob.pk, bob.sessions))):
        client.post(address, {"undo": "1"})
    assert is_silent(bob)


def test_muting_reminders_stays_immediate(bob):
    place = bob.places.get()
    address = link("unsubscribe", SeatTicket(place.match_id, place.seat, place.occupant))
    Client(enforce_csrf_checks=True).post(address, {"List-Unsubscribe": "One-Click"})
    place.refresh_from_db()
    assert not place.wants_reminders


def sign_in(client, player: Player) -> None:
    session = client.session
    session[sessions.VISIT_KEY] = [player.pk, player.sessions]
    session.save()
