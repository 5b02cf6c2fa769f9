"""Outages of our own: record them, and work out the time that players lost.

The first sweep after an outage records it; a time without letters counts too (beanpost/post/outbox/pause.py). The lost
time is given back question by question, when each falls due: so a restart neither times out players in a burst nor has
to update a million rows first.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import TypeAlias

from django.db import Error, connection, transaction

from beanpost.play import clock
from beanpost.play.models import Outage, Pulse
from beanpost.play.pace import LONGEST_SITTING, Pace

LONGEST_GAP = timedelta(minutes=5)  # a longer time without a sweep is an outage
MAX_CLOCK_ERROR = timedelta(minutes=1)  # a machine whose clock is further off does not sweep: deadlines are minutes
MAX_CLOCK_SKEW = timedelta(minutes=10)  # a heartbeat further in the future is not believed
OF_CHECKS = 2  # the row of Pulse that checks of the site's health write; the sweep's is 1
KEPT = 3 * LONGEST_SITTING  # longer than any question stays open, with grace periods and pauses

Span: TypeAlias = tuple[datetime, datetime]  # when an outage began and ended


def is_clock_right(now: datetime) -> bool:
    """Return whether this machine's clock agrees with the database's. Otherwise it must time nobody out."""
    return abs(now - read_database_time()) <= MAX_CLOCK_ERROR


def read_database_time() -> datetime:
    """Return the time of the database's machine, which all others share. SQLite runs on our own."""
    if connection.vendor == "sqlite":
        return clock.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


@transaction.atomic
def record_heartbeat(now: datetime) -> Outage | None:
    """Record a heartbeat. Return the outage, if the last heartbeat was too long ago.

    A heartbeat from the future is not believed, nor is the outage that ended with it: another clock was wrong.
    """
    pulse = Pulse.objects.select_for_update().filter(pk=1).first()
    if pulse is None:
        Pulse.objects.get_or_create(pk=1, defaults={"beat_at": now})
        return None
    last, outage = pulse.beat_at, None
    if now - last > LONGEST_GAP:
        outage, _ = Outage.objects.get_or_create(began_at=last, defaults={"ended_at": now})
        Outage.objects.filter(ended_at__lt=now - KEPT).delete()
    if last - now > MAX_CLOCK_SKEW:
        Outage.objects.filter(ended_at__gt=now + MAX_CLOCK_SKEW).delete()
    if now > last or last - now > MAX_CLOCK_SKEW:
        Pulse.objects.filter(pk=1).update(beat_at=now)
    return outage


def can_store(now: datetime) -> bool:
    """Return whether the database stores a row and gives it back: on a full disk it only reads."""
    try:
        with transaction.atomic():  # a check by another process waits until we have read the row
            Pulse.objects.update_or_create(pk=OF_CHECKS, defaults={"beat_at": now})
            return Pulse.objects.get(pk=OF_CHECKS).beat_at == now
    except Error:
        return False


def record(began: datetime, ended: datetime) -> None:
    """Record an outage that the heartbeat does not show, or how long it has lasted so far."""
    Outage.objects.update_or_create(began_at=began, defaults={"ended_at": ended})


def find_last_heartbeat() -> datetime | None:
    return Pulse.objects.values_list("beat_at", flat=True).filter(pk=1).first()


def list_outages(since: datetime, until: datetime) -> list[Span]:
    """Return the outages between two instants, with the one that has just ended and that no sweep has recorded yet."""
    found = list(Outage.objects.filter(ended_at__gt=since, began_at__lt=until).values_list("began_at", "ended_at"))
    last = find_last_heartbeat()
    return [*found, (last, until)] if last and until - last > LONGEST_GAP else found


def find_lost_spans(since: datetime, until: datetime, known: Sequence[Span] | None = None) -> list[Span]:
    """Return the parts of a time that fell into outages. Pass `known` outages to save a query.

    Two sweepers may record the same outage, so spans are merged: none overlaps another.
    """
    if since >= until:
        return []
    merged: list[Span] = []
    for began, ended in sorted(list_outages(since, until) if known is None else known):
        begins, ends = max(began, since, merged[-1][1] if merged else since), min(ended, until)
        if begins < ends:
            merged.append((begins, ends))
    return merged


def measure_lost_time(spans: Sequence[Span], pace: Pace, zone: tzinfo) -> timedelta:
    """Return how long these outages were, as the pace counts it."""
    return sum((clock.measure_time(began, ended, pace, zone) for began, ended in spans), timedelta())
