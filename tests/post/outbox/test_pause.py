"""The relay refuses everything: the outbox pauses, blames nobody and gives the lost time back."""

from datetime import timedelta
from smtplib import SMTPAuthenticationError, SMTPDataError, SMTPRecipientsRefused, SMTPSenderRefused

import pytest
from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused
from django.urls import reverse

from beanpost.play import clock
from beanpost.play.models import Outage
from beanpost.play.timekeeping import sweep
from beanpost.players.models import Player
from beanpost.post.deliver import sending, verdicts
from beanpost.post.models import Letter, OutboxPause
from beanpost.post.outbox import claims, pause, queue
from tests.friends import NOON, seat_friends, welcome_player

pytestmark = pytest.mark.django_db
REFUSAL = "550 5.7.1 Our IP is listed"
A_MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
SENT, RETRY, FAILED = Letter.State.SENT, Letter.State.RETRY, Letter.State.FAILED


def send(now=NOON) -> int:
    return sending.deliver(lambda: now)


def letter_to(name: str) -> Letter:
    """Return the only letter of a new match. Bob is asked there."""
    letters = seat_friends(now=NOON).letters.all()
    letters.exclude(recipient__name=name, kind__in=("turn", "started")).delete()
    return letters.get()


@pytest.fixture
def two_letters():
    """A letter each to two people of two matches, the first about a question."""
    return [letter_to("Bob"), letter_to("Ann")]


def rcpt(code: int, text: str) -> SMTPRecipientsRefused:
    return SMTPRecipientsRefused({"bob@example.org": (code, text.encode())})


def api(status: int) -> AnymailAPIError:
    return AnymailAPIError("no", status_code=status)


@pytest.mark.parametrize(
    ("error", "of_recipient", "of_relay"),
    [
        (rcpt(550, "No such user"), True, False),
        (rcpt(550, "5.1.1 No such user"), True, False),
        (rcpt(552, "5.2.2 Mailbox full"), True, False),
        (rcpt(554, "5.7.1 Relay access denied"), False, True),
        (rcpt(550, "5.1.8 Sender rejected"), False, True),
        (rcpt(451, "4.7.1 Greylisted"), False, False),
        (SMTPDataError(550, b"5.7.1 Looks like spam"), False, True),
        (SMTPDataError(554, b"Transaction failed"), False, True),
        (SMTPDataError(550, b"5.1.1 No such user"), True, False),
        (SMTPDataError(452, b"4.3.1 Full"), False, False),
        (SMTPSenderRefused(550, b"5.4.5 Daily quota exceeded", "post@beans.example"), False, True),
        (SMTPAuthenticationError(535, b"5.7.8 Bad password"), False, True),
        (AnymailRecipientsRefused(), True, False),
        (api(401), False, True),
        (api(422), False, True),
        (api(429), False, False),
        (api(503), False, False),
        (ConnectionRefusedError(), False, False),
    ],
)
def test_a_refusal_is_the_recipients_the_relays_or_temporary(error, of_recipient, of_relay):
    assert (verdicts.is_of_recipient(error), verdicts.is_of_relay(error)) == (of_recipient, of_relay)


def test_a_relays_refusal_is_retried_and_blames_nobody(postbox):
    match = seat_friends(now=NOON)
    Letter.objects.filter(kind="invitation").delete()
    before = match.waits.get().due_at
    postbox.answer = lambda envelope: REFUSAL
    send()
    assert set(Letter.objects.values_list("state", "error", "fate")) == {(RETRY, "SMTPDataError 550 5.7.1", "")}
    assert not Player.objects.exclude(unreached_at=None).exists()
    assert match.waits.get().due_at == before
    assert pause.find_pause() is None  # the letters are all of one match
    postbox.answer = lambda envelope: None
    assert send(NOON + A_MINUTE) == 3
    assert not OutboxPause.objects.exists()


