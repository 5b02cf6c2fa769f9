"""How long the contents of letters are kept, and how they are erased. The envelopes stay."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from beanpost.players.models import Player
from beanpost.post.models import Body, Letter, Reply

KEPT = timedelta(days=30)  # after the end of the match


def erase(now: datetime) -> int:
    """Erase the contents of letters 30 days after their match has ended or, without a match, after they were queued."""
    return empty(forgotten(Letter.objects.all(), now))


def forgotten(letters: QuerySet[Letter], now: datetime) -> QuerySet[Letter]:
    """Return those of the letters whose contents are past their time."""
    old = now - KEPT
    over = Q(match__ended_at__lt=old) | Q(match=None, created_at__lt=old)
    return letters.exclude(state__in=Letter.ON_THE_WAY).filter(over)


def empty(letters: QuerySet[Letter]) -> int:
    """Erase the contents of letters, keep their envelopes, and return the number of erased bodies."""
    letters.exclude(values={}, options=[], asked={}).update(values={}, options=[], asked={})
    return Body.objects.filter(letter__in=letters).delete()[0]


def hold_all(player_id: int) -> None:
    """Lock every letter to a player, and every reply, until the transaction ends."""
    letters = Letter.objects.filter(recipient=player_id)
    for rows in (Reply.objects.filter(letter__in=letters.values("pk")), letters):  # no join: it locks both
        list(rows.order_by("pk").select_for_update().values_list("pk", flat=True))


def forget(player: Player) -> None:
    """Erase the contents of all letters to a player, and of their replies."""
    letters = Letter.objects.filter(recipient=player)
    letters.filter(state__in=Letter.ON_THE_WAY).update(state=Letter.State.DROPPED)
    empty(letters)
    letters.update(address="", subject="")
    Reply.objects.filter(letter__recipient=player).update(sender="", source=b"")
