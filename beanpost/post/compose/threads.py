"""Message-IDs: a letter's own names its number; others keep the letters of a match in one thread of a mailbox."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Q

from beanpost.play.tickets import BadTicket, make_fingerprint, redeem_number, sign_number
from beanpost.post.kinds import PLAYED
from beanpost.post.models import Letter

LETTERS_PER_THREAD = 80  # Gmail splits a conversation at a hundred letters, so start a new one before that
PURPOSE = "letter"
MESSAGE_ID = re.compile(r"<([a-z2-7]{39})@")
MAX_IDS = 20  # candidates in an email's headers that are checked


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
