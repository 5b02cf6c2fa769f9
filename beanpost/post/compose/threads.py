"""Message-IDs that keep the letters of a match in one thread of a mailbox."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings

from beanpost.database.plain_sql import read_numbers
from beanpost.play.tickets import make_fingerprint
from beanpost.post.models import Letter

VOLUME = 80  # Gmail splits a conversation at a hundred letters, so start a new one before that


def message_id(letter: Letter) -> str:
    """Return the letter's Message-ID, the same for every attempt."""
    return named("letter", letter.pk)


def root(letter: Letter, went: int) -> str:
    """Return the id that all letters of a match refer to. No letter has it, so no provider can have rewritten it."""
    return named("thread", letter.match_id, letter.recipient_id, went // VOLUME)


def league_root(league: int, letter: Letter) -> str:
    """Return the id that all letters of a league to one reader refer to."""
    return named("league-thread", league, letter.recipient_id)


def root_without_match(letter: Letter) -> str:
    """Return the root of a letter that is about a match but queued without it: the table is gone, or not theirs."""
    match = letter.values["thread"]
    went = Letter.objects.filter(match=match, recipient=letter.recipient_id, state=Letter.State.SENT).count()
    return named("thread", match, letter.recipient_id, went // VOLUME)


def named(*what: object) -> str:
    purpose, *values = what
    return f"<{make_fingerprint(str(purpose), *values)}@{settings.SITE_HOST}>"


# ── earlier letters ──

# By plain SQL: on SQLite 0.08 ms, beside other work, where the ORM takes 2.8 ms and needs two queries.
BEFORE = """
    SELECT play_match.length, COUNT(sent.id),
        COUNT(CASE WHEN sent.kind IN ('started', 'turn') AND sent.id NOT BETWEEN %s AND %s THEN 1 END)
    FROM play_match
    LEFT JOIN post_letter sent ON sent.match_id = play_match.id AND sent.recipient_id = %s AND sent.state = 'sent'
    WHERE play_match.id = %s
    GROUP BY play_match.length
"""


class Before(NamedTuple):
    """The length of the log, and counts of the letters that the match has sent to a reader."""

    length: int
    went: int
    from_table: int  # earlier letters of the table itself; the first one introduces the players


def before(letter: Letter) -> Before:
    """Count earlier letters with one query, the only one that each letter of a batch needs for itself."""
    # The letter itself, or the one it replaces, possibly through several replacements.
    since = letter.values.get("instead_of", letter.pk)
    return Before(*read_numbers(BEFORE, [since, letter.pk, letter.recipient_id, letter.match_id]))
