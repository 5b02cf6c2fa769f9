"""Bounces: a mail server accepted a letter, could not deliver it, and says so by email to the envelope sender."""

import smtplib
from datetime import timedelta

import pytest
from django.db import connections

from beanpost.players.models import Player
from beanpost.post.compose import headers
from beanpost.post.deliver import reports, sending
from beanpost.post.models import Letter, Reply, Report
from beanpost.post.outbox import addresses, queue
from beanpost.post.outbox.addresses import RETURN, TURN
from beanpost.post.receive import inbox, mail_server, replies
from beanpost.post.reply_parser import bounces
from beanpost.post.reply_parser.mail import parse_message
from tests.friends import NOON
from tests.post.answering import nested, with_replies
from tests.post.postbox import free_port

DAY = timedelta(days=1)


def report(action: str, status: str = "5.1.1", letter: Letter | None = None) -> bytes:
    """Write a report like Postfix, with the bounced letter if one is given."""
    head = f"Message-ID: {headers.make_message_id(letter)}\r\n" if letter else ""
    return f"""\
From: MAILER-DAEMON@mail.example (Mail Delivery System)\r
Subject: Undelivered Mail Returned to Sender\r
Auto-Submitted: auto-replied\r
Message-Id: <{action}{status}@mail.example>\r
MIME-Version: 1.0\r
Content-Type: multipart/report; report-type=delivery-status; boundary="4Xk/mail.example"\r
\r
--4Xk/mail.example\r
Content-Description: Notification\r
Content-Type: text/plain; charset=us-ascii\r
\r
This is the mail system at host mail.example. Your message could not be delivered.\r
\r
--4Xk/mail.example\r
Content-Description: Delivery report\r
Content-Type: message/delivery-status\r
\r
Reporting-MTA: dns; mail.example\r
Arrival-Date: Mon, 16 Nov 2026 12:00:00 +0000 (UTC)\r
\r
Final-Recipient: rfc822; bob@example.org\r
Original-Recipient: rfc822;bob@example.org\r
Action: {action}\r
Status: {status}\r
Diagnostic-Code: smtp; 550 5.1.1 User unknown\r
\r
--4Xk/mail.example\r
Content-Type: message/rfc822\r
\r
{head}Subject: Haricots with Ann and Cleo\r
\r
play 1\r
--4Xk/mail.example--\r
""".encode()


FOR_PEOPLE = b"X-Failed-Recipients: bob@example.org\r\nSubject: Mail delivery failed\r\n\r\nIt could not.\r\n"
AWAY = b"Auto-Submitted: auto-replied\r\nSubject: Out of office\r\n\r\nBack on Monday.\r\n"


@pytest.fixture
def turn(match, postbox):
    with with_replies():
        sending.deliver(lambda: NOON)
        yield Letter.objects.get(kind="turn")


def bob() -> Player:
    return Player.objects.get(name="Bob")


def come_back(letter: Letter, source: bytes, *, purpose: str = RETURN, sender: str = "<>", now=NOON) -> None:
    inbox.receive(source, addresses.build_address(purpose, letter.pk), sender=sender, now=now)
    replies.read_waiting(lambda: now)
    reports.process_reports(lambda: now)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (report("failed"), ("bounced", False)),
        (report("failed", "4.4.7"), ("bounced", True)),  # after days of retries
        (report("failed", "5.2.2"), ("bounced", True)),  # a full mailbox
        (report("Delayed", "4.4.1"), ("deferred", False)),
        (report("delivered", "2.0.0"), ("delivered", False)),
        (report("relayed", "2.0.0"), None),
        (FOR_PEOPLE, ("bounced", False)),
        (AWAY, None),
        (b"Content-Type: multipart/report\r\n\r\nAction: failed", ("bounced", False)),  # torn, but a report
        (b"Content-Type: message/delivery-status\r\n\r\n\xff\x00", None),
        (b"", None),
    ],
)
def test_a_report_gives_the_fate_of_a_letter(source, expected):
    notice = bounces.read(parse_message(source))
    assert (notice and (notice.kind, notice.soft)) == expected


