"""How fast letters may go: a provider's limit, kept by all senders together.

Counted over the last sixty seconds whenever it is looked at: no window to wait for, and no burst where two windows
meet. Letters count when they are taken out of the outbox, and until a minute after the last of them was handed over: a
mail server may be slow. Without a limit nothing is counted.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction

from beanpost.post.models import Meter

SPAN = 60  # seconds


def allowed(now: datetime, wanted: int) -> int:
    """How many of so many letters may be taken out now. The caller is in a transaction, and others wait for it."""
    if not settings.LETTERS_PER_MINUTE:
        return wanted
    meter = Meter.objects.select_for_update().get_or_create(pk=1)[0]
    return max(0, min(wanted, settings.LETTERS_PER_MINUTE - sum(count for _, count in recent(meter, now))))


def note(now: datetime, count: int) -> None:
    """So many were taken out."""
    if settings.LETTERS_PER_MINUTE and count:
        meter = Meter.objects.get(pk=1)
        meter.taken = [*recent(meter, now), (now.timestamp(), count)]
        meter.save(update_fields=["taken"])


def handed_over(now: datetime, count: int, since: datetime) -> datetime:
    """One of so many letters has gone, which counted since then: they all count from now on."""
    if settings.LETTERS_PER_MINUTE and now > since:
        with transaction.atomic():
            meter = Meter.objects.select_for_update().get(pk=1)
            others = recent(meter, now)
            if (since.timestamp(), count) in others:
                others.remove((since.timestamp(), count))
            meter.taken = [*others, (now.timestamp(), count)]
            meter.save(update_fields=["taken"])
    return now


def recent(meter: Meter, now: datetime) -> list[tuple[float, int]]:
    return [(at, count) for at, count in meter.taken if at > now.timestamp() - SPAN]
