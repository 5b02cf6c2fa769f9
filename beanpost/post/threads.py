"""What keeps the letters of a match together in a mailbox."""

from __future__ import annotations

from django.conf import settings

from beanpost.play.tickets import mark
from beanpost.post.models import Letter

VOLUME = 80  # Gmail cuts a conversation at a hundred letters: a new one is begun before that


def message_id(letter: Letter) -> str:
    """Unique, and the same however often the letter is sent."""
    return named("letter", letter.pk)


def root(letter: Letter) -> str:
    """What all letters of a match answer to. It was never sent: so no provider can have rewritten it."""
    before = Letter.objects.filter(recipient=letter.recipient_id, match=letter.match_id, state=Letter.State.SENT)
    return named("thread", letter.match_id, letter.recipient_id, before.count() // VOLUME)


def named(*what: object) -> str:
    purpose, *values = what
    return f"<{mark(str(purpose), *values)}@{settings.SITE_HOST}>"
