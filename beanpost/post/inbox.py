"""The inbox: what people write back comes in here, from a provider or from our own postbox, and is stored.

    a mail ──▶ a Reply row ──▶ a wake-up ──▶ read (replying.py)
      │             └────────▶ the sweep, if the wake-up was lost
      └──────▶ a Report row, where a mail server tells what became of a letter (tracking.py)

Storing decides nothing, so that whoever hands us a mail is soon told that we have it. The same mail is stored once.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime
from email.message import Message
from email.utils import getaddresses
from hashlib import sha256
from typing import Any

from anymail.signals import inbound
from django.db.models import Q
from django.dispatch import receiver

from beanpost.play import clock
from beanpost.post import keeping, outbox, tracking, unsubscribing
from beanpost.post.addresses import RETURN, UNSUBSCRIBE, NoSuchAddress, letter_named, purpose_of
from beanpost.post.models import Letter, Reply
from beanpost.post.reading import returns
from beanpost.post.reading.mail import NOBODY, head_of, message_id

LARGEST = 2_000_000  # bytes; what is larger is refused
KEPT = 200_000  # bytes of a mail: nobody's own words begin further down
MOST = 20  # replies to one letter that are stored
ADDRESSED = ("To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To")

log = logging.getLogger(__name__)


def receive(source: bytes, to: str, *, sender: str, now: datetime) -> bool:
    """Store a mail to one of our addresses. False: we have it already, or more than enough of its kind."""
    purpose = purpose_of(to)
    if purpose == UNSUBSCRIBE:
        return unsubscribe(letter_named(UNSUBSCRIBE, to), sender, now)
    letter = find_letter(purpose, to)
    if purpose == RETURN:
        if report := returns.told(source[:KEPT]):
            tracking.keep(letter.pk, report, fingerprint(source), now)
            return True
        sender = NOBODY  # mailboxes that answer by themselves write there too; people do not
    if letter.replies.count() >= MOST:
        log.warning("Letter %d was answered too often: a mail was dropped.", letter.pk)
        return False
    reply = Reply(letter=letter, fingerprint=fingerprint(source), sender=printable(sender), source=source[:KEPT])
    reply.received_at = reply.due_at = now
    known = letter.replies.filter(fingerprint=reply.fingerprint).exists()
    Reply.objects.bulk_create([reply], ignore_conflicts=True)
    outbox.wake_reader_after_commit()
    return not known


def unsubscribe(letter_id: int, sender: str, now: datetime) -> bool:
    """Somebody's mail program wrote to the address under List-Unsubscribe: what it says does not matter."""
    letter = Letter.objects.select_related("recipient").filter(pk=letter_id).first()
    if letter is None or sender == NOBODY:  # a mail that came back wants nothing
        return False
    return unsubscribing.by_mail(letter, now)


def printable(sender: str) -> str:
    return "".join(letter for letter in sender if letter.isprintable())[:254]


def find_letter(purpose: str, to: str) -> Letter:
    letter = Letter.objects.filter(pk=letter_named(purpose, to)).only("pk").first()
    if letter is None:
        raise NoSuchAddress
    return letter


def fingerprint(source: bytes) -> str:
    """What tells one mail from another: its Message-ID, or all of it where it has none."""
    return sha256(message_id(head_of(source[:KEPT])).encode() or source).hexdigest()


def erase(now: datetime) -> int:
    """Forget what stood in replies, when what stood in letters is forgotten."""
    old = now - keeping.KEPT
    over = Q(letter__match__ended_at__lt=old) | Q(letter__match=None, received_at__lt=old)
    gone = Reply.objects.exclude(state=Reply.State.WAITING).exclude(source=b"")
    return gone.filter(over).update(source=b"", sender="")


# ── from a provider ──


@receiver(inbound)
def receive_from_provider(event: Any, **_: Any) -> None:
    """A mail that a provider took in for us. It is told "thank you" in any case: to try again would not help."""
    message = event.message
    source = in_bytes(message)
    if len(source) > LARGEST:
        log.warning("A mail of %d bytes was dropped: it is too large.", len(source))
        return
    sender = getattr(message, "envelope_sender", None)
    for to in addressees(message):
        try:
            receive(source, to, sender=(sender or NOBODY) if sender is not None else "", now=clock.now())
        except NoSuchAddress:
            continue
        return
    log.info("A mail was dropped: it answers none of our letters.")


def addressees(message: Message) -> Iterator[str]:
    """Whom it was sent to; the envelope first, which may say more than the mail does."""
    yield getattr(message, "envelope_recipient", None) or ""
    written = [str(value) for name in ADDRESSED for value in message.get_all(name, [])]
    yield from (address for _, address in getaddresses(written))


def in_bytes(message: Message) -> bytes:
    try:
        return message.as_bytes()
    except (UnicodeError, ValueError, LookupError, AttributeError, TypeError):  # a charset or a header past mending
        return str(message).encode("utf-8", "replace")
    except RecursionError:  # more envelopes in each other than can be put together again
        message.set_payload("")
        return in_bytes(message)
