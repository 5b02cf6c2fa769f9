"""How long the post room keeps what stood in letters, and how it forgets that. The envelopes are kept."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from beanpost.players.models import Player
from beanpost.post.models import Body, Letter, Reply

KEPT = timedelta(days=30)  # how long bodies are kept after the end of a match


def erase(now: datetime) -> int:
    """Forget what stood in letters, some time after their match has ended or, where there is none, after they went."""
    return empty(forgotten(Letter.objects.all(), now))


def forgotten(letters: QuerySet[Letter], now: datetime) -> QuerySet[Letter]:
    """Those of the letters of which the envelopes alone are kept by now."""
    old = now - KEPT
    over = Q(match__ended_at__lt=old) | Q(match=None, created_at__lt=old)
    return letters.exclude(state__in=Letter.ON_THE_WAY).filter(over)


def empty(letters: QuerySet[Letter]) -> int:
    """Keep the envelopes alone; how many bodies there were."""
    letters.exclude(values={}, options=[], asked={}).update(values={}, options=[], asked={})
    return Body.objects.filter(letter__in=letters).delete()[0]


def hold_all(player_id: int) -> None:
    """Let nobody else change what was ever written to somebody, nor read what they answered, until the transaction is
    over.
    """
    letters = Letter.objects.filter(recipient=player_id)
    for rows in (Reply.objects.filter(letter__in=letters.values("pk")), letters):  # no letter with its reply
        list(rows.order_by("pk").select_for_update().values_list("pk", flat=True))


def forget(player: Player) -> None:
    """Erase all that was ever written to somebody, and what they answered."""
    letters = Letter.objects.filter(recipient=player)
    letters.filter(state__in=Letter.ON_THE_WAY).update(state=Letter.State.DROPPED)
    empty(letters)
    letters.update(address="", subject="")
    Reply.objects.filter(letter__recipient=player).update(sender="", source=b"")
