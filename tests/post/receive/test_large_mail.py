"""Mail of up to 25 MB: a picture beside a move does not cost the move, and nothing that comes in fills the memory."""

import os
import re
import socket
import subprocess
import sys
from email.message import EmailMessage
from email.policy import SMTP
from itertools import product
from pathlib import Path
from random import Random
from smtplib import LMTP
from threading import Thread

import pytest
from django.conf import settings
from django.db import transaction

from beanpost.post.outbox.addresses import TURN, build_address
from beanpost.post.receive import excerpt, inbox, mail_server
from beanpost.post.reply_parser.limits import LONGEST_LINE, MAX_BYTES, MAX_LINES
from tests.friends import NOON
from tests.post.answering import DOMAIN, address, bobs_first_letter, outcome, put_in, with_replies
from tests.post.postbox import free_port

PHOTO = Random(7).randbytes(3_000_000)
CALM = 40 * 1024  # KB that the postbox may need beside what it needs to start


@pytest.fixture
def letter(db):
    with with_replies():
        yield bobs_first_letter()


def photo(kind: str = "image", *, disposition: str = "inline") -> EmailMessage:
    part = EmailMessage(policy=SMTP)
    part.set_content(PHOTO, kind, "jpeg", disposition=disposition, filename="IMG_2041.jpeg")
    return part


def text(words: str, subtype: str = "plain") -> EmailMessage:
    part = EmailMessage(policy=SMTP)
    part.set_content(words, subtype=subtype)
    return part


def mail(to: str, *parts: EmailMessage) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Message-ID"] = "bob@example.org", to, "<photo@mail.example>"
    message["Subject"] = "Re: Haricots"
    message.make_mixed()
    for part in parts:
        message.attach(part)
    return message.as_bytes()


PASS = text("Pass and draw a card\n")
SHAPES = {
    "below": (PASS, photo()),
    "above": (photo(), PASS),
    "between two": (photo(), PASS, photo(disposition="attachment")),
    "three above": (*[photo()] * 3, PASS),
    "a document": (photo("application", disposition="attachment"), PASS),
    "a long text": (attached := text("Good evening.\n" * 40_000), PASS),
    "in HTML": (photo(), text("<p>Pass and draw a card</p>", "html")),
}
attached["Content-Disposition"] = 'attachment; filename="novel.txt"'


@pytest.mark.parametrize("shape", SHAPES)
def test_a_picture_of_3_mb_does_not_cost_the_move(letter, shape):
    reply = put_in(letter, mail(address(letter), *SHAPES[shape]))
    assert outcome(reply) == "say pass"
    assert len(bytes(reply.source)) < MAX_BYTES


def test_what_comes_in_by_smtp_is_cut_in_any_pieces_as_the_whole_would_be(letter):
    some = Random(44)
    for shape, size in product(("above", "between two", "a long text"), (50, 1_000, 200_000)):
        source = mail(address(letter), *SHAPES[shape])
        source = source[:230_000] + source[-2_000:]
        stream, kept, at = excerpt.Stream(), [], 0
        sent = re.sub(rb"(?m)^\.", b"..", source) + b".\r\nQUIT\r\n"
        while at < len(sent):
            step = some.randint(1, size)
            kept.append(stream.cut(sent[at : at + step]))
            at += step
        assert b"".join(kept) == re.sub(rb"(?m)^\.", b"..", excerpt.cut(source)) + b".\r\nQUIT\r\n"
        assert stream.has_ended
        assert source != excerpt.cut(source)


def test_a_text_is_kept_although_its_signature_lists_content_type_at_the_beginning_of_a_line(letter):
    signature = (
        b"DKIM-Signature: v=1; a=rsa-sha256; d=mail.example;\r\n h=From:Date:\r\n Content-Type:MIME-Version;\r\n"
    )
    source = mail(address(letter), PASS).replace(b"Content-Type: multipart", b"X-Was: multipart")
    quotation = b"> Good evening.\r\n" * 250
    whole = signature + source.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + quotation + b"\r\nPass and draw a card\r\n"
    assert excerpt.cut(whole) == whole
    assert outcome(put_in(letter, whole)) == "say pass"


def test_a_cut_line_does_not_end_where_the_whole_one_does_not():
    stream = excerpt.Stream()
    stream.cut(b"x" * (LONGEST_LINE - 1) + b"\r" + b"y" * 100 + b"\n")
    assert stream.cut(b".\r\nMAIL FROM:<bob@example.org>\r\n")[-4:] != b".org"
    assert not stream.has_ended


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n" * 200_000,
        b"x" * 300_000,
        b"x" * 300_000 + b".\r\n",
        b"--\r\n" * 100_000,
        (b"y" * 70 + b"\r\n") * 4_000 + b"..\r\n\n.\n\r.\r",
        b"",
    ],
)
def test_only_a_dot_alone_ends_an_email(sent):
    for size in (101, 7_001, 300_000):
        stream, kept = excerpt.Stream(), b""
        for at in range(0, len(sent), size):
            kept += stream.cut(sent[at : at + size])
            assert not stream.has_ended
        for end in (b"\r", b"\n", b".", b"\r", b"\n"):
            assert not stream.has_ended
            kept += stream.cut(end)
        assert stream.has_ended
        assert kept.endswith(b"\r\n.\r\n")
        assert kept.count(b"\r\n.\r\n") == 1
        assert len(kept) <= MAX_BYTES + 20_000
        assert kept.count(b"\n") <= MAX_LINES + 5


