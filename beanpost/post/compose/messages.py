"""Headers of a letter, and the stored letter as a Django email for providers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import format_datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from beanpost.post import mime
from beanpost.post.compose import threads
from beanpost.post.models import Letter
from beanpost.post.outbox import addresses
from beanpost.post.unsubscribe import way
from beanpost.site_urls import link

REBUILT = {"subject", "from", "to", "content-type", "mime-version"}  # every mail backend writes these itself


class Message(EmailMultiAlternatives):
    """An email whose `metadata` Anymail passes on. A bounce brings it back, even if the Message-ID was rewritten."""

    metadata: dict[str, Any]


def headers(letter: Letter, said: Mapping[str, Any], now: datetime) -> dict[str, str]:
    head = {
        "Message-ID": threads.message_id(letter),
        "Date": format_datetime(now),
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "OOF, NRN, AutoReply, RN",
    }
    if letter.match:
        root = threads.root(letter, said["went"])
        head |= {"In-Reply-To": root, "References": root}
        head["List-Id"] = f"<{letter.match.code}.{settings.SITE_HOST}>"
    return head | unsubscribing(letter, said)


def unsubscribing(letter: Letter, said: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers for one-click unsubscribing (RFC 8058), or a plain link where a click would lose more."""
    found = way(letter, said)
    if found is None:
        return {}
    link_there = f"<{link(found.door, found.ticket)}>"
    if not found.at_once:
        return {"List-Unsubscribe": link_there}
    ways = [link_there]
    if settings.INBOUND_DOMAIN:
        ways.append(f"<mailto:{addresses.address(addresses.UNSUBSCRIBE, letter.pk)}>")
    return {"List-Unsubscribe": ", ".join(ways), "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def unfold(value: str) -> str:
    return re.sub(r"\n[ \t]+", " ", value)


class InParts(Message):
    """A stored letter taken apart, for a provider's API."""

    def __init__(self, letter: Letter) -> None:
        source = letter.source
        text, html, calendar = mime.parts(source)
        super().__init__(letter.subject, text, to=[letter.address])
        head = message_from_bytes(source.partition(b"\n\n")[0])
        self.from_email = str(make_header(decode_header(head["From"])))
        self.extra_headers = {name: unfold(value) for name, value in head.items() if name.lower() not in REBUILT}
        mime.attach(self, html, calendar)
        self.metadata = {"letter": letter.pk}