def test_a_full_mailbox_at_rcpt_is_soft(postbox, monkeypatch):
    letter = letter_to("Bob")

    def refuse(letter, sender, server):
        raise rcpt(552, "5.2.2 Mailbox full")

    monkeypatch.setattr(sending, "send", refuse)
    before = letter.match.waits.get().due_at
    send()
    letter = Letter.objects.get()
    assert (letter.state, letter.fate, letter.recipient.unreached_at) == (FAILED, "rejected", None)
    assert letter.match.waits.get().due_at == before + DAY


def test_two_letters_of_two_matches_to_two_people_pause_the_outbox(two_letters, postbox, caplog):
    third = letter_to("Cleo")
    tried = []
    postbox.answer = lambda envelope: tried.extend(envelope.rcpt_tos) or REFUSAL
    send()
    assert len(set(tried)) == len(tried) == 2
    assert pause.find_pause().began_at == NOON
    assert "The mail server refuses all letters: SMTPDataError 550 5.7.1." in caplog.text
    third.refresh_from_db()
    assert (third.state, third.attempts, third.due_at) == (RETRY, 0, NOON)
    for minutes in (1, 2, 4):
        assert send(NOON + minutes * A_MINUTE) == 0
    assert len(tried) == 2
    send(NOON + pause.BETWEEN_TRIES)
    assert (len(tried), len(set(tried))) == (3, 3)  # with another letter
    send(NOON + pause.BETWEEN_TRIES)
    assert len(tried) == 3
    postbox.answer = lambda envelope: None
    assert send(NOON + 2 * pause.BETWEEN_TRIES) == 3  # all of them, at the first success
    assert set(Letter.objects.values_list("state", flat=True)) == {SENT}
    assert not OutboxPause.objects.exists()
    assert list(Outage.objects.values_list("began_at", "ended_at")) == [(NOON, NOON + 2 * pause.BETWEEN_TRIES)]


def test_tries_during_a_pause_use_up_no_letters_attempts(two_letters, postbox):
    postbox.answer = lambda envelope: REFUSAL
    for n in range(3 * claims.MAX_ATTEMPTS):
        send(NOON + n * pause.BETWEEN_TRIES)
    assert set(Letter.objects.values_list("state", flat=True)) == {RETRY}
    assert max(Letter.objects.values_list("attempts", flat=True)) <= 1


def test_clocks_get_the_time_of_a_pause_back(two_letters, postbox):
    wait = two_letters[0].match.waits.get()
    excuses = wait.match.places.get(seat=wait.seat).excuses
    sweep.sweep(NOON)
    postbox.answer = lambda envelope: REFUSAL
    until = wait.due_at + timedelta(hours=1)
    now = NOON
    while now < until:
        send(now)
        sweep.sweep(now)
        now += pause.BETWEEN_TRIES
    wait.refresh_from_db()
    assert wait.due_at > until
    postbox.answer = lambda envelope: None
    send(now)
    wait.refresh_from_db()
    lost = now - NOON
    sweep.sweep(wait.due_at)
    wait.refresh_from_db()
    assert wait.due_at >= NOON + lost + timedelta(hours=1)
    assert wait.match.places.get(seat=wait.seat).excuses == excuses


@pytest.mark.parametrize("first", [True, False])
def test_one_note_that_trips_a_filter_pauses_nothing(postbox, first):
    """It stands in the letters of one match. Others are accepted, before or after."""
    spam, others = seat_friends(now=NOON), seat_friends(now=NOON)
    Letter.objects.filter(kind="invitation").delete()
    if not first:
        Letter.objects.filter(match=spam).update(due_at=NOON + A_MINUTE)
    postbox.answer = lambda envelope: REFUSAL if spam.code.encode() in envelope.original_content else None
    send()
    send(NOON + A_MINUTE)
    assert pause.find_pause() is None
    assert set(others.letters.values_list("state", flat=True)) == {SENT}
    assert set(spam.letters.values_list("state", flat=True)) == {RETRY}


