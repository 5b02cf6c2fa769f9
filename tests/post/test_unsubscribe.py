"""Unsubscribing with one click, or by email: there are fewer letters, and every seat is kept."""

import smtplib
from datetime import timedelta
from email import message_from_bytes
from urllib.parse import urlsplit

import pytest
from django.db import connections
from django.test import Client

from beanpost.play.models import Match
from beanpost.play.seats import joining, own_seat
from beanpost.play.tickets import AddressTicket, sign
from beanpost.play.timekeeping import reminders
from beanpost.players import accounts
from beanpost.post import preferences
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import addresses, queue
from beanpost.post.outbox.addresses import UNSUBSCRIBE, NoSuchAddress
from beanpost.post.receive import inbox, mail_server
from beanpost.post.unsubscribe import find_page_name
from tests.friends import NOON, gather
from tests.post.answering import with_replies
from tests.post.gallery import deliver, write_every_kind
from tests.post.postbox import free_port

MAIL = b"From: bob@example.org\r\nSubject: unsubscribe\r\n\r\nplay 9\r\n"


@pytest.fixture
def turn(match):
    with with_replies():
        deliver()
        yield Letter.objects.get(kind="turn")


def place(letter):
    return letter.match.places.get(player=letter.recipient)


@pytest.mark.django_db
def test_an_email_to_the_unsubscribe_address_ends_reminders_and_keeps_the_seat(turn):
    length = turn.match.length
    for _ in range(2):
        assert inbox.receive(MAIL, addresses.build_address(UNSUBSCRIBE, turn.pk).upper(), sender="x@y.z", now=NOON)
    assert not place(turn).wants_reminders
    assert (place(turn).stand_in, place(turn).resigned_at) == (False, None)
    turn.match.refresh_from_db()
    assert (turn.match.length, Reply.objects.count()) == (length, 0)  # its text is not read
    reminders.remind_players(NOON + timedelta(hours=23))
    assert not Letter.objects.filter(kind="reminder").exists()


@pytest.mark.django_db
def test_a_bounce_to_the_unsubscribe_address_is_ignored(turn):
    assert not inbox.receive(MAIL, addresses.build_address(UNSUBSCRIBE, turn.pk), sender="<>", now=NOON)
    assert place(turn).wants_reminders


@pytest.mark.django_db
def test_a_letter_whose_links_were_renewed_unsubscribes_from_nothing(turn):
    own_seat.renew_links(place(turn))
    assert not inbox.receive(MAIL, addresses.build_address(UNSUBSCRIBE, turn.pk), sender="x@y.z", now=NOON)
    assert place(turn).wants_reminders


@pytest.mark.django_db
def test_an_address_for_one_purpose_does_not_serve_another(turn):
    token = addresses.build_address("turn", turn.pk).partition("+")[2]
    for forged in (f"u+{token}", f"nobody+{token}", f"u+aaaa@{token.partition('@')[2]}", "u+"):
        with pytest.raises(NoSuchAddress):
            inbox.receive(MAIL, forged, sender="x@y.z", now=NOON)
    assert place(turn).wants_reminders


@pytest.mark.django_db(transaction=True)
def test_our_own_server_accepts_unsubscribe_emails(turn, monkeypatch):
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # its thread keeps no connection open
    port = free_port()
    with (
        mail_server.open_listeners([f"smtp://127.0.0.1:{port}"], lambda: NOON),
        smtplib.SMTP("127.0.0.1", port) as line,
    ):
        line.sendmail("bob@example.org", [addresses.build_address(UNSUBSCRIBE, turn.pk)], MAIL)
    assert not place(turn).wants_reminders


# ── the effect of one click in each letter ──


def head(letter):
    return message_from_bytes(bytes(letter.source))


