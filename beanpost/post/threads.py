"""What keeps the letters of a match together in a mailbox."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Q

from beanpost.play.models import Match
from beanpost.play.tickets import mark
from beanpost.post.models import Letter

VOLUME = 80  # Gmail cuts a conversation at a hundred letters: a new one is begun before that


def message_id(letter: Letter) -> str:
    """Unique, and the same however often the letter is sent."""
    return named("letter", letter.pk)


def root(letter: Letter, went: int) -> str:
    """What all letters of a match answer to. It was never sent: so no provider can have rewritten it."""
    return named("thread", letter.match_id, letter.recipient_id, went // VOLUME)


def named(*what: object) -> str:
    purpose, *values = what
    return f"<{mark(str(purpose), *values)}@{settings.SITE_HOST}>"


# ── what went before ──


class Before(NamedTuple):
    """How long the log is, and how many letters its match has sent to a reader."""

    length: int
    went: int
    from_table: int  # others from the table itself, the first of which tells who sits where


def before(letter: Letter) -> Before:
    """Look back with two queries, the only ones that each letter of a batch needs for itself."""
    assert letter.match_id is not None
    # The letter itself, or the one it stands for, which may have been sent again more than once.
    since = letter.values.get("instead_of", letter.pk)
    from_table = Q(kind__in=("started", "turn")) & ~Q(pk__range=(since, letter.pk))
    sent = Letter.objects.filter(match=letter.match_id, recipient=letter.recipient_id, state=Letter.State.SENT)
    counts = sent.aggregate(went=Count("pk"), from_table=Count("pk", filter=from_table))
    return Before(Match.objects.values_list("length", flat=True).get(pk=letter.match_id), **counts)
