"""One email must not stop the site: hostile email is cut to size before it is parsed, and given up in the end."""

import pytest
from django.db import OperationalError, connection

from beanpost.post import metrics
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox.addresses import RETURN, TURN
from beanpost.post.outbox.addresses import build_address as our_address
from beanpost.post.receive import child_process, inbox, replies
from beanpost.post.reply_parser import limits, lines
from beanpost.post.reply_parser.mail import get_message_id, parse_headers, parse_mail
from tests.post.answering import (
    BOB,
    LATER,
    address,
    bobs_first_letter,
    mail,
    outcome,
    processor_seconds,
    put_in,
    with_replies,
)

MAX_SECONDS = 1.0  # of processor time, for one email: house and child together, twice what they need


def nested(depth: int) -> bytes:
    return b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))


IN_ONE_PART = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n"
READABLE = {
    "150,000 semicolons": b'Content-Type: text/plain; x="' + b";" * 150_000 + b"\n\npass\n",
    "150,000 semicolons in a part": IN_ONE_PART + b'Content-Type: text/plain; x="' + b";" * 150_000 + b"\n\npass\n",
    "folded semicolons": b"Content-Type: text/plain" + b";\n x=1" * 5_000 + b"\n\npass\n",
    "a disposition of semicolons": b"Content-Disposition: inline" + b"; x" * 50_000 + b"\n\npass\n",
    "comments in comments": b"Cc: " + b"(" * 500 + b"\n\npass\n",
    "many addresses": b"Cc: " + b"a@b," * 6_000 + b"\n\npass\n",
    "many headers": b"X-A: b\n" * 5_000 + b"\npass\n",
    "a header of 8 KB": b"ARC-Seal: " + b"a=b; " * 1_600 + b"\nSubject: Re: Haricots\n\npass\n",
    "an endless subject": b"Subject: " + b"=?utf-8?q?a?= " * 9_000 + b"\n\npass\n",
    "continued for ever": b"Subject: Re\n" + b" a\n" * 5_000 + b"\npass\n",
    "NUL in a charset": b"Content-Type: text/plain; charset=utf-8\0\0\n\npass\n\n\xc3\xa9\n",
    "an encoded charset": b"Content-Type: text/plain; charset*=utf-8''utf%2D8\n\npass\n\n\xc3\xa9\n",
    "NUL in an encoded charset": b"Content-Type: text/plain; charset*=utf-8''a%00b\n\npass\n\n\xc3\xa9\n",
    "a slow charset": b"Content-Type: text/plain; charset=punycode\nContent-Transfer-Encoding: quoted-printable\n\n"
    b"pass\n\n" + (b"z9" * 37 + b"=\n") * 2_400,
    "a slow charset of a subject": b"Subject: =?punycode?q?" + b"z9" * 1_900 + b"?=\n\npass\n",
    "marks on marks": b"Content-Type: text/plain; charset=utf-8\n\npass\n\n" + b"\xcc\x81\xcc\xa3" * 40_000,
    "marks on marks in HTML": b"Content-Type: text/html\n\npass<p>" + b"&#x301;&#x323;" * 12_000,
    "signs that grow eighteenfold": b"Content-Type: text/plain; charset=utf-8\n\npass\n\n"
    + (b"\xef\xb7\xba" * 600 + b"\n") * 100,
    "140 broken lines": b"\n" + b"> m1. Play 1\nplay play play play play play play play\n" * 140 + b"\n\npass\n",
    "an encoded subject in no charset": b"Subject: =?ut\xec-8?q?a?=\n\npass\n",
}
UNREADABLE = {
    "parameters that cannot be sorted": b"Content-Type: text/plain; a*0*=b; a*=c; a*0*=b\n\npass\n",
    "900 parts in parts, 60,000 empty lines": nested(900) + b"\n" * 60_000,
    "19 parts in parts, 60,000 empty lines": nested(19) + b"\n" * 60_000,
    "messages in messages": b"Content-Type: message/rfc822\n\n" * 6_000,
    "60,000 blocks of a report": b"Content-Type: message/delivery-status\n\n" + b"A: b\n\n" * 30_000,
    "40,000 parts": b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n" * 40_000,
    "parts with parameters": IN_ONE_PART + (b"Content-Type: text/plain; " + b"a=;" * 19 + b"\n\n--x\n") * 2_000,
    "one line": b"\n" + b"<" * 190_000,
    "one line of HTML": b"Content-Type: text/html\n\n" + b"<div class='" * 15_000,
    "nothing but bytes": b"\n" + bytes(range(256)) * 700,
}
ATTACKS = READABLE | UNREADABLE


@pytest.fixture
def letter():
    with with_replies():
        yield bobs_first_letter()


# ── time ──


