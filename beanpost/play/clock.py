"""The clock, and deadlines. Only this module reads the time; all other code gets it as an argument.

All functions but `now` are pure functions of instants, a pace and a player's time zone. Days that do not count stop the
clock. In quiet hours the clock runs, but no deadline falls into them.

Code that gives time back says only how much: `add_time` counts it as the pace counts, and `find_allowed_time` then
moves the deadline out of quiet hours. That is done once, at the end, so that a sum of many spans is rounded once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from django.utils import timezone

from beanpost.play.pace import QUIET_MORNING_HOURS, Pace

DAY = timedelta(days=1)
MIDNIGHT = time(0)
ZERO = timedelta()


def now() -> datetime:
    return timezone.now()


def find_allowed_time(at: datetime, pace: Pace, zone: tzinfo) -> datetime:
    """Return the first minute from `at` on that may be a deadline: the pace's hour, a day that counts, by daylight.

    Letters, pages and the log print minutes, so deadlines have no seconds. Rounding down would cost the player time.
    """
    if at.second or at.microsecond:
        at = at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return skip_quiet_hours(find_fixed_hour(at, pace, zone), pace, zone, morning=QUIET_MORNING_HOURS)


def compute_reminder(
    since: datetime, due: datetime, pace: Pace, zone: tzinfo, *, window: bool = False
) -> datetime | None:
    """Return when to remind: with a quarter of the time left, by daylight. None if that is not before the deadline."""
    span = pace.market if window else pace.allowance
    at = skip_quiet_hours(add_time(since, span * 3 / 4, pace, zone), pace, zone, morning=0)
    return at if at < due else None


def find_next_hour(hour: int, zone: tzinfo, now: datetime, *, not_on: date | None = None) -> datetime:
    """Return the next instant after `now` that is this hour in the zone, on a later day than `not_on`."""
    day = now.astimezone(zone).date()
    if not_on is not None:
        day = max(day, not_on + DAY)
    while (at := find_instant(day, time(hour), zone)) <= now:
        day += DAY
    return at


# ── days that count ──────────────────────────────────────────────────────────────────────────────


def add_time(since: datetime, span: timedelta, pace: Pace, zone: tzinfo) -> datetime:
    """Return the instant when the span has passed since then, counting only days that count.

    >>> from beanpost.play.pace import PACES
    >>> friday = datetime(2026, 11, 20, 18, tzinfo=UTC)
    >>> print(add_time(friday, timedelta(hours=12), PACES["weekend-free"], UTC))
    2026-11-23 06:00:00+00:00
    """
    if pace.counts_every_day:
        return since + span
    for begins, ends in iterate_counted_days(since, pace, zone):
        if span <= ends - begins:
            return begins + span
        span -= ends - begins
    raise AssertionError("Days never end.")


def measure_time(since: datetime, until: datetime, pace: Pace, zone: tzinfo) -> timedelta:
    """Return the time between two instants, counting only days that count."""
    if pace.counts_every_day:
        return max(until - since, ZERO)
    total = ZERO
    for begins, ends in iterate_counted_days(since, pace, zone):
        if begins >= until:
            break
        total += min(ends, until) - begins
    return total


def iterate_counted_days(since: datetime, pace: Pace, zone: tzinfo) -> Iterator[tuple[datetime, datetime]]:
    """Yield the beginning and end of every day that counts, from `since` on."""
    at = since
    while True:
        today = at.astimezone(zone).date()
        tomorrow = find_instant(today + DAY, MIDNIGHT, zone, later_than=at)
        if pace.is_counted(today):
            yield at, tomorrow
        at = tomorrow


# ── hours ────────────────────────────────────────────────────────────────────────────────────────


def find_fixed_hour(at: datetime, pace: Pace, zone: tzinfo) -> datetime:
    """Return the first instant from `at` on that is the pace's fixed hour, if it has one."""
    if pace.hour is None:
        return at
    day = at.astimezone(zone).date()
    while (candidate := find_instant(day, time(pace.hour), zone)) < at or not pace.is_counted(day):
        day += DAY
    return candidate


def skip_quiet_hours(at: datetime, pace: Pace, zone: tzinfo, *, morning: int) -> datetime:
    """Return the first instant from `at` on that is on a day that counts, outside the quiet hours and the morning."""
    while True:
        local = at.astimezone(zone)
        if not pace.is_counted(local.date()):
            at = find_instant(local.date() + DAY, MIDNIGHT, zone, later_than=at)
        elif pace.is_quiet(local.hour, morning=morning):
            at = find_end_of_quiet(local, pace, zone, morning=morning)
        else:
            return at


def find_end_of_quiet(local: datetime, pace: Pace, zone: tzinfo, *, morning: int) -> datetime:
    assert pace.quiet is not None
    end = time((pace.quiet[1] + morning) % 24)
    day = local.date() if local.time() < end else local.date() + DAY
    return find_instant(day, end, zone, later_than=local)


def find_instant(day: date, hour: time, zone: tzinfo, *, later_than: datetime | None = None) -> datetime:
    """Return the first instant at which the local time is this hour of this day, or has skipped it.

    When clocks go back, the hour comes twice: `later_than` selects the second one once the first has passed.
    """
    first, second = (datetime.combine(day, hour.replace(fold=fold), zone).astimezone(UTC) for fold in (0, 1))
    if second < first:  # clocks go forward and skip it
        first = second = find_clock_change(second, first, zone)
    return second if later_than is not None and first <= later_than else first


def find_clock_change(before: datetime, behind: datetime, zone: tzinfo) -> datetime:
    """Return the instant between the two at which clocks go forward."""
    offset = before.astimezone(zone).utcoffset()
    while behind - before > timedelta(seconds=1):
        middle = (before + (behind - before) / 2).replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            behind = middle
    return behind


def find_start_of_day(day: date, zone: tzinfo) -> datetime:
    """Return when a day begins in the zone."""
    return find_instant(day, MIDNIGHT, zone)