@pytest.mark.parametrize("other", ["another error", "accepted in between", "the same person", "no match"])
def test_refusals_that_are_not_alike_pause_nothing(two_letters, other):
    one, two = two_letters
    assert not pause.note_refusal(one, "SMTPDataError 550 5.7.1", NOON)
    if other == "accepted in between":
        pause.note_accepted(NOON)
    if other == "the same person":
        two.recipient = one.recipient
    if other == "no match":
        two.match = None
    error = "SMTPDataError 554 5.7.1" if other == "another error" else "SMTPDataError 550 5.7.1"
    assert not pause.note_refusal(two, error, NOON)
    assert pause.find_pause() is None


def test_only_one_sender_tries_a_letter(two_letters):
    for letter in two_letters:
        pause.note_refusal(letter, "SMTPDataError 550 5.7.1", NOON)
    at = NOON + pause.BETWEEN_TRIES
    assert (pause.begin_try(at), pause.begin_try(at)) == (True, False)


def test_a_letter_to_somebody_new_is_tried_first_in_a_pause(two_letters, postbox):
    tried = []
    postbox.answer = lambda envelope: tried.extend(envelope.rcpt_tos) or REFUSAL
    send()
    queue.queue(welcome_player("hal@example.org", "Hal"), "settings", "k", now=NOON + A_MINUTE)
    send(NOON + pause.BETWEEN_TRIES)
    assert tried[-1] == "hal@example.org"


def test_two_people_whose_servers_refuse_us_pause_a_quiet_site_until_the_next_reminder(postbox):
    """Nobody moves, but Bob is reminded, pause or not. Afterwards the two refusals begin no pause again."""
    refused, tried = [letter_to("Ann"), letter_to("Cleo")], []
    sweep.sweep(NOON)

    def refuse_two(envelope):
        [name] = envelope.rcpt_tos
        tried.append(name.partition("@")[0])
        return None if tried[-1] == "bob" else REFUSAL

    postbox.answer = refuse_two
    for n in range(4):
        send(NOON + n * pause.BETWEEN_TRIES)
        assert pause.find_pause()
    assert tried == ["ann", "cleo", "ann", "cleo", "ann"]  # they take turns
    at = refused[0].match.waits.get().remind_at
    assert at - NOON < DAY
    sweep.sweep(at)
    send(at)
    assert "bob" in tried
    for minutes in (0, 1, 2):
        send(at + minutes * A_MINUTE)
        assert pause.find_pause() is None
    assert {Letter.objects.get(pk=letter.pk).state for letter in refused} == {RETRY}


def test_a_letter_that_was_refused_before_counts_beside_a_new_one(two_letters):
    old, new = two_letters
    old.error = "SMTPDataError 550 5.7.1"
    assert not pause.note_refusal(old, old.error, NOON)
    assert not pause.note_refusal(new, old.error, NOON)
    assert pause.note_refusal(old, old.error, NOON)


def test_the_host_is_told_of_a_pause(client, admin_client, two_letters):
    sweep.sweep(clock.now())
    Letter.objects.update(state=SENT)
    assert "ok   The mail server refuses no letters.\n" in client.get(reverse("readyz")).text
    for letter in two_letters:
        pause.note_refusal(letter, "SMTPDataError 550 5.7.1", clock.now())
    page = client.get(reverse("readyz"))
    assert page.status_code == 503
    assert "BAD  The mail server has refused all letters for less than a minute: SMTPDataError 550 5.7.1." in page.text
    assert "beanpost_letters_paused 1.0" in client.get(reverse("metrics")).text
    assert "has refused all letters" in admin_client.get(reverse("watching")).text
    assert (
        "The mail server refuses all letters: SMTPDataError 550 5.7.1." in admin_client.get(reverse("admin:index")).text
    )