def click(letter):
    """Post the one-click form, as mail programs do."""
    address = head(letter)["List-Unsubscribe"].partition(">")[0].removeprefix("<")
    assert head(letter)["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    page = Client(enforce_csrf_checks=True).post(urlsplit(address).path, {"List-Unsubscribe": "One-Click"})
    assert page.status_code == 200


def write(letter):
    """Send the unsubscribe email, as other mail programs do."""
    to = head(letter)["List-Unsubscribe"].partition("<mailto:")[2].removesuffix(">")
    inbox.receive(MAIL, to, sender="x@y.z", now=NOON)


def sent(kind, **about):
    with with_replies():
        deliver()
        return Letter.objects.filter(kind=kind, state="sent", **about).latest("pk")


def seats(player):
    return list(player.places.values_list("match", "stand_in", "resigned_at"))


@pytest.mark.parametrize("unsubscribe", [click, write])
@pytest.mark.django_db
def test_a_player_who_unsubscribes_from_the_daily_letter_is_only_reminded_and_keeps_every_seat(match, unsubscribe):
    player = match.places.get(seat=1).player
    preferences.change(player, {"how_often": "daily"}, now=NOON)
    queue.queue(player, "digest", "day/1", now=NOON)
    before = seats(player)
    with with_replies():
        for _ in range(2):
            unsubscribe(sent("digest"))
    player.refresh_from_db()
    assert (player.how_often, player.digest_at, player.unwanted_at, seats(player)) == ("reminders", None, None, before)


@pytest.mark.django_db
def test_a_setting_changed_since_the_letter_is_kept(match):
    player = match.places.get(seat=1).player
    queue.queue(player, "digest", "day/1", now=NOON)
    click(sent("digest"))
    player.refresh_from_db()
    assert player.how_often == "every"


@pytest.mark.parametrize("unsubscribe", [click, write])
@pytest.mark.django_db
def test_an_invited_stranger_who_unsubscribes_is_never_written_to_again(unsubscribe):
    gather()
    with with_replies():
        letter = sent("invitation", recipient__name="Bob")
        unsubscribe(letter)
    letter.recipient.refresh_from_db()
    assert letter.recipient.unwanted_at


@pytest.mark.parametrize("unsubscribe", [click, write])
@pytest.mark.django_db
def test_a_keeper_without_a_seat_who_unsubscribes_is_never_written_to_again(match, unsubscribe):
    keeper = accounts.get_or_create_player("kim@example.org", name="Kim", now=NOON)
    note = match.notes.create(seat=1, seq=match.length, text="Beans.", said_at=NOON)
    Match.objects.filter(pk=match.pk).update(keeper=keeper, phase=Match.Phase.ENDED)
    queue.queue(keeper, "reported", "note/1", {"note": note.pk}, now=NOON, match=match)
    with with_replies():
        unsubscribe(sent("reported"))
    keeper.refresh_from_db()
    assert keeper.unwanted_at


@pytest.mark.django_db
def test_an_email_to_the_unsubscribe_address_asks_a_known_player_by_letter(match):
    """Every copy of the letter contains that address, and “I forwarded this by mistake” does not end it."""
    player = match.places.get(seat=1).player
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.ENDED)
    queue.queue(player, "unheard", "reply/1", {"why": "over"}, now=NOON, match=match)
    with with_replies():
        write(sent("unheard"))
    player.refresh_from_db()
    assert player.unwanted_at is None
    assert Letter.objects.filter(kind="never", recipient=player).count() == 1


@pytest.mark.django_db
def test_a_click_in_an_answer_after_the_end_ends_all_letters(match):
    player = match.places.get(seat=1).player
    Match.objects.filter(pk=match.pk).update(phase=Match.Phase.ENDED)
    queue.queue(player, "unheard", "reply/1", {"why": "over"}, now=NOON, match=match)
    with with_replies():
        click(sent("unheard"))
    player.refresh_from_db()
    assert (bool(player.unwanted_at), match.places.get(seat=1).wants_reminders) == (True, True)


@pytest.mark.django_db
def test_only_letters_that_end_reminders_name_a_seat():
    for letter in write_every_kind().values():
        ends = head(letter)["List-Unsubscribe"] or ""
        assert ("/unsubscribe/" in ends) is (find_page_name(letter) == "unsubscribe"), letter.kind


@pytest.mark.django_db
def test_a_player_in_a_match_is_asked_by_letter_first(client, match):
    gather()
    letter = sent("invitation", recipient__name="Bob")
    assert head(letter)["List-Unsubscribe-Post"] is None
    address = head(letter)["List-Unsubscribe"].strip("<>")
    page = client.post(urlsplit(address).path, {"List-Unsubscribe": "One-Click"})
    assert "Nothing has changed so far." in page.content.decode()
    with with_replies():
        assert not inbox.receive(MAIL, addresses.build_address(UNSUBSCRIBE, letter.pk), sender="x@y.z", now=NOON)
    letter.recipient.refresh_from_db()
    assert letter.recipient.unwanted_at is None
    assert set(Letter.objects.filter(kind="never").values_list("recipient__name", flat=True)) == {"Bob"}


@pytest.mark.django_db
def test_a_player_who_sat_down_after_the_invitation_is_asked_too(client):
    match = gather()
    letter = sent("invitation", recipient__name="Bob")
    joining.accept_invitation(match.places.get(player=letter.recipient), name="Bob", word="", now=NOON)
    click(letter)
    letter.recipient.refresh_from_db()
    assert letter.recipient.unwanted_at is None


@pytest.mark.django_db
def test_a_letter_to_an_unconfirmed_new_address_has_no_unsubscribe_link(match):
    player = match.places.get(seat=1).player
    ticket = sign(AddressTicket(player.pk, player.sessions, player.address, "new@beans.example"))
    queue.queue(player, "address", "address/1", {"to": "new@beans.example", "ticket": ticket}, now=NOON)
    assert head(sent("address"))["List-Unsubscribe"] is None
