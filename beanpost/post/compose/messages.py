"""Headers of a letter, and the stored letter as a Django email for providers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import format_datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from beanpost.post import kinds, mime
from beanpost.post.compose import threads
from beanpost.post.models import Letter
from beanpost.post.outbox import addresses
from beanpost.post.unsubscribe import find_way
from beanpost.site.links import link
from games.contract.seats import seat_label

MAX_COMMITMENTS = 10  # in one header: a line of an email has at most 998 characters; the text part has all

REBUILT = {"subject", "from", "to", "content-type", "mime-version"}  # every mail backend writes these itself


class Message(EmailMultiAlternatives):
    """An email whose `metadata` Anymail passes on. A bounce brings it back, even if the Message-ID was rewritten."""

    metadata: dict[str, Any]


def build_headers(letter: Letter, context: Mapping[str, Any], now: datetime) -> dict[str, str]:
    head = {
        "Message-ID": threads.make_message_id(letter),
        "Date": format_datetime(now),
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "OOF, NRN, AutoReply, RN",
    }
    if root := find_thread(letter, context):
        head |= {"In-Reply-To": root, "References": root}
    if letter.match:
        head["List-Id"] = f"<{letter.match.code}.{settings.SITE_HOST}>"
    return head | build_evidence_headers(letter, context) | build_unsubscribe_headers(letter, context)


def find_thread(letter: Letter, context: Mapping[str, Any]) -> str:
    """Return the id of the thread that a letter belongs to: a match's, or a league's; "" if it stands alone."""
    if letter.match:
        return threads.make_thread_id(letter, context["sent_count"])
    if "thread" in letter.values:
        return threads.make_thread_id_without_match(letter)
    return threads.make_league_thread_id(context["league"].pk, letter) if context.get("league") else ""


def build_evidence_headers(letter: Letter, context: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers that mailboxes keep as evidence: digest of the last line, commitment, seats and their words.

    The words are ASCII with escapes, and each seat has a header of its own, so that no line is too long for email. The
    match's code stands before a digest: SpamAssassin takes two headers of mere hexadecimal digits for gibberish.
    """
    head, match = {}, context.get("match")
    if match and match.started_at:
        head["Beanpost-Head"] = f"{match.code} {match.head}"
    if match and (kinds.load()[letter.kind].invites or is_first(context)):
        head["Beanpost-Commitment"] = f"{match.code} {match.commitment}"
    if match and is_first(context):
        for place in context["scene"].places:
            head[f"Beanpost-Seat-{seat_label(place.seat)}"] = json.dumps([place.name, place.word, place.word_of_house])
    started = [one["match"] for one in context.get("questions", ()) if is_first(one)][:MAX_COMMITMENTS]
    if started:
        head["Beanpost-Commitment"] = ", ".join(f"{match.code} {match.commitment}" for match in started)
    return head


def is_first(context: Mapping[str, Any]) -> bool:
    """Return whether a letter tells the reader of the deal for the first time."""
    return bool(context.get("first") and context.get("scene"))


def build_unsubscribe_headers(letter: Letter, context: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers for one-click unsubscribing (RFC 8058), or only a link if one click must not be enough."""
    found = find_way(letter, context)
    if found is None:
        return {}
    link_there = f"<{link(found.page, found.ticket)}>"
    if not found.at_once:
        return {"List-Unsubscribe": link_there}
    ways = [link_there]
    if settings.INBOUND_DOMAIN:
        ways.append(f"<mailto:{addresses.build_address(addresses.UNSUBSCRIBE, letter.pk)}>")
    return {"List-Unsubscribe": ", ".join(ways), "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def unfold(value: str) -> str:
    """Return a header's value on one line."""
    return re.sub(r"\n[ \t]+", " ", value)


class ProviderMessage(Message):
    """A stored letter taken apart, for a provider's API."""

    def __init__(self, letter: Letter) -> None:
        source = letter.source
        text, html, calendar = mime.split_parts(source)
        super().__init__(letter.subject, text, to=[letter.address])
        head = message_from_bytes(source.partition(b"\n\n")[0])
        self.from_email = str(make_header(decode_header(head["From"])))
        self.extra_headers = {name: unfold(value) for name, value in head.items() if name.lower() not in REBUILT}
        mime.attach(self, html, calendar)
        mime.attach_pictures(self, source)
        self.metadata = {"letter": letter.pk}
