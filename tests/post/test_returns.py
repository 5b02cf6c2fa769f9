"""Letters that a mail server took and could not hand over: it says so by mail, to the address of the envelope."""

import smtplib
from datetime import timedelta

import pytest
from django.db import connections

from beanpost.players.models import Player
from beanpost.post import addresses, inbox, outbox, replying, sending, threads, tracking
from beanpost.post import postbox as own_postbox
from beanpost.post.addresses import RETURN, TURN
from beanpost.post.models import Letter, Reply, Report
from beanpost.post.reading import returns
from beanpost.post.reading.mail import parsed
from tests.friends import NOON
from tests.post.answering import nested, with_replies
from tests.post.postbox import free_port

DAY = timedelta(days=1)


def report(action: str, status: str = "5.1.1", letter: Letter | None = None) -> bytes:
    """As Postfix writes it; with the letter that came back, where one is given."""
    head = f"Message-ID: {threads.message_id(letter)}\r\n" if letter else ""
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
    inbox.receive(source, addresses.address(purpose, letter.pk), sender=sender, now=now)
    tracking.read(lambda: now)
    replying.read_waiting(lambda: now)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (report("failed"), ("bounced", False)),
        (report("failed", "4.4.7"), ("bounced", True)),  # tried for days
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
def test_a_report_says_what_became_of_a_letter(source, told):
    notice = returns.read(parsed(source))
    assert (notice and (notice.kind, notice.soft)) == told


@pytest.mark.django_db
def test_what_came_back_counts_once_and_stops_the_clock(turn):
    due = turn.match.waits.get().due_at
    for _ in range(2):
        come_back(turn, report("failed", letter=turn))
    turn.refresh_from_db()
    assert (turn.fate, turn.returned_at, bob().unreached_at) == ("bounced", NOON, NOON)
    assert turn.match.waits.get().due_at == due + DAY
    assert (Report.objects.count(), Reply.objects.count()) == (1, 0)


@pytest.mark.django_db
def test_a_letter_that_is_only_late_stops_nothing(turn):
    come_back(turn, report("delayed", "4.4.1"))
    turn.refresh_from_db()
    assert (turn.fate, bob().unreached_at) == ("deferred", None)


@pytest.mark.django_db
def test_that_a_server_takes_the_next_letter_says_little_for_a_day(turn):
    come_back(turn, report("failed", letter=turn))
    for now, reached in ((NOON + DAY / 2, False), (NOON + 2 * DAY, True)):
        outbox.queue(bob(), "settings", f"settings/{now}", now=now)
        sending.deliver(lambda now=now: now)
        assert (bob().unreached_at is None) is reached


@pytest.mark.django_db
def test_a_mailbox_that_answers_by_itself_writes_there_too(turn):
    come_back(turn, AWAY)
    assert (Reply.objects.get().finding, bob().unreached_at) == ("away", None)


@pytest.mark.django_db
def test_a_mail_in_more_envelopes_than_can_be_opened_is_left_alone_there(turn):
    come_back(turn, nested(turn, 1_500), sender="bob@example.org")
    assert (Reply.objects.get().state, Reply.objects.get().finding) == ("left", "automatic")


@pytest.mark.django_db
def test_nobody_moves_there_and_nobody_reports_where_one_answers(turn):
    length = turn.match.length
    come_back(turn, b"Subject: Re\r\n\r\npass\r\n")
    come_back(turn, report("failed"), purpose=TURN)
    turn.match.refresh_from_db()
    assert (turn.match.length, bob().unreached_at) == (length, None)
    assert {reply.state for reply in Reply.objects.all()} == {"left"}


@pytest.mark.django_db
def test_the_envelope_names_that_address_and_the_letter_does_not(turn, postbox):
    assert addresses.address(RETURN, turn.pk) in postbox.senders
    [letter] = [letter for letter in postbox.letters if letter["Reply-To"]]
    assert letter["From"] == "Beanpost <post@127.0.0.1>"


@pytest.mark.django_db
def test_a_server_that_takes_no_other_sender_gets_the_usual_one(match, postbox):
    postbox.admits = lambda sender: sender == "post@127.0.0.1"
    with with_replies():
        assert sending.deliver(lambda: NOON) == len(postbox.senders) > 1
    assert set(postbox.senders) == {"post@127.0.0.1"}
    assert not Player.objects.filter(unreached_at__isnull=False).exists()


@pytest.mark.django_db
def test_who_is_refused_under_any_sender_is_refused(match, postbox):
    postbox.admits = lambda sender: False
    with with_replies():
        assert sending.deliver(lambda: NOON) == 0
    assert Letter.objects.get(kind="turn").state == "failed"


@pytest.mark.django_db
def test_without_a_reply_domain_the_envelope_is_as_it_was(match, postbox):
    sending.deliver(lambda: NOON)
    assert set(postbox.senders) == {"post@127.0.0.1"}


@pytest.mark.django_db(transaction=True)
def test_our_own_postbox_takes_it(turn, monkeypatch):
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # its thread keeps nothing open
    port = free_port()
    with own_postbox.opened([f"smtp://127.0.0.1:{port}"], lambda: NOON), smtplib.SMTP("127.0.0.1", port) as line:
        line.sendmail("", [addresses.address(RETURN, turn.pk)], report("failed"))
    assert Report.objects.get().kind == "bounced"
