"""Recognise reports of mail servers. They are sent to a letter's return address, which names that one letter.

The rules in their order, the most reliable first:

    RFC 5965    a complaint (a feedback report, "ARF")
    RFC 3464    a machine-readable delivery report
    wording     "still being retried", in the subject or the text: the letter is only delayed
    header      Exim's X-Failed-Recipients
    wording     "could not be delivered", in the languages of bounce_phrases.py
    replies     an out-of-office or other automatic reply is no report
    sender      any other email without a sender, or from a server: only bounces are sent there

A failure is soft if its reason is temporary (4.x.x, a full mailbox, a server unreachable for days), otherwise hard.
A full mailbox is soft whatever code the server gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from itertools import islice, takewhile

from beanpost.post.reply_parser import automatic_replies, bounce_phrases
from beanpost.post.reply_parser.html_to_text import convert_html
from beanpost.post.reply_parser.mail import (
    decode_part,
    get_header,
    get_subject,
    is_automatic_reply,
    is_body,
    is_from_nobody,
    limit_marks,
)

BOUNCED, DEFERRED, DELIVERED, COMPLAINED = "bounced", "deferred", "delivered", "complained"  # Anymail's event types
FAILED_RECIPIENTS = "X-Failed-Recipients"
DIAGNOSTIC = "Diagnostic-Code"

# Beginnings of Action fields. BOUNCED outweighs DEFERRED, which outweighs DELIVERED. "error" is OpenSMTPD's.
ACTIONS = {
    "fail": BOUNCED, "error": BOUNCED, "expired": BOUNCED, "undeliver": BOUNCED, "delay": DEFERRED,
    "defer": DEFERRED, "deliver": DELIVERED, "relay": "", "expand": "",
}  # fmt: skip
BLOCK = re.compile(r"^(?:Final|Original)-Recipient:", re.I | re.M)
FIELD = re.compile(r"^(Action|Status|Diagnostic-Code):[ \t]*([^\r\n]{1,80})", re.I | re.M)
FEEDBACK = re.compile(r"^Feedback-Type:[ \t]*([\w-]{1,40})", re.I | re.M)
STATUS = re.compile(r"(?<![\w.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)")  # no version, no IP address like 5.1.1.7
CODE = re.compile(r"(?<![\w.])([45])[0-5][0-9](?=[ -])")
ENCLOSED = re.compile(r"\s*-[^\n]*(?:message|nachricht|mensaje|messaggio)|(?:Received|Return-Path|Message-ID):", re.I)
FULL = ("2", "2")
PASSING = {FULL, ("3", "1"), ("4", "7")}  # temporary 5.x.x: mailbox full, server full, retried for days

MAX_PARTS = 100


@dataclass(frozen=True)
class Notice:
    """A report on a letter, in Anymail's terms."""

    kind: str
    soft: bool = False  # the reason is temporary
    by_person: bool = True  # False: a machine complained, for example about a signature


def read(mail: Message, sender: str = "") -> Notice | None:
    """Return the report in an email to a letter's return address, or None. `sender` is the envelope's.

    >>> mail = Message()
    >>> mail["Subject"] = "Delayed Mail (still being retried)"
    >>> read(mail)
    Notice(kind='deferred', soft=False, by_person=True)
    """
    feedback = find_feedback_type(mail)
    if feedback:
        return None if feedback == "not-spam" else Notice(COMPLAINED, by_person=feedback != "auth-failure")
    notice = extract_notice(mail)
    blocks = list(iter_statuses(mail))
    if kinds := {kind for action, *_ in blocks for name, kind in ACTIONS.items() if action.startswith(name)}:
        kind = next((kind for kind in (BOUNCED, DEFERRED, DELIVERED) if kind in kinds), "")
        return Notice(kind, soft=kind == BOUNCED and is_soft(blocks, notice)) if kind else None
    kind = classify_wording(mail, notice, sender, failed=any(status.startswith("5") for _, status, _ in blocks))
    return Notice(kind, soft=kind == BOUNCED and is_soft(blocks, notice)) if kind else None


def classify_wording(mail: Message, notice: str, sender: str, *, failed: bool) -> str:
    """Return the kind of a report that is written for people, or "" if it is no report."""
    subject = get_subject(mail)
    is_reply = automatic_replies.is_reply_subject(subject) and not bounce_phrases.is_failure(subject, "")
    is_by_server = (
        bounce_phrases.is_mail_server(get_header(mail, "From")) or mail.get_content_type() == "multipart/report"
    )
    if not is_reply:
        if bounce_phrases.is_delay(subject, notice) and not is_given_up(subject, notice):
            return DEFERRED
        if failed or FAILED_RECIPIENTS in mail or bounce_phrases.is_failure(subject, notice):
            return BOUNCED
    if (
        is_reply
        or is_receipt(mail)
        or (not is_by_server and (is_automatic_reply(mail) or automatic_replies.is_away_text(notice)))
    ):
        return ""
    return BOUNCED if is_by_server or is_from_nobody(mail, sender) else ""


