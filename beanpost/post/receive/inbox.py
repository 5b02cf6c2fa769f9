"""The inbox: store incoming email, from a provider's webhook or our own SMTP listener (mail_server.py).

    an email ──▶ a Reply row ──▶ a wake-up ──▶ read (replies.py)
      │               └────────▶ a periodic task, if the wake-up was lost
      └────────▶ a Report row, if a mail server reports on a letter (returned_mail.py, deliver/reports.py)

Storing decides nothing, so that the sender's server gets a quick answer. The same email is stored once.
"""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from email.message import Message
from email.policy import Compat32
from hashlib import sha256
from itertools import islice
from typing import Any

from anymail.signals import inbound
from django.db.models import Q
from django.dispatch import receiver

from beanpost.play import clock
from beanpost.post import unsubscribe
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import retention, wake_up
from beanpost.post.outbox.addresses import OURS, RETURN, UNSUBSCRIBE, NoSuchAddress, parse_letter_id, parse_purpose
from beanpost.post.receive import returned_mail
from beanpost.post.reply_parser import limits
from beanpost.post.reply_parser.mail import NOBODY, get_message_id, parse_headers

LARGEST = 2_000_000  # bytes; larger emails are refused
KEPT = limits.MOST_BYTES
MOST = 20  # replies stored for one letter
MOST_ADDRESSES = 20  # candidates in an email's headers that are checked
RECIPIENT_HEADERS = ("To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To")
log = logging.getLogger(__name__)


def receive(source: bytes, to: str, *, sender: str, now: datetime) -> bool:
    """Store an email to one of our addresses. Return False if we have it already, or too many for the same letter."""
    purpose = parse_purpose(to)
    if purpose == UNSUBSCRIBE:
        return unsubscribe_sender(parse_letter_id(UNSUBSCRIBE, to), sender, now)
    letter = find_letter(purpose, to)
    if purpose == RETURN:
        if returned_mail.take_in(letter, source, sender=sender, number=compute_fingerprint(source), now=now):
            return True
        sender = NOBODY  # automatic replies go to the return address too; people's replies do not
    if letter.replies.count() >= MOST:
        log.warning("Letter %d was answered too often: a mail was dropped.", letter.pk)
        return False
    reply = Reply(
        letter=letter, fingerprint=compute_fingerprint(source), sender=strip_unprintable(sender), source=source[:KEPT]
    )
    reply.received_at = reply.due_at = now
    is_known = letter.replies.filter(fingerprint=reply.fingerprint).exists()
    Reply.objects.bulk_create([reply], ignore_conflicts=True)
    wake_up.wake_reader_after_commit()
    return not is_known


def unsubscribe_sender(letter_id: int, sender: str, now: datetime) -> bool:
    """Handle an email to the address in List-Unsubscribe. Mail programs send it by themselves; its text is ignored."""
    letter = Letter.objects.select_related("recipient").filter(pk=letter_id).first()
    if letter is None or sender == NOBODY:  # a bounce is no request
        return False
    return unsubscribe.unsubscribe_by_mail(letter, now)


def strip_unprintable(sender: str) -> str:
    """Return the sender as it is stored."""
    return "".join(letter for letter in sender if letter.isprintable())[:254]


def find_letter(purpose: str, to: str) -> Letter:
    letter = Letter.objects.filter(pk=parse_letter_id(purpose, to)).only("pk").first()
    if letter is None:
        raise NoSuchAddress
    return letter


def compute_fingerprint(source: bytes) -> str:
    """Return a hash that identifies an email: of its Message-ID, or of all its bytes if it has none."""
    try:
        message_id = get_message_id(parse_headers(source))
    except limits.NotReadable:
        message_id = ""
    return sha256(message_id.encode() or source).hexdigest()


def erase_contents(now: datetime) -> int:
    """Erase the contents of replies when those of letters are erased."""
    old = now - retention.KEPT
    over = Q(letter__match__ended_at__lt=old) | Q(letter__match=None, received_at__lt=old)
    processed = Reply.objects.exclude(state=Reply.State.WAITING).exclude(source=b"")
    return processed.filter(over).update(source=b"", sender="")


# ── from a provider ──


@receiver(inbound)
def receive_from_provider(event: Any, **_: Any) -> None:
    """Store an email from a provider's webhook. Never raise an error: a retry by the provider would not help."""
    message = event.message
    source = serialise(message)
    if len(source) > LARGEST:
        log.warning("A mail of %d bytes was dropped: it is too large.", len(source))
        return
    sender = getattr(message, "envelope_sender", None)
    for to in iter_recipients(getattr(message, "envelope_recipient", None) or "", source):
        try:
            receive(source, to, sender=(sender or NOBODY) if sender is not None else "", now=clock.now())
        except NoSuchAddress:
            continue
        return
    log.info("A mail was dropped: it answers none of our letters.")


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
    yield from dict.fromkeys(found[0].rstrip(".-") for found in islice(OURS.finditer(addresses), MOST_ADDRESSES))


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
