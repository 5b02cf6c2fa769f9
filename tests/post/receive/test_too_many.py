"""More mail than a letter can use: nothing is dropped without telling the sender or the host."""

from email import message_from_bytes
from types import SimpleNamespace

import pytest
import time_machine
from aiosmtpd.smtp import Envelope

from beanpost.post import metrics
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox.addresses import RETURN, build_address
from beanpost.post.receive import inbox, mail_server, replies
from tests.post.answering import LATER, address, bobs_first_letter, mail, outcome, with_replies

pytestmark = pytest.mark.django_db


@pytest.fixture
def letter():
    with with_replies():
        yield bobs_first_letter()


def come(letter, text, *, sender="", now=LATER, to="", **options):
    return inbox.receive(mail(letter, text), to or address(letter), sender=sender, now=now, **options)


def fill(letter, many=inbox.MAX_AN_HOUR, now=LATER):
    """Send this many emails to a letter, none of them with a move."""
    for number in range(many):
        come(letter, f"Good luck {number} at {now}", now=now, may_wait=True)


def test_an_hours_mail_is_limited_and_the_rest_is_to_come_again(letter):
    fill(letter)
    with pytest.raises(inbox.TooManyForNow):
        come(letter, "pass")
    assert come(letter, "pass", now=LATER + inbox.AN_HOUR)


def test_one_sender_leaves_room_for_others(letter):
    for number in range(inbox.MAX_OF_A_SENDER):
        come(letter, f"Good luck {number}", sender="junk@example.org")
    with pytest.raises(inbox.TooManyForNow):
        come(letter, "more", sender="Junk@example.org")
    assert come(letter, "pass", sender="bob@example.org")


def test_mail_to_the_return_address_leaves_room_for_replies(letter):
    for number in range(inbox.MAX_AN_HOUR):
        come(letter, f"Good luck {number}", to=build_address(RETURN, letter.pk))
    assert come(letter, "pass")


def test_mail_that_we_have_is_accepted_again_whatever_the_limits(letter):
    fill(letter)
    assert come(letter, f"Good luck 0 at {LATER}") is False


def test_mail_beyond_the_total_is_refused_counted_and_told_to_the_host(letter):
    fill(letter, inbox.MAX_EMAILS, now=LATER - 2 * inbox.AN_HOUR)
    for number in range(2):
        with pytest.raises(inbox.TooMany):
            come(letter, f"more {number}")
    assert Reply.objects.count() == inbox.MAX_EMAILS
    sign = next(sign for sign in metrics.collect_signs(LATER) if sign.name == "replies_refused")
    assert (sign.value, sign.is_well) == (2, True)
    assert sign.text == (
        "Replies refused because their letters had got too many: 2. Letters concerned: 1. The log has their numbers."
    )


def by_provider(letter, text):
    inbox.receive_from_provider(SimpleNamespace(message=message_from_bytes(mail(letter, text))))


def test_what_a_provider_brings_too_often_is_read_an_hour_later(letter):
    fill(letter)
    with time_machine.travel(LATER, tick=False):
        by_provider(letter, "pass")
    replies.read_waiting(lambda: LATER)
    reply = Reply.objects.latest("pk")
    assert (reply.state, reply.due_at) == (Reply.State.WAITING, LATER + inbox.AN_HOUR)
    oldest = next(sign for sign in metrics.collect_signs(LATER) if sign.name == "replies_oldest_seconds")
    assert (oldest.value, oldest.is_well) == (0, True)
    replies.read_waiting(lambda: LATER + inbox.AN_HOUR)
    reply.refresh_from_db()
    assert outcome(reply) == "say pass"


def test_what_a_provider_brings_beyond_the_total_is_refused_and_counted(letter):
    fill(letter, inbox.MAX_EMAILS, now=LATER - 2 * inbox.AN_HOUR)
    with time_machine.travel(LATER, tick=False):
        by_provider(letter, "pass")
    assert Reply.objects.count() == inbox.MAX_EMAILS
    assert Letter.objects.get(pk=letter.pk).refused_replies == 1


def test_our_server_answers_452_and_552(letter, monkeypatch):
    monkeypatch.setattr(mail_server, "close_old_connections", lambda: None)  # the test is in a transaction
    envelope, handler = Envelope(), mail_server.MailHandler(lambda: LATER)
    envelope.mail_from, envelope.rcpt_tos = "bob@example.org", [address(letter)]
    envelope.original_content = mail(letter, "pass")
    fill(letter)
    assert handler.store_or_defer(envelope).startswith("452 ")
    fill(letter, inbox.MAX_EMAILS - inbox.MAX_AN_HOUR, now=LATER - 2 * inbox.AN_HOUR)
    assert handler.store_or_defer(envelope).startswith("552 ")
    Reply.objects.all().delete()
    assert handler.store_or_defer(envelope) == mail_server.TAKEN