@pytest.mark.django_db
@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS)
def test_no_email_takes_long_on_its_whole_way_in(letter, source):
    assert processor_seconds(lambda: put_in(letter, source)) < MAX_SECONDS
    assert Reply.objects.get().state != Reply.State.WAITING


@pytest.mark.django_db
@pytest.mark.parametrize("source", READABLE.values(), ids=READABLE)
def test_a_move_is_read_from_an_email_whose_headers_were_cut(letter, source):
    assert outcome(put_in(letter, source)) == "say pass"


@pytest.mark.django_db
def test_an_email_that_cannot_be_parsed_is_set_aside_at_once_and_answered(letter):
    reply = put_in(letter, UNREADABLE["parameters that cannot be sorted"])
    assert (reply.state, reply.finding) == (Reply.State.ANSWERED, Reply.Finding.FAULT)
    assert reply.attempts == 1


@pytest.mark.django_db
@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS)
def test_no_email_to_a_return_address_takes_long_or_is_answered(letter, source):
    to = our_address(RETURN, letter.pk)
    assert processor_seconds(lambda: inbox.receive(source, to, sender="<>", now=LATER)) < 0.1
    assert processor_seconds(lambda: replies.read_waiting(lambda: LATER)) < MAX_SECONDS
    assert Reply.objects.get().state == Reply.State.LEFT


@pytest.mark.django_db
def test_an_email_is_stored_before_its_body_is_parsed(letter, monkeypatch):
    monkeypatch.setattr(limits, "parse", lambda source: pytest.fail("parsed"))
    monkeypatch.setattr(child_process.CHILD, "ask", lambda question: pytest.fail("asked"))
    for purpose in (TURN, RETURN):
        inbox.receive(b"x" * 300_000, our_address(purpose, letter.pk), sender="<>", now=LATER)
    [reply] = Reply.objects.all()
    assert 0 < len(bytes(reply.source)) <= limits.MAX_BYTES


# ── cutting ──


def test_an_ordinary_email_is_not_cut():
    source = (
        b"Received: from a by b;\n Mon, 16 Nov 2026\nSubject: Re\nContent-Type: multipart/alternative;\n boundary=x\n\n"
        b"--x\nContent-Type: text/plain; charset=utf-8\n\npass\n\n-- \nBob\n"
        b"--x\nContent-Type: text/html\n\n<p>pass\n--x--\n"
    )
    assert limits.cut_to_size(source) == limits.cut_to_size(source.replace(b"\n", b"\r\n")) == source


def test_a_cut_email_stays_within_every_limit():
    for source in ATTACKS.values():
        kept = limits.cut_to_size(source)
        head, body = limits.split_head(kept)
        assert len(kept) <= limits.MAX_BYTES
        assert len(head) + len(body) <= limits.MAX_LINES
        assert len(b"\n".join(head)) <= limits.MAX_HEAD
        assert all(len(header) <= limits.LONGEST_HEADER for header in limits.iter_headers(head))
        assert all(len(line) <= limits.LONGEST_LINE for line in body)
        assert sum(1 for _ in limits.parse(source).walk()) <= limits.MAX_BLANK_LINES + limits.MAX_BOUNDARIES


def test_cutting_an_email_twice_is_the_same_as_once():
    for source in ATTACKS.values():
        assert limits.cut_to_size(limits.cut_to_size(source)) == limits.cut_to_size(source)


def test_a_cut_header_does_not_end_the_headers_early():
    source = b"Subject: " + b"a" * (limits.LONGEST_HEADER - 10) + b"\n b\nMessage-ID: <1@mail.example>\n\npass"
    assert get_message_id(parse_headers(source)) == "<1@mail.example>"
    assert parse_mail(source).text == "pass"


def test_headers_beyond_the_limit_are_dropped():
    source = b"Message-ID: <1@mail.example>\n" + b"X-A: b\n" * limits.MAX_HEADERS + b"Precedence: bulk\n\npass"
    assert get_message_id(parse_headers(source)) == "<1@mail.example>"
    assert "Precedence" not in limits.parse(source)


def test_an_email_that_makes_the_parser_fail_counts_as_unreadable():
    def fail(source):
        raise RecursionError

    with pytest.raises(limits.NotReadable):
        limits.run_parser(fail, b"")


# ── elapsed time ──