# ── over a connection ──


@pytest.fixture
def stored(monkeypatch):
    """The emails that the server of this test stores."""
    kept = []

    def store(self, envelope):
        kept.append(bytes(envelope.original_content))
        return mail_server.TAKEN

    monkeypatch.setattr(mail_server.MailHandler, "store", store)
    return kept


@pytest.fixture
def port():
    with with_replies(), mail_server.open_listeners([f"lmtp://127.0.0.1:{(number := free_port())}"], lambda: NOON):
        yield number


def call(port) -> LMTP:
    caller = LMTP("127.0.0.1", port)
    caller.ehlo("mail.example")
    return caller


def announce(caller) -> tuple[int, bytes]:
    """Announce an email up to DATA, and return the answer."""
    caller.mail("bob@example.org")
    caller.rcpt(build_address(TURN, 41))
    return caller.docmd("DATA")


@pytest.mark.django_db
def test_a_picture_of_3_mb_comes_in_over_a_connection(letter, port, stored):
    with call(port) as caller:
        for shape in (SHAPES["above"], SHAPES["below"]):
            caller.sendmail("bob@example.org", [address(letter)], mail(address(letter), *shape))
    assert len(stored) == 2
    for source in stored:
        assert len(source) < MAX_BYTES
        with transaction.atomic():
            assert outcome(put_in(letter, source)) == "say pass"
            transaction.set_rollback(True)


def test_an_email_of_25_mb_is_taken_and_a_larger_one_refused(port, stored):
    line = b"y" * 998 + b"\r\n"
    with call(port) as caller:
        assert caller.esmtp_features["size"] == str(inbox.MAX_EMAIL_BYTES) == str(25 * 1024 * 1024)
        announce(caller)
        caller.send(line * (inbox.MAX_EMAIL_BYTES // 1_000) + b".\r\n")
        assert caller.getreply()[0] == 250
        announce(caller)
        caller.send(line * (inbox.MAX_EMAIL_BYTES // 1_000 + 1) + b".\r\n")
        assert caller.getreply()[0] == 552
        assert caller.noop()[0] == 250
    assert len(stored) == 1


def test_four_emails_come_in_at_once_and_a_fifth_is_put_off(port, stored):
    callers = [call(port) for _ in range(6)]
    assert [announce(caller)[0] for caller in callers] == [354] * 4 + [452] * 2
    callers[0].send(b"Subject: Re\r\n\r\npass\r\n.\r\n")
    assert callers[0].getreply()[0] == 250
    assert callers[4].docmd("DATA")[0] == 354  # the same envelope: nothing was lost
    assert callers[5].docmd("DATA")[0] == 452
    callers[1].close()  # in the middle of its email
    assert any(callers[5].docmd("DATA")[0] == 354 for _ in range(200))
    for caller in callers:
        caller.close()


def flood(port: int, pieces: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line, line.makefile("rb") as answers:
        commands = (
            f"LHLO mail.example\r\nMAIL FROM:<bob@example.org>\r\nRCPT TO:<{build_address(TURN, 41)}>\r\nDATA\r\n"
        )
        line.sendall(commands.encode())
        while not answers.readline().startswith(b"354"):
            pass
        for _ in range(25 * 1024 * 1024 // len(pieces)):
            line.sendall(pieces)
        line.sendall(b"\r\n.\r\n")
        assert answers.readline()[:3] in (b"250", b"451", b"550", b"552")


@pytest.mark.own_process
def test_four_emails_of_25_mb_at_once_take_little_memory(tmp_path):
    port = free_port()
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "beanpost.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "BEANPOST_VAR": str(tmp_path),
        "INBOUND_DOMAIN": DOMAIN,
        "POSTBOX": f"lmtp://127.0.0.1:{port}",
    }
    command = [sys.executable, "-m", "django", "postbox", "--for-serve"]
    pipe = subprocess.PIPE
    with with_replies(), subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe) as postbox:
        assert b"is open" in postbox.stdout.readline()
        before = most_memory(postbox.pid)
        for pieces in (b"\r\n" * 50_000, b"x" * 100_000, b"--x\r\n\r\n" * 12_500, b"x\r\n" * 30_000):
            callers = [Thread(target=flood, args=(port, pieces)) for _ in range(4)]
            for caller in callers:
                caller.start()
            for caller in callers:
                caller.join()
        grown = most_memory(postbox.pid) - before
        postbox.stdin.close()
    print(f"The postbox grew by {grown} KB.")
    assert grown < CALM


def most_memory(pid: int) -> int:
    """Return the most memory that a process has held, in KB."""
    return int(re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())[1])
