"""Headers of a letter, its Message-ID and thread, and the stored letter as a Django email for providers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import format_datetime
from itertools import islice
from typing import Any, NamedTuple

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Count, Q

from beanpost.play.tickets import BadTicket, make_fingerprint, redeem_number, sign_number
from beanpost.post import kinds, mime
from beanpost.post.kinds import PLAYED
from beanpost.post.models import Letter
from beanpost.post.outbox import addresses
from beanpost.post.unsubscribe import find_way
from beanpost.site.links import link
from games.contract.seats import seat_label

LETTERS_PER_THREAD = 80  # Gmail splits a conversation at a hundred letters, so start a new one before that
PURPOSE = "letter"
MESSAGE_ID = re.compile(r"<([a-z2-7]{39})@")
MAX_IDS = 20  # candidates in an email's headers that are checked
MAX_COMMITMENTS = 10  # in one header: a line of an email has at most 998 characters; the text part has all
REBUILT = {"subject", "from", "to", "content-type", "mime-version"}  # every mail backend writes these itself


class Message(EmailMultiAlternatives):
    """An email whose `metadata` Anymail passes on. A bounce brings it back, even if the Message-ID was rewritten."""

    metadata: dict[str, Any]


def build_headers(letter: Letter, context: Mapping[str, Any], now: datetime) -> dict[str, str]:
    head = {
        "Message-ID": make_message_id(letter),
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
        return make_thread_id(letter, context["sent_count"])
    if "thread" in letter.values:
        return make_thread_id_without_match(letter)
    return make_league_thread_id(context["league"].pk, letter) if context.get("league") else ""


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
        completed = message_from_bytes(letter.source)
        text, html, calendar = mime.read_parts(completed)
        super().__init__(letter.subject, text, to=[letter.address])
        self.from_email = str(make_header(decode_header(completed["From"])))
        self.extra_headers = {name: unfold(value) for name, value in completed.items() if name.lower() not in REBUILT}
        mime.attach(self, html, calendar)
        mime.attach_pictures(self, completed)
        self.metadata = {"letter": letter.pk}


# ── Message-IDs: a letter's own names its number; others keep the letters of a match in one thread of a mailbox ──


def make_message_id(letter: Letter) -> str:
    """Return the letter's Message-ID, the same for every attempt."""
    return f"<{sign_number(PURPOSE, letter.pk)}@{settings.SITE_HOST}>"


def find_letter_ids(references: str) -> Iterator[int]:
    """Yield the number of each letter whose Message-ID stands in a header, the latest first."""
    for token in islice(reversed(MESSAGE_ID.findall(references)), MAX_IDS):
        with suppress(BadTicket):
            yield redeem_number(PURPOSE, token)


def make_thread_id(letter: Letter, sent_count: int) -> str:
    """Return the id that all letters of a match refer to. No letter has it, so no provider can have rewritten it."""
    return make_id("thread", letter.match_id, letter.recipient_id, sent_count // LETTERS_PER_THREAD)


def make_league_thread_id(league: int, letter: Letter) -> str:
    """Return the id that all letters of a league to one reader refer to."""
    return make_id("league-thread", league, letter.recipient_id)


def make_thread_id_without_match(letter: Letter) -> str:
    """Return the thread id of a letter about a match that was queued without it, as the reader has no seat there."""
    match = letter.values["thread"]
    sent_count = Letter.objects.filter(match=match, recipient=letter.recipient_id, state=Letter.State.SENT).count()
    return make_id("thread", match, letter.recipient_id, sent_count // LETTERS_PER_THREAD)


def make_id(*what: object) -> str:
    purpose, *values = what
    return f"<{make_fingerprint(str(purpose), *values)}@{settings.SITE_HOST}>"


# ── earlier letters ──


class EarlierLetters(NamedTuple):
    """The length of the log, and counts of the letters that the match has sent to a reader."""

    length: int
    sent_count: int
    from_table: int  # earlier letters of the table itself; the first one introduces the players
    unacknowledged: int  # moves by reply that no letter has acknowledged yet


def count_earlier_letters(letter: Letter) -> EarlierLetters:
    """Count earlier letters with one query, the only one that each letter of a batch needs for itself."""
    # The letter itself, or the one it replaces, possibly through several replacements.
    itself = Q(pk__range=(letter.values.get("instead_of", letter.pk), letter.pk))
    sent = Q(state=Letter.State.SENT)
    to_reader = Letter.objects.filter(match=letter.match_id, recipient=letter.recipient_id)
    counts = to_reader.values_list("match__length").annotate(
        sent_count=Count("pk", filter=sent),
        from_table=Count("pk", filter=sent & Q(kind__in=("started", "turn")) & ~itself),
        unacknowledged=Count("pk", filter=Q(kind=PLAYED, state__in=Letter.ON_THE_WAY)),
    )
    assert letter.match is not None
    return EarlierLetters(*next(iter(counts), (letter.match.length, 0, 0, 0)))  # a preview has no row
