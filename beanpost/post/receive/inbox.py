"""The inbox: store incoming email, from a provider's webhook or our own SMTP listener (mail_server.py).

    an email ──▶ a Reply row ──▶ a wake-up ──▶ read (replies.py) ──▶ a Report row, if a mail server reports on a letter
                      └────────▶ a periodic task, if the wake-up was lost

Storing decides nothing and parses only headers, so that the sender's server gets a quick answer and no email can hold
a thread that serves pages. The same email is stored once.
"""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from email.message import Message
from email.policy import Compat32
from hashlib import sha256
from itertools import islice
from typing import Any
from urllib.parse import unquote

from anymail.signals import inbound
from django.db import transaction
from django.db.models import F
from django.dispatch import receiver

from beanpost.play import clock
from beanpost.post import unsubscribe
from beanpost.post.compose import headers
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import retention, wake_up
from beanpost.post.outbox.addresses import (
    FROM,
    OURS,
    RETURN,
    TURN,
    UNSUBSCRIBE,
    NoSuchAddress,
    parse_letter_id,
    parse_purpose,
)
from beanpost.post.receive import excerpt
from beanpost.post.reply_parser import limits
from beanpost.post.reply_parser.mail import NOBODY, get_header, get_message_id, parse_headers

MAX_EMAIL_BYTES = 25 * 1024 * 1024  # bytes; larger emails are refused, as by most mail servers
MAX_EMAILS = 100  # emails stored for one letter at its reply address, and as many at its return address
MAX_AN_HOUR = 20
MAX_OF_A_SENDER = 5  # in an hour
AN_HOUR = timedelta(hours=1)
MAX_ADDRESSES = 20  # candidates in an email's headers that are checked
RECIPIENT_HEADERS = ("To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To")
TOO_LARGE = "TooLarge"  # stored as the error: the email was not taken in, and its writer is told
log = logging.getLogger(__name__)


class TooMany(Exception):
    """The letter has got as many emails as it may."""


class TooManyForNow(Exception):
    """The letter has got as many emails as it may in an hour, or as many from this sender."""


def receive(source: bytes, to: str, *, sender: str, now: datetime, may_wait: bool = False) -> bool:
    """Store an email to one of our addresses. Return False if we have it already.

    Raise TooMany or TooManyForNow if its letter has got too many. With `may_wait`, an email that is too much for this
    hour is stored all the same, and read in an hour: a provider would not deliver it again.
    """
    purpose = parse_purpose(to)
    if purpose == UNSUBSCRIBE:
        return unsubscribe_sender(parse_letter_id(UNSUBSCRIBE, to), sender, now)
    letter = find_referenced_letter(source) if purpose == FROM else find_letter(parse_letter_id(purpose, to))
    if letter is None:
        log.info("A mail to our From address was dropped: it answers none of our letters.")
        return False
    reply = Reply(
        letter=letter, sender=strip_unprintable(sender), is_returned=purpose == RETURN, source=excerpt.cut(source)
    )
    reply.finding = Reply.Finding.UNSIGNED if purpose == FROM else ""
    reply.fingerprint = compute_fingerprint(source)
    if letter.replies.filter(fingerprint=reply.fingerprint).exists():
        return False
    store(reply, now, may_wait=may_wait)
    return True


def store(reply: Reply, now: datetime, *, may_wait: bool) -> None:
    """Store an email that is new, if its letter has not got too many."""
    reply.received_at = reply.due_at = now
    try:
        check_number(reply)
    except TooManyForNow:
        if not may_wait:
            raise
        reply.due_at = now + AN_HOUR
    with transaction.atomic():
        retention.keep_again(reply.letter)
        Reply.objects.bulk_create([reply], ignore_conflicts=True)
    wake_up.wake_reader_after_commit()


def check_number(reply: Reply) -> None:
    """Raise an error if the letter has got too many emails, at its reply address or at its return address."""
    letter = reply.letter
    stored = letter.replies.filter(is_returned=reply.is_returned)
    if stored.count() >= MAX_EMAILS:
        log.warning("Letter %d has got %d emails: another was refused.", letter.pk, MAX_EMAILS)
        Letter.objects.filter(pk=letter.pk).update(refused_replies=F("refused_replies") + 1)
        raise TooMany
    latest = stored.filter(received_at__gt=reply.received_at - AN_HOUR)
    of_sender = latest.filter(sender__iexact=reply.sender).count() if reply.sender else 0
    if of_sender >= MAX_OF_A_SENDER or latest.count() >= MAX_AN_HOUR:
        raise TooManyForNow


def unsubscribe_sender(letter_id: int, sender: str, now: datetime) -> bool:
    """Handle an email to the address in List-Unsubscribe. Mail programs send it by themselves; its text is ignored."""
    letter = Letter.objects.select_related("recipient").filter(pk=letter_id).first()
    if letter is None or sender == NOBODY:  # a bounce is no request
        return False
    return unsubscribe.unsubscribe_by_mail(letter, now)