def test_lines_that_take_too_long_to_read_are_given_up(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr(lines.time, "thread_time", lambda: next(ticks) / 2.5)
    with pytest.raises(limits.TooSlow):
        list(lines.iter_candidates(["pass"] * 9))


@pytest.mark.django_db
def test_an_email_that_takes_too_long_is_set_aside_at_once_with_a_sentence_for_the_host(letter, monkeypatch):
    monkeypatch.setattr(replies, "parse", too_slow)
    reply = put_in(letter, mail(letter, "pass"))
    assert (outcome(reply), reply.attempts, reply.error) == ("answer fault", 1, "TooSlow")
    assert not letter.match.events.filter(seat=BOB).exists()
    sign = next(sign for sign in metrics.collect_signs(LATER) if sign.name == "replies_set_aside")
    assert (sign.value, sign.is_well) == (1, True)
    assert sign.text == (
        "Replies that came within a week and could not be read: 1. Among them, replies that took too long: 1. "
        "Their writers were asked to use a link instead. The office lists them under Replies."
    )


def too_slow(*_):
    raise limits.TooSlow


# ── a reader that dies ──


class Killed(BaseException):
    """An exception that nothing catches, as if the process was killed."""


def die(*_, **__):
    raise Killed


@pytest.mark.django_db
def test_an_email_that_kills_its_reader_is_not_read_for_ever(letter, monkeypatch):
    inbox.receive(mail(letter, "pass"), address(letter), sender="", now=LATER)
    monkeypatch.setattr(replies, "parse", die)
    for attempt in range(1, replies.MAX_ATTEMPTS + 1):
        reply = Reply.objects.get()
        with pytest.raises(Killed):
            replies.read_waiting(lambda at=reply.due_at: at)
        reply.refresh_from_db()
        assert (reply.state, reply.attempts) == (Reply.State.WAITING, attempt)
        assert replies.read_waiting(lambda: LATER) == 0  # a restart does not read it again at once
    replies.read_waiting(lambda: Reply.objects.get().due_at)
    assert outcome(Reply.objects.get()) == "answer fault"
    assert Letter.objects.filter(kind="answer").count() == 1


@pytest.mark.django_db
def test_a_reply_that_cannot_be_set_aside_does_not_block_the_others(letter, monkeypatch):
    inbox.receive(mail(letter, "pass"), address(letter), sender="", now=LATER)
    inbox.receive(mail(letter, "Good luck"), address(letter), sender="", now=LATER)
    Reply.objects.filter(pk=Reply.objects.earliest("pk").pk).update(attempts=replies.MAX_ATTEMPTS)

    def locked(*_):
        raise OperationalError

    monkeypatch.setattr(replies, "set_aside", locked)
    assert replies.read_waiting(lambda: LATER) == 1


@pytest.mark.django_db
def test_a_move_is_neither_lost_nor_doubled_by_a_reader_that_dies(letter, monkeypatch):
    inbox.receive(mail(letter, "pass"), address(letter), sender="", now=LATER)
    for step in ("parse", "apply_reply", "store_finding"):
        with monkeypatch.context() as dying:
            dying.setattr(replies, step, die)
            with pytest.raises(Killed):
                replies.read_waiting(lambda: Reply.objects.get().due_at)
        assert not letter.match.events.filter(seat=BOB).exists()
        Reply.objects.update(attempts=1)
    replies.read_waiting(lambda: Reply.objects.get().due_at)
    assert outcome(Reply.objects.get()) == "say pass"
    assert letter.match.events.filter(seat=BOB).count() == 1


@pytest.mark.django_db
def test_a_reply_that_another_reader_has_claimed_is_left_to_it(letter):
    inbox.receive(mail(letter, "pass"), address(letter), sender="", now=LATER)
    reply = Reply.objects.get()
    assert replies.begin_attempt(reply.pk, LATER)
    assert replies.begin_attempt(reply.pk, LATER) is None
    assert replies.read_one(reply.pk, LATER) is False


@pytest.mark.django_db
def test_a_slow_reader_does_not_act_on_a_reply_that_another_has_read(letter):
    reply = put_in(letter, mail(letter, "pass"))
    assert replies.apply_reply(reply, child_process.parse(reply), LATER) is False
    assert letter.match.events.filter(seat=BOB).count() == 1


@pytest.mark.django_db
def test_an_email_deleted_while_it_is_parsed_makes_no_move(letter):
    inbox.receive(mail(letter, "pass"), address(letter), sender="", now=LATER)
    reply = replies.begin_attempt(Reply.objects.get().pk, LATER)
    parsed = child_process.parse(reply)
    Reply.objects.update(source=b"", sender="")
    assert replies.apply_reply(reply, parsed, LATER) is False
    assert not letter.match.events.filter(seat=BOB).exists()


@pytest.mark.django_db(transaction=True)
def test_an_email_is_parsed_outside_any_transaction_and_after_its_attempt_was_committed(monkeypatch):
    seen = []

    def look(reply):
        seen.append((connection.in_atomic_block, Reply.objects.latest("pk").attempts))
        return child_process.parse(reply)

    monkeypatch.setattr(replies, "parse", look)
    with with_replies():
        letter = bobs_first_letter()
        assert outcome(put_in(letter, mail(letter, "pass"))) == "say pass"
        put_in(letter, mail(letter, "Good luck"))  # it gets an answer
    assert seen == [(False, 1), (False, 1)]
