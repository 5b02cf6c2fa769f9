"""Bounce reports as many servers write them: in tests/post/returns, each with its expected outcome.
The first line of a sample gives it: the fate noted on the letter, whether the failure is temporary, and whether the
report contains the letter. Names and hosts are invented.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from smtplib import LMTP
from time import process_time

import pytest
from django.conf import settings
from django.db import connections, transaction
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.compose import headers
from beanpost.post.deliver import reports
from beanpost.post.models import Fate, Letter, Reply, Report
from beanpost.post.outbox import addresses, queue
from beanpost.post.outbox.addresses import RETURN
from beanpost.post.receive import inbox, mail_server, replies, returned_mail
from beanpost.post.reply_parser import automatic_replies, bounce_phrases, bounces
from beanpost.post.reply_parser.mail import parse_message
from tests.friends import NOON
from tests.post.answering import BOB, address, bobs_first_letter, haricots, newest, with_replies
from tests.post.gallery import deliver
from tests.post.postbox import free_port

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
SAMPLES = Path(__file__).parents[1] / "returns"
SYSTEMS = [
    "qmail", "gmx", "1and1", "yahoo", "zoho", "workmail", "google-workspace", "exchange-2003", "notes", "postfix",
    "exim", "sendmail",
]  # fmt: skip


def samples(name: str) -> list[str]:
    return (SAMPLES / f"{name}.txt").read_text(encoding="utf-8").split("=====\n")


EVERY = [
    pytest.param(sample, id=f"{path.stem}-{number}")
    for path in sorted(SAMPLES.glob("*.txt"))
    for number, sample in enumerate(samples(path.stem), start=1)
]


@pytest.fixture
def letter():
    with with_replies():
        yield bobs_first_letter()


def filled_in(sample: str, letter: Letter) -> bytes:
    head = f"""\
From: Beanpost <post@beans.example>
To: bob@example.org
Subject: Haricots with Ann and Cleo
Message-ID: {headers.make_message_id(letter)}
Reply-To: {address(letter)}"""
    text = sample.replace("@LETTER@", head).replace("@MESSAGE-ID@", headers.make_message_id(letter))
    return text.replace("@RETURN@", addresses.build_address(RETURN, letter.pk)).encode()


def come_back(letter: Letter, source: bytes, sender: str = "<>", now: datetime = NOON) -> None:
    inbox.receive(source, addresses.build_address(RETURN, letter.pk), sender=sender, now=now)
    replies.read_waiting(lambda: now)
    reports.process_reports(lambda: now)
    letter.refresh_from_db()


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything done within, so that one match serves many emails."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def bob() -> Player:
    return Player.objects.get(name="Bob")


def test_there_are_three_samples_of_every_system_and_delays_of_the_main_ones():
    assert {name: len(samples(name)) for name in SYSTEMS if len(samples(name)) < 3} == {}
    assert len(samples("delays")) >= len(SYSTEMS)


@pytest.mark.parametrize("sample", EVERY)
def test_every_sample_is_read_as_expected(letter, sample):
    must, _, mail = sample.removeprefix("X-Must: ").partition("\n")
    come_back(letter, filled_in(mail, letter))
    if must in ("away", "automatic"):
        assert [reply.finding for reply in Reply.objects.all()] == [must]
        assert not Report.objects.exists()
        return
    report = Report.objects.get()
    finding = report.kind
    if finding == "bounced":
        finding += (" soft" if report.soft else " hard") + (" proven" if report.proven else " unproven")
    assert finding == must
    assert (letter.fate, [reply.finding for reply in Reply.objects.all()]) == (report.kind, ["report"])


def test_most_samples_are_recognised_without_the_envelope_sender(letter):
    """A provider does not always pass it on. Only a sample without any word of failure needs it."""
    unknown = []
    for sample in (sample.values[0] for sample in EVERY if "X-Must: bounced" in sample.values[0]):
        with undone():
            come_back(letter, filled_in(sample.replace("Return-Path: <>\n", ""), letter), sender="")
            unknown += [] if letter.fate == "bounced" else [sample]
    assert ["onbekend" in sample for sample in unknown] == [True]


# ── proof of a bounce ──


def test_a_bounce_that_contains_the_letter_marks_the_player_unreachable_and_stops_the_clock(letter):
    due = letter.match.waits.get().due_at
    come_back(letter, filled_in(samples("qmail")[0].partition("\n")[2], letter))
    assert (letter.fate, letter.returned_at, bob().unreached_at) == ("bounced", NOON, NOON)
    assert letter.match.waits.get().due_at == due + DAY


FORGED = """\
From: MAILER-DAEMON@mx.example.org
Message-ID: <forged@mail.example>
In-Reply-To: @MESSAGE-ID@
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; bob@example.org
Action: failed
Status: 5.1.1

