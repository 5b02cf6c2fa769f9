"""Outages of our own: record them, and work out the time that players lost.

The first sweep after an outage records it. The lost time is given back question by question, when each falls due: so a
restart neither times out players in a burst nor has to update a million rows first.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

from django.db import transaction

from beanpost.play.models import Outage, Pulse, Wait

LONGEST_GAP = timedelta(minutes=5)  # a longer time without a sweep is an outage
MOST_CLOCK_SKEW = timedelta(hours=1)  # a heartbeat further ahead than that came from a wrong clock
KEPT = timedelta(days=120)  # longer than any question stays open
ZERO = timedelta()

Span: TypeAlias = tuple[datetime, datetime]  # when an outage began and ended


@transaction.atomic
def record_heartbeat(now: datetime) -> Outage | None:
    """Record a heartbeat. Return the outage, if the last heartbeat was too long ago."""
    pulse = Pulse.objects.select_for_update().filter(pk=1).first()
    if pulse is None:
        Pulse.objects.get_or_create(pk=1, defaults={"beat_at": now})
        return None
    last, outage = pulse.beat_at, None
    if now - last > LONGEST_GAP:
        outage, _ = Outage.objects.get_or_create(began_at=last, defaults={"ended_at": now})
        Outage.objects.filter(ended_at__lt=now - KEPT).delete()
    if now > last or last - now > MOST_CLOCK_SKEW:
        Pulse.objects.filter(pk=1).update(beat_at=now)
    return outage


def find_last_heartbeat() -> datetime | None:
    return Pulse.objects.values_list("beat_at", flat=True).filter(pk=1).first()


def list_outages(since: datetime, until: datetime) -> list[Span]:
    return list(Outage.objects.filter(ended_at__gt=since, began_at__lt=until).values_list("began_at", "ended_at"))


def measure_lost_time(wait: Wait, now: datetime, known: Sequence[Span] | None = None) -> timedelta:
    """Return how much of a wait fell into outages not credited yet. Pass `known` outages to save a query."""
    since = max(wait.since, wait.credited_at or wait.since)
    if since >= now:
        return ZERO
    outages = list_outages(since, now) if known is None else known
    return sum((max(min(ended, now) - max(began, since), ZERO) for began, ended in outages), ZERO)