def strip_unprintable(sender: str) -> str:
    """Return the sender as it is stored."""
    return "".join(letter for letter in sender if letter.isprintable())[:254]


def find_referenced_letter(source: bytes) -> Letter | None:
    """Return the letter that an email says it replies to. Its Message-ID is signed, but many people may know it."""
    with suppress(limits.NotReadable):
        head = parse_headers(source)
        for number in headers.find_letter_ids(
            " ".join(get_header(head, name) for name in ("References", "In-Reply-To"))
        ):
            with suppress(NoSuchAddress):
                return find_letter(number)
    return None


def find_letter(number: int) -> Letter:
    letter = Letter.objects.select_related("recipient").filter(pk=number).first()
    if letter is None or letter.recipient.is_forgotten:  # nothing of an erased person is stored again
        raise NoSuchAddress
    return letter


def compute_fingerprint(source: bytes) -> str:
    """Return a hash that identifies an email: of its Message-ID, or of all its bytes if it has none."""
    try:
        message_id = get_message_id(parse_headers(source))
    except limits.NotReadable:
        message_id = ""
    return sha256(message_id.encode() or source).hexdigest()


# ── from a provider ──


@receiver(inbound)
def receive_from_provider(event: Any, **_: Any) -> None:
    """Store an email from a provider's webhook. Never raise an error: a retry by the provider would not help."""
    message = event.message
    source = serialise(message)
    sender = getattr(message, "envelope_sender", None)
    for to in iter_recipients(getattr(message, "envelope_recipient", None) or "", source):
        try:
            envelope_sender = (sender or NOBODY) if sender is not None else ""
            receive(source, to, sender=envelope_sender, now=clock.now(), may_wait=True)
        except NoSuchAddress:
            continue
        except TooMany:  # counted; a retry by the provider would not help
            pass
        return
    log.info("A mail was dropped: it answers none of our letters.")


def note_too_large(start: bytes, now: datetime) -> None:
    """Store that an email was too large to be read, so that its writer is told; `start` begins the provider's call.

    One of our addresses in it names the letter. The provider may write its special characters as %2B or \\u002B.
    """
    text = unquote(re.sub(r"\\u00(2b|40)", r"%\1", start.decode("ascii", "replace"), flags=re.I))
    for found in islice(OURS.finditer(text), MAX_ADDRESSES):
        with suppress(NoSuchAddress, TooMany):
            letter = find_letter(parse_letter_id(TURN, found[0].rstrip(".-")))
            log.warning("An email that answers letter %d is too large to be read.", letter.pk)
            store(Reply(letter=letter, fingerprint=sha256(start).hexdigest(), error=TOO_LARGE), now, may_wait=True)
            return
    log.warning("An email from the provider is too large to be read, and its letter is not known.")


def iter_recipients(recipient: str, source: bytes) -> Iterator[str]:
    """Yield the addresses an email was sent to: the envelope's first, then our addresses in its headers.

    The headers are searched by a pattern, because parsing every address takes quadratic time. They are read only if the
    caller does not accept the envelope's address.
    """
    yield recipient
    try:
        head = parse_headers(source)
    except limits.NotReadable:
        return
    addresses = " ".join(str(value) for name in RECIPIENT_HEADERS for value in head.get_all(name, []))
    yield from dict.fromkeys(found[0].rstrip(".-") for found in islice(OURS.finditer(addresses), MAX_ADDRESSES))


def serialise(message: Message) -> bytes:
    """Return an email as bytes: in full, without its text, or empty, whichever is the first to work.

    An email without its text gets the answer that we could not read it.
    """
    for write in (serialise_unchanged, serialise_as_text, serialise_headers):
        try:
            return write(message)
        except Exception as error:  # a charset, header or structure that cannot be serialised
            log.info("A mail could not be put together again: %s.", type(error).__name__)
    return b""


class AsWritten(Compat32):
    """A policy that copies headers unchanged. The others fold them again, which takes quadratic time."""

    def fold(self, name: str, value: str) -> str:
        return self.fold_binary(name, value).decode("ascii", "surrogateescape")

    def fold_binary(self, name: str, value: str) -> bytes:
        text = str(value).encode("utf-8", "surrogateescape")
        if name.lower() == "subject" and not text.isascii():  # needed later, to recognise automatic replies
            text = b"=?utf-8?b?" + b64encode(text) + b"?="
        return name.encode("ascii", "replace") + b": " + text + b"\n"


AS_WRITTEN = AsWritten(mangle_from_=False)


def serialise_unchanged(message: Message) -> bytes:
    return message.as_bytes(policy=AS_WRITTEN)


def serialise_as_text(message: Message) -> bytes:
    return message.as_string(policy=AS_WRITTEN).encode("utf-8", "replace")


def serialise_headers(message: Message) -> bytes:
    message.set_payload("")
    return message.as_bytes(policy=AS_WRITTEN)
