"""What keeps the letters of a match together in a mailbox."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Count, FilteredRelation, Q, QuerySet

from beanpost.play import speech
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
    """In one look for every letter, which is put together once."""
    assert letter.match_id is not None
    since = letter.values.get("instead_of", letter.pk)
    ((row,),) = speech.fetched(speech.filled_in(looking_back, since, letter.pk, letter.recipient_id, letter.match_id))
    return Before(*row)


def looking_back(since: int, letter: int, recipient: int, match: int) -> QuerySet[Match, Any]:
    """`since`: the letter itself, or the one it stands for, which may have been sent again more than once."""
    sent = Q(letters__recipient=recipient, letters__state=Letter.State.SENT)
    from_table = Q(sent__kind__in=("started", "turn")) & ~Q(sent__pk__range=(since, letter))
    matches = Match.objects.filter(pk=match).annotate(sent=FilteredRelation("letters", condition=sent))
    return matches.values_list("length").annotate(went=Count("sent"), from_table=Count("sent", filter=from_table))