--b
Content-Type: message/rfc822

Return-Path: <@RETURN@>
Message-ID: <guessed@beans.example>
Reply-To: turn+aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@in.beans.example
Subject: Haricots with Ann and Cleo

--b--
"""


def test_a_bounce_forged_from_the_return_path_alone_marks_only_the_letter(letter):
    due = letter.match.waits.get().due_at
    come_back(letter, filled_in(FORGED, letter))
    assert (letter.fate, letter.returned_at, bob().unreached_at) == ("bounced", NOON, None)
    assert letter.match.waits.get().due_at == due
    assert Report.objects.get().proven is False


def test_another_letters_token_proves_nothing(letter):
    other = Letter.objects.exclude(pk=letter.pk).filter(state=Letter.State.SENT).latest("pk")
    come_back(letter, filled_in(samples("qmail")[0].partition("\n")[2], other))
    assert (letter.fate, bob().unreached_at) == ("bounced", None)


def test_a_proven_bounce_counts_once_even_after_a_forged_one(letter):
    due = letter.match.waits.get().due_at
    come_back(letter, filled_in(FORGED, letter))
    for number in range(2):
        proven = FORGED.replace("guessed@beans.example", headers.make_message_id(letter).strip("<>"))
        come_back(letter, filled_in(proven.replace("<forged", f"<true{number}"), letter))
    assert bob().unreached_at == NOON
    assert letter.match.waits.get().due_at == due + DAY


def test_a_flood_of_forged_bounces_is_cut_off_and_a_proven_one_still_counts(letter):
    for number in range(inbox.MAX_OF_A_SENDER):
        come_back(letter, filled_in(FORGED.replace("<forged", f"<forged{number}"), letter))
    with pytest.raises(inbox.TooManyForNow):
        come_back(letter, filled_in(FORGED, letter))
    assert Report.objects.count() == inbox.MAX_OF_A_SENDER
    come_back(letter, filled_in(samples("postfix")[0].partition("\n")[2], letter), now=NOON + inbox.AN_HOUR)
    assert bob().unreached_at == NOON + inbox.AN_HOUR


def test_a_forged_delivery_report_does_not_mark_the_player_reachable(letter):
    come_back(letter, filled_in(samples("qmail")[0].partition("\n")[2], letter))
    Letter.objects.update(sent_at=NOON + DAY)
    come_back(letter, filled_in(FORGED.replace("Action: failed", "Action: delivered"), letter))
    assert bob().unreached_at == NOON


# ── hard and soft ──


def full(letter: Letter) -> bytes:
    return filled_in(samples("workmail")[2].partition("\n")[2], letter)


def test_a_full_mailbox_stops_the_clock_and_marks_the_player_unreachable_only_when_repeated(letter):
    due = letter.match.waits.get().due_at
    come_back(letter, full(letter))
    assert (letter.fate, bob().unreached_at) == ("bounced", None)
    assert letter.match.waits.get().due_at == due + DAY
    for n, hours in ((1, 11), (2, 12)):
        queue.queue(bob(), "settings", f"settings/{n}", now=NOON)
        deliver()
        another, now = Letter.objects.get(key=f"settings/{n}"), NOON + timedelta(hours=hours)
        come_back(another, full(another), now=now)
        assert bob().unreached_at == (now if n == 2 else None)


def test_a_hard_bounce_after_a_soft_one_marks_the_player_unreachable_without_a_second_day(letter):
    due = letter.match.waits.get().due_at
    come_back(letter, full(letter))
    come_back(letter, filled_in(samples("qmail")[0].partition("\n")[2], letter))
    assert bob().unreached_at == NOON
    assert letter.match.waits.get().due_at == due + DAY


# ── complaints ──

TYPES = ["abuse", "fraud", "other", "virus", "opt-out"]
FIELDS = "Feedback-Type: {kind}\nUser-Agent: FeedbackLoop/1.0\nVersion: 1\nOriginal-Mail-From: <@RETURN@>\n"


def feedback(kind: str, *, top: str, original: str, encoding: str = "") -> str:
    fields = FIELDS.format(kind=kind)
    if encoding:
        fields = b64encode(fields.replace("@RETURN@", "back@in.beans.example").encode()).decode() + "\n"
    return f"""\