@pytest.mark.django_db
def test_a_bounce_counts_once_and_stops_the_clock(turn):
    due = turn.match.waits.get().due_at
    for _ in range(2):
        come_back(turn, report("failed", letter=turn))
    turn.refresh_from_db()
    assert (turn.fate, turn.returned_at, bob().unreached_at) == ("bounced", NOON, NOON)
    assert turn.match.waits.get().due_at == due + DAY
    assert (Report.objects.count(), Reply.objects.get().finding) == (1, "report")


@pytest.mark.django_db
def test_a_delayed_letter_stops_no_clock(turn):
    come_back(turn, report("delayed", "4.4.1"))
    turn.refresh_from_db()
    assert (turn.fate, bob().unreached_at) == ("deferred", None)


@pytest.mark.django_db
def test_an_accepted_letter_marks_the_player_reachable_only_after_a_day(turn):
    come_back(turn, report("failed", letter=turn))
    for now, reached in ((NOON + DAY / 2, False), (NOON + 2 * DAY, True)):
        queue.queue(bob(), "settings", f"settings/{now}", now=now)
        sending.deliver(lambda now=now: now)
        assert (bob().unreached_at is None) is reached


@pytest.mark.django_db
def test_an_automatic_answer_to_the_return_address_is_noticed_too(turn):
    come_back(turn, AWAY)
    assert (Reply.objects.get().finding, bob().unreached_at) == ("away", None)


@pytest.mark.django_db
def test_an_email_nested_too_deeply_is_ignored_at_the_return_address(turn):
    come_back(turn, nested(turn, 1_500), sender="bob@example.org")
    assert (Reply.objects.get().state, Reply.objects.get().finding) == ("left", "automatic")


@pytest.mark.django_db
def test_a_move_to_the_return_address_and_a_bounce_to_the_reply_address_do_nothing(turn):
    length = turn.match.length
    come_back(turn, b"Subject: Re\r\n\r\npass\r\n")
    come_back(turn, report("failed"), purpose=TURN)
    turn.match.refresh_from_db()
    assert (turn.match.length, bob().unreached_at) == (length, None)
    assert {reply.state for reply in Reply.objects.all()} == {"left"}


@pytest.mark.django_db
def test_only_the_envelope_names_the_return_address(turn, postbox):
    assert addresses.build_address(RETURN, turn.pk) in postbox.senders
    assert {letter["From"] for letter in postbox.letters} == {"Beanpost <post@127.0.0.1>"}
    assert not any("back+" in letter["Reply-To"] for letter in postbox.letters)


@pytest.mark.django_db
def test_a_server_that_refuses_other_senders_gets_the_usual_one(match, postbox):
    postbox.admits = lambda sender: sender == "post@127.0.0.1"
    with with_replies():
        assert sending.deliver(lambda: NOON) == len(postbox.senders) > 1
    assert set(postbox.senders) == {"post@127.0.0.1"}
    assert not Player.objects.filter(unreached_at__isnull=False).exists()


@pytest.mark.django_db
def test_a_server_that_refuses_any_sender_of_ours_blames_no_player(match, postbox):
    postbox.admits = lambda sender: False
    with with_replies():
        assert sending.deliver(lambda: NOON) == 0
    assert Letter.objects.get(kind="turn").state == "retry"
    assert not Player.objects.filter(unreached_at__isnull=False).exists()


@pytest.mark.django_db
def test_the_envelope_sender_is_the_usual_one_without_a_reply_domain(match, postbox):
    sending.deliver(lambda: NOON)
    assert set(postbox.senders) == {"post@127.0.0.1"}


@pytest.mark.django_db(transaction=True)
def test_our_own_server_accepts_bounces(turn, monkeypatch):
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # its thread keeps no connection open
    port = free_port()
    with (
        mail_server.open_listeners([f"smtp://127.0.0.1:{port}"], lambda: NOON),
        smtplib.SMTP("127.0.0.1", port) as line,
    ):
        line.sendmail("", [addresses.build_address(RETURN, turn.pk)], report("failed"))
    replies.read_waiting(lambda: NOON)
    assert Report.objects.get().kind == "bounced"
