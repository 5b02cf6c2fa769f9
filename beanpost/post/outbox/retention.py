"""Erase old letters: bytes after five days, contents a month after the match, envelopes after ENVELOPES_KEPT_DAYS."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from beanpost.play.models import Wait
from beanpost.players.models import Player
from beanpost.post.models import Body, Letter, Reply

KEPT = timedelta(days=30)  # after the end of the match
BYTES_KEPT = timedelta(days=5)  # after sending; they take more than a third of a running match's space
BATCH = 500
SECONDS_PER_RUN = 20  # seconds; the hourly task goes on until nothing is left


def erase_contents(now: datetime) -> int:
    """Erase the contents of letters 30 days after their match has ended or, without a match, after they were queued."""
    filled = Q(body__isnull=False) | ~Q(values={}, options=[], asked={}, subject="")
    return run_in_batches(filter_expired(Letter.objects.filter(filled), now), empty_letters)


def erase_bytes(now: datetime) -> int:
    """Erase the bytes of letters that were sent some days ago. The moves they offered stay, to answer late replies.

    Letters about open questions keep theirs: reading a reply needs them to tell its own words from quoted ones.
    """
    sent = Letter.objects.filter(state=Letter.State.SENT, due_at__lt=now - BYTES_KEPT)  # due_at: just after sending
    # Letters are numbered as they are queued: this bounds the search to the oldest bodies.
    last = sent.order_by("-due_at", "-pk").values_list("pk", flat=True).first()
    if last is None:
        return 0
    still_open = Wait.objects.filter(
        match=OuterRef("match"),
        seat=F("match__places__seat"),
        match__places__player=OuterRef("recipient"),
        asked_at__lte=OuterRef("due_at"),
    )
    old = sent.filter(body__letter__lte=last, match__isnull=False).exclude(Exists(still_open))
    return run_in_batches(old, lambda letters: Body.objects.filter(letter__in=letters).delete()[0])


def prune(now: datetime) -> int:
    """Delete the envelopes of matches that ended long ago, and old ones without a match. No more reports arrive."""
    over = now - timedelta(days=settings.ENVELOPES_KEPT_DAYS)
    old = Letter.objects.exclude(state__in=Letter.ON_THE_WAY).filter(
        Q(match__ended_at__lt=over) | Q(match=None, created_at__lt=over), body=None, reports=None
    )
    return run_in_batches(old, lambda letters: letters.delete()[0])


def run_in_batches(letters: QuerySet[Letter], handle: Callable[[QuerySet[Letter]], int]) -> int:
    """Handle old letters a few at a time, so that no lock is held for long, until none is left or the time is up."""
    done, end = 0, time.monotonic() + SECONDS_PER_RUN
    while numbers := list(letters.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        done += handle(Letter.objects.filter(pk__in=numbers))
        if len(numbers) < BATCH or time.monotonic() > end:
            break
    return done


def filter_expired(letters: QuerySet[Letter], now: datetime) -> QuerySet[Letter]:
    """Return those of the letters whose contents are past their time."""
    old = now - KEPT
    over = Q(match__ended_at__lt=old) | Q(match=None, created_at__lt=old)
    return letters.exclude(state__in=Letter.ON_THE_WAY).filter(over)


def filter_unsendable(letters: QuerySet[Letter], now: datetime) -> QuerySet[Letter]:
    """Return those of the letters that cannot be resent unchanged: their contents are erased, or about to be."""
    return letters.filter(Q(pk__in=filter_expired(letters, now)) | Q(sent_at__isnull=False, body=None))


def empty_letters(letters: QuerySet[Letter]) -> int:
    """Erase the contents of letters, keep their envelopes, and return the number of erased bodies."""
    empty = {"values": {}, "options": [], "asked": {}, "subject": ""}  # subjects name the others at the table
    letters.exclude(**empty).update(**empty)
    return Body.objects.filter(letter__in=letters).delete()[0]


def lock_letters(player_id: int) -> None:
    """Lock every letter to a player, and every reply, until the transaction ends."""
    letters = Letter.objects.filter(recipient=player_id)
    for rows in (Reply.objects.filter(letter__in=letters.values("pk")), letters):  # no join: it locks both
        list(rows.order_by("pk").select_for_update().values_list("pk", flat=True))


def forget_letters(player: Player) -> None:
    """Erase the contents of all letters to a player, and of their replies."""
    letters = Letter.objects.filter(recipient=player)
    letters.filter(state__in=Letter.ON_THE_WAY).update(state=Letter.State.DROPPED)
    empty_letters(letters)
    letters.update(address="")
    Reply.objects.filter(letter__recipient=player).update(sender="", source=b"")
