"""Letters that anybody can ask us for by typing an address: few enough to fill nobody's mailbox."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post import outbox
from beanpost.post.models import Letter

MOST_AN_HOUR = 5  # of each kind, to one person


def write(to: Player, kind: str, values: dict[str, Any], *, now: datetime, match: Match | None = None) -> None:
    """Queue a letter that was asked for. The hour's number is its key, so the database counts with us."""
    hour = f"asked/{now:%y%m%d%H}/"
    asked = Letter.objects.filter(recipient=to, kind=kind, key__startswith=hour).count()
    if asked < MOST_AN_HOUR:
        outbox.queue(to, kind, f"{hour}{asked}", values, now=now, match=match)
