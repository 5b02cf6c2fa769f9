"""The house's own faults: what they cost a player in time is given back.

An outage is noted by the first sweep after it and made good wherever a question falls due, one at a time: after a
restart nobody is timed out in a burst, and nobody waits for a million rows to be written.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from beanpost.play.models import Outage, Pulse, Wait

A_FEW_MINUTES = timedelta(minutes=5)  # without a sweep: an outage
AN_HOUR = timedelta(hours=1)  # no two clocks differ by so much: a beat further ahead was that of a wrong one
KEPT = timedelta(days=120)  # no question is older
ZERO = timedelta()


@transaction.atomic
def beat(now: datetime) -> Outage | None:
    """The heart beats. If it has not for a while, that was an outage."""
    pulse = Pulse.objects.select_for_update().filter(pk=1).first()
    if pulse is None:
        Pulse.objects.get_or_create(pk=1, defaults={"beat_at": now})
        return None
    last, outage = pulse.beat_at, None
    if now - last > A_FEW_MINUTES:
        outage, _ = Outage.objects.get_or_create(began_at=last, defaults={"ended_at": now})
        Outage.objects.filter(ended_at__lt=now - KEPT).delete()
    if now > last or last - now > AN_HOUR:
        Pulse.objects.filter(pk=1).update(beat_at=now)
    return outage


def last_beat() -> datetime | None:
    return Pulse.objects.values_list("beat_at", flat=True).filter(pk=1).first()


def lost(wait: Wait, now: datetime) -> timedelta:
    """How much of a sitting fell into outages that were not made good yet."""
    since = max(wait.since, wait.credited_at or wait.since)
    outages = Outage.objects.filter(ended_at__gt=since, began_at__lt=now).values_list("began_at", "ended_at")
    return sum((min(ended, now) - max(began, since) for began, ended in outages), ZERO)
