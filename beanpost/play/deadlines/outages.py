"""Outages of our own: record them, and work out the time that players lost.

The first sweep after an outage records it. The lost time is given back question by question, when each falls due: so a
restart neither times out players in a burst nor has to update a million rows first.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from beanpost.play.models import Outage, Pulse, Wait

LONGEST_GAP = timedelta(minutes=5)  # a longer time without a sweep is an outage
MOST_CLOCK_SKEW = timedelta(hours=1)  # a heartbeat further ahead than that came from a wrong clock
KEPT = timedelta(days=120)  # longer than any question stays open
ZERO = timedelta()


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


def measure_lost_time(wait: Wait, now: datetime) -> timedelta:
    """Return how much of a sitting fell into outages that have not been credited yet."""
    since = max(wait.since, wait.credited_at or wait.since)
    if since >= now:
        return ZERO
    outages = Outage.objects.filter(ended_at__gt=since, began_at__lt=now).values_list("began_at", "ended_at")
    return sum((min(ended, now) - max(began, since) for began, ended in outages), ZERO)
