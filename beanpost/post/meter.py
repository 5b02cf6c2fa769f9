"""How fast letters may go: a provider's limit, kept by all senders together.

Counted when letters are taken out of the outbox, over the last sixty seconds whenever they are looked at: no window to
wait for, and no burst where two windows meet. Without a limit nothing is counted.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

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


def recent(meter: Meter, now: datetime) -> list[tuple[float, int]]:
    return [(at, count) for at, count in meter.taken if at > now.timestamp() - SPAN]