def is_given_up(subject: str, notice: str) -> bool:
    """Return whether "Returned mail: Deferred" came with a permanent code: the letter is no longer retried."""
    code = STATUS.search(notice) or CODE.search(notice)
    return bounce_phrases.is_report_subject(subject) and code is not None and code[1] == "5"


def iter_parts(mail: Message) -> Iterator[Message]:
    """Return the email and its first parts; real reports have far fewer."""
    return islice(mail.walk(), MAX_PARTS)


# ── complaints ──


def find_feedback_type(mail: Message) -> str:
    """Return the type of a feedback report, such as "abuse" or "opt-out", or "" for any other email."""
    for part in iter_parts(mail):
        if part.get_content_type() == "message/feedback-report":
            return read_feedback_type(part)
    if "feedback-report" in get_header(mail, "Content-Type").lower():
        return "abuse"
    # Outlook's and Amazon's own format has no machine-readable part.
    return "abuse" if bounce_phrases.is_complaint_subject(get_subject(mail)) else ""


def read_feedback_type(part: Message) -> str:
    """Return a feedback report's type. The parser reads its fields as a message; some providers encode them."""
    inner = part.get_payload(0) if part.is_multipart() else part
    assert isinstance(inner, Message)
    if "Feedback-Type" in inner:
        return get_header(inner, "Feedback-Type").lower()
    encoded = Message()
    encoded["Content-Transfer-Encoding"] = get_header(part, "Content-Transfer-Encoding")
    try:
        encoded.set_payload(inner.get_payload())
    except (TypeError, ValueError):  # a charset that Python cannot look up
        return "abuse"
    found = FEEDBACK.search(decode_part(encoded))
    return found[1].lower() if found else "abuse"


# ── delivery reports ──


def iter_statuses(mail: Message) -> Iterator[tuple[str, str, str]]:
    """Yield Action, Status and Diagnostic-Code of every recipient's block, in lower case; each may be empty."""
    for part in iter_parts(mail):
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            for block in part.get_payload():
                if isinstance(block, Message) and ("Action" in block or "Status" in block):
                    action, status, reason = (get_header(block, name) for name in ("Action", "Status", DIAGNOSTIC))
                    yield action.lower(), status.lower(), reason.lower()
        elif part.get_content_type() in ("text/plain", "message/delivery-status") and not part.is_multipart():
            yield from iter_statuses_in_text(decode_part(part)[: automatic_replies.LONGEST_TEXT])


def iter_statuses_in_text(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the same blocks from plain text, for servers that send no MIME parts."""
    _, *blocks = BLOCK.split(text)
    for block in blocks:
        fields = {name.lower(): value.strip().lower() for name, value in FIELD.findall(block)}
        if fields:
            yield fields.get("action", ""), fields.get("status", ""), fields.get(DIAGNOSTIC.lower(), "")


def is_soft(blocks: list[tuple[str, str, str]], notice: str) -> bool:
    """Return whether the reason of a failure is temporary: a full mailbox, or by its status, or else by the text."""
    if any(is_mailbox_full(f"{status} {reason}") for _, status, reason in blocks) or is_mailbox_full(notice):
        return True
    found = filter(None, (STATUS.match(status) for _, status, _ in blocks))
    codes = [code.groups() for code in found if code[1] != "2" and code[0] != "5.0.0"]  # 5.0.0 says nothing
    if codes:
        return all(family == "4" or tuple(detail) in PASSING for family, *detail in codes)
    if code := STATUS.search(notice) or CODE.search(notice):
        return code[1] == "4"
    return bounce_phrases.may_pass(notice)


def is_mailbox_full(text: str) -> bool:
    """Return whether a server's answer says that the mailbox is full: by the code x.2.2, or in words."""
    return any((code[2], code[3]) == FULL for code in STATUS.finditer(text)) or bounce_phrases.is_mailbox_full(text)


def is_receipt(mail: Message) -> bool:
    """Return whether a mail program reports that a letter was read or deleted (RFC 8098)."""
    return any(part.get_content_type() == "message/disposition-notification" for part in iter_parts(mail))


# ── reports for people ──


def extract_notice(mail: Message) -> str:
    """Return the human-readable text of a report, without the letter enclosed below it."""
    for part in iter_parts(mail):
        if part.get_content_maintype() == "text" and is_body(part):
            text = decode_part(part)[: automatic_replies.LONGEST_TEXT]
            if text.strip():
                text = convert_html(text) if part.get_content_type() == "text/html" else text
                return cut_enclosed_letter(limit_marks(text))
    return ""


def cut_enclosed_letter(text: str) -> str:
    """Return the lines above the enclosed letter."""
    return "\n".join(takewhile(lambda line: not ENCLOSED.match(line), text.splitlines()))


# ── the enclosed letter ──


def extract_returned_text(mail: Message) -> str:
    """Return everything but the email's own headers, decoded. The letter or its headers are somewhere in it."""
    return "\n".join(iter_texts(mail))


def iter_texts(mail: Message) -> Iterator[str]:
    """Yield the headers and the text of each part."""
    for part in iter_parts(mail):
        if part is not mail:
            yield from (get_header(part, name) for name in part.keys())  # noqa: SIM118
        if not part.is_multipart():
            yield decode_part(part)
