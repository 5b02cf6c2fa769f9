"""Recognise reports of mail servers. They are sent to the return address of a letter, which names that one letter.

The rules in their order, the surest first:

    RFC 5965    somebody called the letter unwanted (a feedback report, "ARF")
    RFC 3464    a delivery report says what became of it, as data
    wording     "still being retried", in the subject or in the text: the letter is only late
    header      Exim's X-Failed-Recipients
    wording     "could not be delivered", in the languages of wording.py
    answers     an out-of-office or another automatic answer is no report
    flufl       Mailman's recognisers, which know the reports of several dozen servers
    sender      any other mail without a sender, or from a server: nothing else is sent there than letters that return

A failure is soft if its reason may pass (4.x.x, a full mailbox, a server that could not be reached for days), otherwise
hard.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from itertools import islice, takewhile

from flufl.bounce import all_failures

from beanpost.post.reading import wording
from beanpost.post.reading.mail import answers, decoded, header, is_body, is_from_nobody, subject
from beanpost.post.reading.plain import plain

BOUNCED, DEFERRED, DELIVERED, COMPLAINED = "bounced", "deferred", "delivered", "complained"  # a provider's words
FAILED_RECIPIENTS = "X-Failed-Recipients"

# An Action as it begins; of several the first one here counts. "error" is OpenSMTPD's.
ACTIONS = {
    "fail": BOUNCED, "error": BOUNCED, "expired": BOUNCED, "undeliver": BOUNCED, "delay": DEFERRED,
    "defer": DEFERRED, "deliver": DELIVERED, "relay": "", "expand": "",
}  # fmt: skip
BLOCK = re.compile(r"^(?:Final|Original)-Recipient:", re.I | re.M)
FIELD = re.compile(r"^(Action|Status):[ \t]*([^\r\n]{1,80})", re.I | re.M)
FEEDBACK = re.compile(r"^Feedback-Type:[ \t]*([\w-]{1,40})", re.I | re.M)
STATUS = re.compile(r"(?<![\w.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)")  # no version, no address as 5.1.1.7
CODE = re.compile(r"(?<![\w.])([45])[0-5][0-9](?=[ -])")
ENCLOSED = re.compile(r"\s*-[^\n]*(?:message|nachricht|mensaje|messaggio)|(?:Received|Return-Path|Message-ID):", re.I)
PASSING = {("2", "2"), ("3", "1"), ("4", "7")}  # a full mailbox, a full server, days of trying: 5.x.x may pass, too

# How much of a mail flufl's recognisers get to see: their patterns take quadratic time on a long line.
MOST_PARTS = 100
MOST_LINES = 200
LONGEST_LINE = 120
LONGEST_HEADER = 500

# flufl logs every exception of a recogniser as an error, with words of the mail in it.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class Notice:
    """A report on a letter, in the words that providers use."""

    kind: str
    soft: bool = False  # the reason may pass
    by_person: bool = True  # False: a machine's complaint, as about a signature


def read(mail: Message, sender: str = "") -> Notice | None:
    """Read a mail to a letter's return address; None if it is no report. `sender` is the envelope's.

    >>> mail = Message()
    >>> mail["Subject"] = "Delayed Mail (still being retried)"
    >>> read(mail)
    Notice(kind='deferred', soft=False, by_person=True)
    """
    feedback = feedback_type(mail)
    if feedback:
        return None if feedback == "not-spam" else Notice(COMPLAINED, by_person=feedback != "auth-failure")
    notice = notice_of(mail)
    blocks = list(statuses(mail))
    if known := {kind for action, _ in blocks for name, kind in ACTIONS.items() if action.startswith(name)}:
        kind = next((kind for kind in (BOUNCED, DEFERRED, DELIVERED) if kind in known), "")
        return Notice(kind, soft=kind == BOUNCED and is_soft(blocks, notice)) if kind else None
    kind = in_words(mail, notice, sender, failed=any(status.startswith("5") for _, status in blocks))
    return Notice(kind, soft=kind == BOUNCED and is_soft(blocks, notice)) if kind else None


def in_words(mail: Message, notice: str, sender: str, *, failed: bool) -> str:
    """Read a report that is written for people; "" if it is none."""
    about = subject(mail)
    is_answer = wording.is_answer(about) and not wording.is_failure(about, "")
    by_server = wording.is_server(header(mail, "From")) or mail.get_content_type() == "multipart/report"
    if not is_answer:
        if wording.is_delay(about, notice):
            return DEFERRED
        if failed or FAILED_RECIPIENTS in mail or wording.is_failure(about, notice):
            return BOUNCED
    if is_answer or is_receipt(mail) or (not by_server and (answers(mail) or wording.says_away(notice))):
        return ""
    temporary, permanent = recognised(mail)
    if permanent or temporary:
        return BOUNCED if permanent else DEFERRED
    return BOUNCED if by_server or is_from_nobody(mail, sender) else ""


def parts(mail: Message) -> Iterator[Message]:
    """The mail itself and the first of its parts: no report has nearly as many."""
    return islice(mail.walk(), MOST_PARTS)


# ── complaints ──


def feedback_type(mail: Message) -> str:
    """Return the type of a feedback report, such as "abuse" or "opt-out"; "" if the mail is none."""
    for part in parts(mail):
        if part.get_content_type() == "message/feedback-report":
            return in_report(part)
    if "feedback-report" in header(mail, "Content-Type").lower():
        return "abuse"
    # Outlook's and Amazon's own form has no part for machines.
    return "abuse" if wording.is_complaint(subject(mail)) else ""


def in_report(part: Message) -> str:
    """The type that a feedback report gives. The parser takes its fields for a message; some providers encode them."""
    inner = part.get_payload(0) if part.is_multipart() else part
    assert isinstance(inner, Message)
    if "Feedback-Type" in inner:
        return header(inner, "Feedback-Type").lower()
    encoded = Message()
    encoded["Content-Transfer-Encoding"] = header(part, "Content-Transfer-Encoding")
    encoded.set_payload(inner.get_payload())
    found = FEEDBACK.search(decoded(encoded))
    return found[1].lower() if found else "abuse"


# ── delivery reports ──


def statuses(mail: Message) -> Iterator[tuple[str, str]]:
    """Action and Status of every block about a recipient, both in small letters; either may be missing."""
    for part in parts(mail):
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            for block in part.get_payload():
                if isinstance(block, Message) and ("Action" in block or "Status" in block):
                    yield header(block, "Action").lower(), header(block, "Status").lower()
        elif part.get_content_type() in ("text/plain", "message/delivery-status") and not part.is_multipart():
            yield from in_lines(decoded(part)[: wording.LONGEST])


def in_lines(text: str) -> Iterator[tuple[str, str]]:
    """The same blocks written as text, by servers that send no parts."""
    _, *blocks = BLOCK.split(text)
    for block in blocks:
        fields = {name.lower(): value.strip().lower() for name, value in FIELD.findall(block)}
        if fields:
            yield fields.get("action", ""), fields.get("status", "")


def is_soft(blocks: list[tuple[str, str]], notice: str) -> bool:
    """Whether the reason of a failure may pass: by the status that is given as data, else by what the text says."""
    found = filter(None, (STATUS.match(status) for _, status in blocks))
    codes = [code.groups() for code in found if code[1] != "2" and code[0] != "5.0.0"]  # which says nothing
    if codes:
        return all(family == "4" or tuple(detail) in PASSING for family, *detail in codes)
    if wording.is_full(notice):
        return True
    if in_text := STATUS.search(notice) or CODE.search(notice):
        return in_text[1] == "4"
    return wording.may_pass(notice)


def is_receipt(mail: Message) -> bool:
    """Whether a mail program tells that a letter was read or deleted (RFC 8098)."""
    return any(part.get_content_type() == "message/disposition-notification" for part in parts(mail))


# ── reports for people ──


def notice_of(mail: Message) -> str:
    """Return the words of a report for people: its first text, without the letter that is enclosed below it."""
    for part in parts(mail):
        if part.get_content_maintype() == "text" and is_body(part):
            text = decoded(part)[: wording.LONGEST]
            if text.strip():
                return above_letter(plain(text) if part.get_content_type() == "text/html" else text)
    return ""


def above_letter(text: str) -> str:
    return "\n".join(takewhile(lambda line: not ENCLOSED.match(line), text.splitlines()))


def recognised(mail: Message) -> tuple[bool, bool]:
    """Whether one of flufl's recognisers knows it: as a temporary failure, as a permanent one. Shortens the mail."""
    if len(list(islice(mail.walk(), MOST_PARTS + 1))) > MOST_PARTS:
        return False, False
    shorten(mail)
    try:
        temporary, permanent = all_failures(mail)
    except Exception:  # a mail that the recogniser did not foresee: the rules after it do without
        return False, False
    return bool(temporary), bool(permanent)


def shorten(mail: Message) -> None:
    left = MOST_LINES
    for part in parts(mail):
        for name, value in part.items():
            if len(str(value)) > LONGEST_HEADER:
                del part[name]
        if not part.is_multipart():
            lines = decoded(part)[: left * LONGEST_LINE].splitlines()[:left]
            del part["Content-Transfer-Encoding"]
            part.set_payload("\n".join(line[:LONGEST_LINE] for line in lines))
            left -= len(lines)


# ── the returned part ──


def returned_part(mail: Message) -> str:
    """Everything but the mail's own headers, decoded: the letter or its headers are somewhere in it."""
    return "\n".join(pieces(mail))


def pieces(mail: Message) -> Iterator[str]:
    for part in parts(mail):
        if part is not mail:
            yield from (header(part, name) for name in part.keys())  # noqa: SIM118
        if not part.is_multipart():
            yield decoded(part)
