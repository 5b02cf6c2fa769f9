"""Rate limit for letters: a provider's limit per minute, shared by all senders.

It counts the last sixty seconds whenever it is checked, so there is no window to wait for and no burst where two
windows meet. A batch counts from when it is claimed until a minute after its last letter was handed over, because a
mail server may be slow. Without a limit senders count nothing.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction

from beanpost.post.models import Meter

SPAN = 60  # seconds


def count_allowed(now: datetime) -> int:
    """Return how many letters may be claimed now. Call it in a transaction: the row lock makes other senders wait."""
    meter = Meter.objects.select_for_update().get_or_create(pk=1)[0]
    return max(0, settings.LETTERS_PER_MINUTE - sum(count for _, count in filter_recent(meter, now)))


def count_claimed(now: datetime, count: int) -> None:
    """Add newly claimed letters to the count. Call it in the transaction of `count_allowed`."""
    meter = Meter.objects.get(pk=1)
    meter.taken = [*filter_recent(meter, now), (now.timestamp(), count)]
    meter.save(update_fields=["taken"])


@transaction.atomic
def recount_batch(now: datetime, count: int, since: datetime) -> datetime:
    """Count a batch from now on instead of from `since`: one of its letters has just gone. Return now."""
    meter = Meter.objects.select_for_update().get(pk=1)
    others = filter_recent(meter, now)
    if (since.timestamp(), count) in others:
        others.remove((since.timestamp(), count))
    meter.taken = [*others, (now.timestamp(), count)]
    meter.save(update_fields=["taken"])
    return now


def filter_recent(meter: Meter, now: datetime) -> list[tuple[float, int]]:
    """Return the claims of the last minute: when, and how many letters."""
    return [(at, count) for at, count in meter.taken if at > now.timestamp() - SPAN]