From: Feedback Loop <fbl@provider.example>
Message-ID: <{kind}.{len(top)}.{len(original)}@provider.example>
Subject: FW: Haricots with Ann and Cleo
Content-Type: {top}; boundary="arf"

--arf
Content-Type: text/plain

This is an email abuse report for an email message received from IP 192.0.2.1 on Mon, 16 Nov 2026 12:00:00 +0000.

--arf
Content-Type: message/feedback-report
{encoding}
{fields}
--arf
Content-Type: {original}

@LETTER@

It is your turn.
--arf--
"""


TOPS = ["multipart/report; report-type=feedback-report", 'multipart/report; report-type="feedback-report"']
BASE64 = "Content-Transfer-Encoding: base64\n"
COMPLAINTS = [
    *(feedback(kind, top=top, original="message/rfc822") for kind in TYPES for top in TOPS),
    *(feedback(kind, top="multipart/mixed", original="text/rfc822-headers") for kind in TYPES),
    feedback("Abuse", top="multipart/report; Report-Type=Feedback-Report", original="message/rfc822-headers"),
    feedback("abuse", top="multipart/mixed", original="message/rfc822", encoding=BASE64),
    feedback("abuse", top=TOPS[0], original="text/plain").replace("Feedback-Type: abuse\n", ""),
    feedback("abuse", top=TOPS[0], original="text/rfc822-headers").replace("Subject: FW", "Subject: Undeliverable"),
    feedback("abuse", top="multipart/mixed", original="message/rfc822")
    .replace("Subject: FW: Haricots", "Subject: complaint about message from 192.0.2.1")
    .replace("message/feedback-report", "text/plain"),
]


def test_there_are_twenty_complaints():
    assert len(COMPLAINTS) == 20


def test_a_complaint_by_mail_about_a_player_in_a_match_only_asks_them_by_letter(letter):
    for sample, sender in product(COMPLAINTS, ("<>", "fbl@provider.example", "")):
        with undone():
            come_back(letter, filled_in(sample, letter), sender=sender)
            assert (letter.fate, bob().unwanted_at) == ("complained", None), sample
            assert not letter.match.places.get(seat=BOB).stand_in
            assert Letter.objects.filter(kind="never", recipient=bob()).count() == 1


def test_forged_complaints_ask_a_player_once_a_day_at_most(letter):
    for number, sample in enumerate(COMPLAINTS):
        come_back(letter, filled_in(numbered(sample, number), letter), sender=f"fbl{number}@provider.example")
    assert Letter.objects.filter(kind="never", recipient=bob()).count() == 1


def test_a_complaint_by_mail_only_asks_a_confirmed_player_between_matches(letter):
    Match.objects.update(phase=Match.Phase.ENDED)
    Player.objects.update(confirmed_at=NOON)
    come_back(letter, filled_in(COMPLAINTS[0], letter))
    assert (letter.fate, bob().unwanted_at) == ("complained", None)
    assert Letter.objects.filter(kind="never", recipient=bob()).count() == 1


def test_a_complaint_by_mail_from_a_stranger_in_no_match_is_final(letter):
    Match.objects.update(phase=Match.Phase.ENDED)
    Player.objects.update(confirmed_at=None)
    for sample in COMPLAINTS:
        with undone():
            come_back(letter, filled_in(sample, letter))
            assert (letter.fate, bob().unwanted_at) == ("complained", NOON), sample


def test_a_complaint_without_the_letter_is_noted_and_unsubscribes_nobody(letter):
    for sample in COMPLAINTS:
        with undone():
            forged = sample.replace("@LETTER@", "Return-Path: <@RETURN@>\nSubject: Haricots")
            come_back(letter, filled_in(forged, letter))
            assert (letter.fate, bob().unwanted_at) == ("complained", None), sample
            assert not letter.match.places.get(seat=BOB).stand_in


@pytest.mark.django_db(transaction=True)
def test_every_complaint_is_received_over_lmtp(monkeypatch):
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # its thread keeps no connection open
    port = free_port()
    with with_replies():
        letter = bobs_first_letter()
        to = addresses.build_address(RETURN, letter.pk)
        with mail_server.open_listeners([f"lmtp://127.0.0.1:{port}"], lambda: NOON), LMTP("127.0.0.1", port) as line:
            for number, sample in enumerate(COMPLAINTS):
                line.sendmail(f"fbl{number}@provider.example", [to], filled_in(numbered(sample, number), letter))
        replies.read_waiting(lambda: NOON)
    assert list(Report.objects.values_list("kind", "proven")) == [("complained", True)] * 20


def numbered(sample: str, number: int) -> str:
    return re.sub("Message-ID: <[^>]*@provider.example>", f"Message-ID: <{number}@provider.example>", sample)


@pytest.mark.urls("tests.post.receive.test_inbound")
def test_every_complaint_is_received_through_a_providers_webhook(client, letter, settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "post:a-password-nobody-guesses"}
    key = b64encode(b"post:a-password-nobody-guesses").decode()
    for number, sample in enumerate(COMPLAINTS):
        content = {
            "email_rfc822": filled_in(numbered(sample, number), letter).decode(),
            "email_rfc822_is_base64": False,
        }
        envelope = {"rcpt_to": addresses.build_address(RETURN, letter.pk), "msg_from": f"fbl{number}@provider.example"}
        body = [{"msys": {"relay_message": {"protocol": "smtp", "content": content, **envelope}}}]
        response = client.post(
            "/anymail/sparkpost/inbound/",
            json.dumps(body),
            content_type="application/json",
            headers={"authorization": f"Basic {key}"},
        )
        assert response.status_code == 200
    replies.read_waiting(clock.now)
    assert list(Report.objects.values_list("kind", "proven")) == [("complained", True)] * 20


@pytest.mark.urls("tests.post.receive.test_inbound")
@pytest.mark.parametrize(
    ("kind", "fields", "original", "becomes"),
    [
        ("message/feedback-report", "Feedback-Type: abuse\n", "message/rfc822", "complained"),
        ("message/feedback-report", "Feedback-Type: abuse\n", "text/rfc822-headers", "complained"),
        ("message/feedback-report", "Feedback-Type: not-spam\n", "message/rfc822", ""),
        ("message/delivery-status", "A: b\n\nFinal-Recipient: x\nAction: failed\n", "message/rfc822", "bounced"),
        ("message/delivery-status", "A: b\n\nFinal-Recipient: x\nAction: delayed\n", "message/rfc822", "deferred"),
    ],
)
def test_a_report_that_a_provider_has_taken_apart_is_read_and_proven(
    client, letter, settings, kind, fields, original, becomes
):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "post:a-password-nobody-guesses"}
    key = b64encode(b"post:a-password-nobody-guesses").decode()
    head = filled_in("@LETTER@\n\nIt is your turn.\n", letter)
    parts = [(kind, fields.encode()), (original, head)]
    body = {
        "FromFull": {"Email": "fbl@provider.example"},
        "ToFull": [{"Email": addresses.build_address(RETURN, letter.pk)}],
        "Subject": "FW: Haricots",
        "TextBody": "This is a report.",
        "Attachments": [
            {"ContentType": kind, "Name": f"{number}.dat", "Content": b64encode(part).decode()}
            for number, (kind, part) in enumerate(parts)
        ],
    }
    client.post(
        "/anymail/postmark/inbound/",
        json.dumps(body),
        content_type="application/json",
        headers={"authorization": f"Basic {key}"},
    )
    replies.read_waiting(clock.now)
    assert list(Report.objects.values_list("kind", "proven")) == ([(becomes, True)] if becomes else [])


def test_a_not_spam_report_is_no_complaint(letter):
    come_back(letter, filled_in(feedback("not-spam", top=TOPS[0], original="message/rfc822"), letter))
    assert (letter.fate, bob().unwanted_at) == ("", None)


def test_an_authentication_failure_report_is_noted_and_unsubscribes_nobody(letter):
    come_back(letter, filled_in(feedback("auth-failure", top=TOPS[0], original="message/rfc822"), letter))
    assert (letter.fate, bob().unwanted_at) == ("complained", None)


def test_a_complaint_to_the_reply_address_is_ignored(letter):
    """Every reader of a letter knows its reply address, so it must not unsubscribe anyone."""
    source = filled_in(COMPLAINTS[0], letter)
    inbox.receive(source, address(letter), sender="fbl@provider.example", now=NOON)
    replies.read_waiting(lambda: NOON)
    assert Reply.objects.get().finding == "automatic"
    assert bob().unwanted_at is None


# ── hostile mail ──

PLAIN = b"From: a@example.org\nContent-Type: text/plain\n\n"
TAGS = b"".join(
    tag + b"\n"
    for tag in (
        b"here is your list of failed recipients", b"the following addresses had", b"failed addresses follow:",
        b"Invalid final delivery userid:", b"Message not delivered to the following addresses", b"Your message",
        b"The following recipient(s) could not be reached", b"this is the email server at",
    )
)  # fmt: skip
HOSTILE = {
    "letters": PLAIN + TAGS + b"a" * 190_000,
    "lines of letters": PLAIN + TAGS + (b"a" * 149 + b"\n") * 1_200,
    "brackets": PLAIN + TAGS + (b"<" * 149 + b"\n") * 1_200,
    "dashes": PLAIN + b"-" * 190_000,
    "spaces": PLAIN + b"x" + b" " * 190_000,
    "lines": PLAIN + b"\n" * 100_000,
    "numbers": PLAIN + b"5." * 95_000,
    "statuses": PLAIN + b"Final-Recipient:\nAction: " * 7_500,
    "reply addresses": PLAIN + (b"turn+" + b"a" * 39 + b"@" + b"a" * 100 + b"\n") * 1_300,
    "parts": b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * 5_000,
    "parameters": b'Content-Type: message/delivery-status\n\nA: b\n\nOriginal-Recipient: x; x="' + b";\n " * 50_000,
    "subject": b"Subject: " + b"a " * 45_000 + b"\n\nx",
    "feedback": b"Content-Type: message/feedback-report\n\n" + b"Feedback-Type:" + b" " * 150_000,
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_no_email_keeps_the_report_parser_busy(source):
    begun = process_time()
    mail = parse_message(source)
    returned_mail.REPLY_ADDRESS.findall(bounces.extract_returned_text(mail))
    bounces.read(mail, "<>")
    assert process_time() - begun < 0.5


@given(
    st.lists(
        st.sampled_from(
            [
                *TAGS.splitlines(),
                b"",
                b"--x",
                b"Action: failed",
                b"Status: 4.4.7",
                b"Content-Type: message/delivery-status",
                b"Content-Type: message/feedback-report",
                b"Feedback-Type: abuse",
                b"Content-Type: multipart/report; boundary=x",
                b"Final-Recipient: rfc822; \xff@x",
                b"<a@b>: \x00",
            ]
        ),
        max_size=30,
    )
)
def test_any_lines_are_a_report_or_none(lines):
    notice = bounces.read(parse_message(b"\n".join(lines)), "<>")
    assert notice is None or notice.kind in Fate.values


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_our_own_letters_do_not_match_the_wording_of_mail_servers(language):
    with with_replies(), translation.override(language):
        match, seat = haricots()
        Player.objects.update(language=language)
        newest(match, seat)
    letters = Letter.objects.filter(state=Letter.State.SENT)
    assert letters
    for letter in letters:
        assert not bounce_phrases.is_delay(letter.subject, letter.text)
        assert not bounce_phrases.is_failure(letter.subject, letter.text)
        assert not automatic_replies.is_reply_subject(letter.subject)
