"""Time. The only place that looks at a clock; everybody else is told what time it is.

All but `now` are pure functions of instants, a pace and a player's zone. Two things are told apart: on days that do
not count the clock stands still; in the quiet hours it runs, but it never runs out.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from django.utils import timezone

from beanpost.play.pace import Pace

MORNING = 2  # hours after the quiet ones in which nobody's time is up: there must be time to get up
DAY = timedelta(days=1)
MIDNIGHT = time(0)
ZERO = timedelta()


def now() -> datetime:
    return timezone.now()


def due(since: datetime, pace: Pace, zone: tzinfo, *, bank: timedelta = ZERO, window: bool = False) -> datetime:
    """When the time for a sitting is up. A window, in which others may speak too, has a limit of its own."""
    if window:
        return settled(after(since, pace.market, pace, zone), pace, zone)
    return settled(after(since, pace.allowance + bank, pace, zone), pace, zone)


def settled(at: datetime, pace: Pace, zone: tzinfo) -> datetime:
    """The first instant from then on at which time may be up: at the fixed hour, on a day that counts, by daylight."""
    return by_daylight(on_the_hour(at, pace, zone), pace, zone, morning=MORNING)


def reminder(since: datetime, due: datetime, pace: Pace, zone: tzinfo, *, window: bool = False) -> datetime | None:
    """When to remind, once: with a quarter of the time left, by daylight. None: there is no good moment."""
    span = pace.market if window else pace.allowance
    at = by_daylight(after(since, span * 3 / 4, pace, zone), pace, zone, morning=0)
    return at if at < due else None


def next_at(hour: int, zone: tzinfo, now: datetime, *, not_on: date | None = None) -> datetime:
    """The next instant that shows this hour there, on a later day than the given one."""
    day = now.astimezone(zone).date()
    if not_on is not None:
        day = max(day, not_on + DAY)
    while (at := instant(day, time(hour), zone)) <= now:
        day += DAY
    return at


# ── days that count ──────────────────────────────────────────────────────────────────────────────


def after(since: datetime, span: timedelta, pace: Pace, zone: tzinfo) -> datetime:
    """The instant when so much time has run since, on days that count.

    >>> from beanpost.play.pace import PACES
    >>> friday = datetime(2026, 11, 20, 18, tzinfo=UTC)
    >>> print(after(friday, timedelta(hours=12), PACES["weekend-free"], UTC))
    2026-11-23 06:00:00+00:00
    """
    if pace.counts_every_day:
        return since + span
    for begins, ends in counted_days(since, pace, zone):
        if span <= ends - begins:
            return begins + span
        span -= ends - begins
    raise AssertionError("Days never end.")


def running(since: datetime, until: datetime, pace: Pace, zone: tzinfo) -> timedelta:
    """How much time has run between two instants, on days that count."""
    if pace.counts_every_day:
        return max(until - since, ZERO)
    total = ZERO
    for begins, ends in counted_days(since, pace, zone):
        if begins >= until:
            break
        total += min(ends, until) - begins
    return total


def counted_days(since: datetime, pace: Pace, zone: tzinfo) -> Iterator[tuple[datetime, datetime]]:
    """From then on, the beginning and end of every day that counts."""
    at = since
    while True:
        today = at.astimezone(zone).date()
        tomorrow = instant(today + DAY, MIDNIGHT, zone, later_than=at)
        if pace.counts(today):
            yield at, tomorrow
        at = tomorrow


# ── hours ────────────────────────────────────────────────────────────────────────────────────────


def on_the_hour(at: datetime, pace: Pace, zone: tzinfo) -> datetime:
    """The first instant from then on that shows the fixed hour, where the pace has one."""
    if pace.hour is None:
        return at
    day = at.astimezone(zone).date()
    while (candidate := instant(day, time(pace.hour), zone)) < at or not pace.counts(day):
        day += DAY
    return candidate


def by_daylight(at: datetime, pace: Pace, zone: tzinfo, *, morning: int) -> datetime:
    """The first instant from then on that is on a day that counts, and not in the quiet hours or the morning."""
    while True:
        local = at.astimezone(zone)
        if not pace.counts(local.date()):
            at = instant(local.date() + DAY, MIDNIGHT, zone, later_than=at)
        elif pace.is_quiet(local.hour, morning=morning):
            at = end_of_quiet(local, pace, zone, morning=morning)
        else:
            return at


def end_of_quiet(local: datetime, pace: Pace, zone: tzinfo, *, morning: int) -> datetime:
    assert pace.quiet is not None
    end = time((pace.quiet[1] + morning) % 24)
    day = local.date() if local.time() < end else local.date() + DAY
    return instant(day, end, zone, later_than=local)


def instant(day: date, hour: time, zone: tzinfo, *, later_than: datetime | None = None) -> datetime:
    """The first instant at which a clock on the wall shows this hour of this day, or has jumped over it.

    Where clocks are put back it shows the hour twice: `later_than` tells which one is meant.
    """
    first, second = (datetime.combine(day, hour.replace(fold=fold), zone).astimezone(UTC) for fold in (0, 1))
    if second < first:  # clocks are put forward over it
        first = second = leap(second, first, zone)
    return second if later_than is not None and first <= later_than else first


def leap(before: datetime, behind: datetime, zone: tzinfo) -> datetime:
    """The instant between two at which clocks are put forward."""
    offset = before.astimezone(zone).utcoffset()
    while behind - before > timedelta(seconds=1):
        middle = (before + (behind - before) / 2).replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            behind = middle
    return behind


def first_moment(day: date, zone: tzinfo) -> datetime:
    """When a day begins there."""
    return instant(day, MIDNIGHT, zone)
