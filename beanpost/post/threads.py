"""What keeps the letters of a match together in a mailbox."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings

from beanpost.play import history
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


# One look for every letter. Instead of Match.objects.values_list("length").get(pk=…) and, of
# Letter.objects.filter(recipient=…, match=…, state=Letter.State.SENT), the count of all and of some kinds
BEFORE = """
    SELECT play_match.length, count(sent.id),
    count(CASE WHEN sent.kind IN ('started', 'turn') AND sent.id <> %s THEN 1 END)
    FROM play_match LEFT JOIN post_letter sent
    ON sent.match_id = play_match.id AND sent.recipient_id = %s AND sent.state = 'sent'
    WHERE play_match.id = %s GROUP BY play_match.length
"""


def before(letter: Letter) -> Before:
    ((row,),) = history.fetched((BEFORE, [letter.pk, letter.recipient_id, letter.match_id]))
    return Before(*row)
