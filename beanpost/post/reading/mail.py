"""A mail as it came. Everything in it is a claim: it is parsed leniently, and never believed for who sent it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message

from beanpost.post.reading import safety
from beanpost.post.reading.plain import plain

NOBODY = "<>"  # the envelope's sender of bounces and of most automatic mail
MOST_HOPS = 40  # a mail that has passed so many servers goes round in circles
MOST_TEXT = 100_000
BULK = {"bulk", "junk", "list", "auto_reply", "auto-reply"}
MACHINES = ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress-Reply", "X-Loop", "X-Failed-Recipients")
OUT_OF_OFFICE = re.compile(
    r"out of (?:the )?office|on vacation|on holiday|away from|auto(?:matic)?[ -]?reply|autoreply|absen(?:t|ce)|"
    r"réponse automatique|en congés?|en vacances",
    re.I,
)
ANSWERS_BY_ITSELF = re.compile(  # how programs begin the subject of what nobody has written
    r"\W*(?:auto(?:matic)?[ -]?(?:reply|response)|out of (?:the )?office|réponse automatique|absence du bureau)\b", re.I
)
NAMED = re.compile(r"<[^<>\s]{1,240}>")


@dataclass(frozen=True)
class Mail:
    """What we look at in a mail."""

    message_id: str  # "": none that can be named
    automatic: bool  # a machine wrote it: it is never answered
    away: bool  # … since its owner is away, as it seems
    text: str = field(repr=False)


def opened(source: bytes, *, sender: str = "") -> Mail:
    """Read a mail; `sender` is the envelope's, where it is known. Raise NotReadable if it cannot be parsed."""
    message = parsed(source)
    machine = is_automatic(message, sender)
    mail = Mail(
        message_id=message_id(message),
        automatic=machine,
        away=machine and is_away(message),
        text=text_of(message)[:MOST_TEXT],
    )
    safety.check_time()
    return mail


def parsed(source: bytes) -> Message:
    """Return the mail with its parts, cut to a size that can be parsed safely."""
    return safety.parse(source)


def head_of(source: bytes) -> Message:
    """Return the headers of the mail alone."""
    return safety.parse_head(source)


def header(message: Message, name: str) -> str:
    """A header as text, on one line; whatever is not text in it is dropped."""
    return " ".join(str(message.get(name, "")).encode("utf-8", "replace").decode("utf-8", "replace").split())


def message_id(message: Message) -> str:
    found = NAMED.fullmatch(header(message, "Message-ID"))
    return found[0] if found and found[0].isascii() and found[0].isprintable() else ""


# ── machines ──


def is_automatic(message: Message, sender: str) -> bool:
    submitted = header(message, "Auto-Submitted").lower().partition(";")[0].strip()
    return (
        (submitted or "no") != "no"
        or NOBODY in (sender, header(message, "Return-Path"))
        or header(message, "Precedence").lower() in BULK
        or any(name in message for name in (*MACHINES, "List-Id"))
        or bool(ANSWERS_BY_ITSELF.match(subject(message)))
        or message.get_content_type() in ("multipart/report", "message/delivery-status")
        or len(message.get_all("Received", [])) > MOST_HOPS
    )


def is_away(message: Message) -> bool:
    """Whether an automatic mail is the answer of somebody's mailbox, and not a bounce or a list's."""
    if message.get_content_type() == "multipart/report" or "X-Failed-Recipients" in message or "List-Id" in message:
        return False
    if len(message.get_all("Received", [])) > MOST_HOPS:
        return False
    submitted = header(message, "Auto-Submitted").lower()
    if submitted.startswith("auto-generated"):
        return False
    if submitted.startswith("auto-replied") or header(message, "Precedence").lower().startswith("auto"):
        return True
    return "X-Autoreply" in message or bool(OUT_OF_OFFICE.search(subject(message)))


def subject(message: Message) -> str:
    try:
        return str(make_header(decode_header(header(message, "Subject"))))
    except (LookupError, ValueError, HeaderParseError):
        return ""


# ── the text ──


def text_of(message: Message) -> str:
    """The plain text; where there is none, or an empty one, the HTML as text."""
    parts = [part for part in message.walk() if is_body(part)]
    written = [decoded(part) for part in parts if part.get_content_type() == "text/plain"]
    if any(text.strip() for text in written):
        return "\n".join(written)
    return "\n".join(plain(decoded(part)) for part in parts if part.get_content_type() == "text/html")


def is_body(part: Message) -> bool:
    return not part.is_multipart() and part.get_content_disposition() != "attachment" and not part.get_filename()


def decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    source = payload if isinstance(payload, bytes) else b""
    try:
        return source.decode(part.get_content_charset() or "utf-8", "replace")
    except (LookupError, ValueError):  # a charset nobody has heard of, or one that is not for texts
        return source.decode("utf-8", "replace")
