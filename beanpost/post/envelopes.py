"""A letter as a mail message: with the headers a turn mail needs, and again exactly as it was stored."""

from __future__ import annotations

import re
from datetime import datetime
from email import message_from_bytes, policy
from email.utils import format_datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, SafeMIMEMultipart

from beanpost.post import threads
from beanpost.post.links import link
from beanpost.post.models import Letter

REBUILT = {"subject", "from", "to", "content-type", "mime-version"}  # every mail backend writes these itself


class Message(EmailMultiAlternatives):
    """Text first, then HTML. Anymail passes `metadata` on: it comes back with bounces, whatever was rewritten."""

    metadata: dict[str, Any]


def fresh(letter: Letter, subject: str, text: str, html: str, headers: dict[str, str], to: str) -> Message:
    message = Message(subject, text, settings.DEFAULT_FROM_EMAIL, [to], headers=headers)
    message.attach_alternative(html, "text/html")
    message.metadata = {"letter": letter.pk}
    return message


def unfolded(source: bytes) -> bytes:
    """The message with no header left empty on its first line: not everybody looks for a link on the second."""
    head, blank, body = source.partition(b"\n\n")
    return re.sub(rb": *\n +", b": ", head) + blank + body


def headers(letter: Letter, seat_ticket: str, player_ticket: str, now: datetime) -> dict[str, str]:
    head = {
        "Message-ID": threads.message_id(letter),
        "Date": format_datetime(now),
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "OOF, NRN, AutoReply, RN",
    }
    if letter.match:
        root = threads.root(letter)
        head |= {"In-Reply-To": root, "References": root}
        head["List-Id"] = f"<{letter.match.code}.{settings.SITE_HOST}>"
    return head | unsubscribing(letter, seat_ticket, player_ticket)


def unsubscribing(letter: Letter, seat_ticket: str, player_ticket: str) -> dict[str, str]:
    """Who plays can stop the reminders with one click. Who is only invited is asked before we fall silent for good."""
    if letter.kind == "invitation":
        return {"List-Unsubscribe": f"<{link('never', player_ticket)}>"}
    if letter.match and seat_ticket:
        one_click = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}  # RFC 8058
        return {"List-Unsubscribe": f"<{link('unsubscribe', seat_ticket)}>"} | one_click
    return {}


class AsStored(SafeMIMEMultipart):
    """A message whose bytes are known already."""

    source: bytes

    # Written for Django 5.2; the stubs describe Django 6, whose messages take a policy instead.
    def as_bytes(self, unixfrom: bool = False, linesep: str = "\n") -> bytes:  # type: ignore[override]
        return self.source.replace(b"\n", linesep.encode())


class Stored(Message):
    """A letter to be sent as it was written. SMTP gets its bytes; a provider's interface is told the same in parts."""

    def __init__(self, letter: Letter) -> None:
        self.source = bytes(letter.source)
        head = message_from_bytes(self.source, policy=policy.default)
        kept = {name: str(value) for name, value in head.items() if name.lower() not in REBUILT}
        super().__init__(letter.subject, letter.text, str(head["From"]), [letter.address], headers=kept)
        self.attach_alternative(letter.html, "text/html")
        self.metadata = {"letter": letter.pk}

    def message(self) -> AsStored:  # type: ignore[override]
        message = AsStored("alternative")
        message.source = self.source
        return message
