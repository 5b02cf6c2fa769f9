"""Message-IDs that keep the letters of a match in one thread of a mailbox."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Q

from beanpost.play.models import Match
from beanpost.play.tickets import mark
from beanpost.post.models import Letter

VOLUME = 80  # Gmail splits a conversation at a hundred letters, so start a new one before that


def message_id(letter: Letter) -> str:
    """Return the letter's Message-ID, the same for every attempt."""
    return named("letter", letter.pk)


def root(letter: Letter, went: int) -> str:
    """Return the id that all letters of a match refer to. No letter has it, so no provider can have rewritten it."""
    return named("thread", letter.match_id, letter.recipient_id, went // VOLUME)


def named(*what: object) -> str:
    purpose, *values = what
    return f"<{mark(str(purpose), *values)}@{settings.SITE_HOST}>"


# ── earlier letters ──


class Before(NamedTuple):
    """The length of the log, and counts of the letters that the match has sent to a reader."""

    length: int
    went: int
    from_table: int  # earlier letters of the table itself; the first one introduces the players


def before(letter: Letter) -> Before:
    """Count earlier letters, with the only two queries that each letter of a batch needs for itself."""
    assert letter.match_id is not None
    # The letter itself, or the one it replaces, possibly through several replacements.
    since = letter.values.get("instead_of", letter.pk)
    from_table = Q(kind__in=("started", "turn")) & ~Q(pk__range=(since, letter.pk))
    sent = Letter.objects.filter(match=letter.match_id, recipient=letter.recipient_id, state=Letter.State.SENT)
    counts = sent.aggregate(went=Count("pk"), from_table=Count("pk", filter=from_table))
    return Before(Match.objects.values_list("length", flat=True).get(pk=letter.match_id), **counts)
