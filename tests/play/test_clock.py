"""Deadlines: pure functions, checked for every pace and in every time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from beanpost.play import clock
from beanpost.play.pace import PACES, BadPace, Pace, parse_pace

ZONES = sorted(available_timezones() - {"localtime", "Factory"})
FRIDAY = datetime(2026, 11, 20, 18, tzinfo=UTC)
HOUR = timedelta(hours=1)

zones = st.sampled_from(ZONES).map(ZoneInfo)
instants = st.integers(0, 31 * 366 * 24 * 60).map(
    lambda minutes: datetime(2005, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
spans = st.integers(10, 20 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))


@st.composite
def paces(draw):
    first, length = draw(st.integers(0, 23)), draw(st.integers(1, 18))
    return Pace(
        allowance=draw(spans),
        bank=draw(spans),
        days="".join(sorted(draw(st.sets(st.sampled_from("1234567"), min_size=1)))),
        quiet=draw(st.sampled_from([None, (first, (first + length) % 24)])),
        hour=draw(st.none() | st.integers(0, 23)),
        window=draw(st.none() | spans),
    )


def is_by_day(at, pace, zone, *, morning=0):
    """Return whether the time is on a day that counts and outside the quiet hours."""
    local = at.astimezone(zone)
    return pace.is_counted(local.date()) and not pace.is_quiet(local.hour, morning=morning)


def compute_deadline(since, pace, zone, *, bank=timedelta()):
    """Return the deadline of a turn that begins then."""
    return clock.find_allowed_time(clock.add_time(since, pace.allowance + bank, pace, zone), pace, zone)


@given(instants, paces(), zones, spans)
def test_a_deadline_is_never_in_quiet_hours_nor_on_a_day_that_does_not_count(since, pace, zone, bank):
    due = compute_deadline(since, pace, zone, bank=bank)
    assert due >= since + pace.allowance + bank
    assert is_by_day(due, pace, zone, morning=clock.QUIET_MORNING_HOURS)


@given(instants, paces(), zones, spans, spans)
def test_more_time_never_makes_a_deadline_earlier(since, pace, zone, bank, more):
    due = compute_deadline(since, pace, zone, bank=bank)
    assert compute_deadline(since, pace, zone, bank=bank + more) >= due
    assert compute_deadline(since + more, pace, zone, bank=bank) >= due


@given(instants, paces(), zones)
def test_a_reminder_comes_by_day_between_the_question_and_the_deadline(since, pace, zone):
    due = compute_deadline(since, pace, zone)
    remind = clock.compute_reminder(since, due, pace, zone)
    assume(remind is not None)
    assert since < remind < due
    assert is_by_day(remind, pace, zone)


@given(instants, paces(), zones, spans)
def test_elapsed_time_is_measured_as_it_was_granted(since, pace, zone, span):
    until = clock.add_time(since, span, pace, zone)
    assert clock.measure_time(since, until, pace, zone) == span


@given(st.sampled_from(ZONES).map(ZoneInfo), st.integers(2005, 2036), st.integers(0, 23))
def test_a_wall_clock_hour_exists_on_every_day_of_a_year(zone, year, hour):
    """Even where the clocks skip it or repeat it, and where a whole day was left out."""
    pace = Pace(timedelta(hours=1), hour=hour)
    at = datetime(year, 1, 2, tzinfo=UTC)
    for _ in range(12):
        due = clock.find_allowed_time(at, pace, zone)
        local = due.astimezone(zone)
        assert due - at <= timedelta(hours=49)
        assert local.hour == hour or local.utcoffset() != (due - HOUR).astimezone(zone).utcoffset()
        at = due + timedelta(days=30)


@pytest.mark.parametrize("name", ZONES)
def test_deadlines_fall_in_waking_hours_in_every_zone_all_year(name):
    zone, pace = ZoneInfo(name), PACES["brisk"]
    for hours in range(0, 366 * 24, 31):
        due = compute_deadline(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hours), pace, zone)
        assert 8 <= due.astimezone(zone).hour < 22


def test_quiet_hours_hold_in_the_shorter_night_when_clocks_go_forward():
    paris = ZoneInfo("Europe/Paris")
    asked = datetime(2026, 3, 28, 15, tzinfo=paris)
    assert compute_deadline(asked, PACES["brisk"], paris) == datetime(2026, 3, 29, 8, tzinfo=paris)


def test_quiet_hours_hold_in_the_longer_night_when_clocks_go_back():
    paris = ZoneInfo("Europe/Paris")
    asked = datetime(2026, 10, 24, 15, tzinfo=paris)
    assert compute_deadline(asked, PACES["brisk"], paris) == datetime(2026, 10, 25, 8, tzinfo=paris)


def test_a_skipped_hour_has_passed_when_clocks_go_forward():
    paris = ZoneInfo("Europe/Paris")
    pace = Pace(timedelta(minutes=10), quiet=(20, 0))  # the quiet hours and the morning end at two
    due = compute_deadline(datetime(2026, 3, 29, 1, tzinfo=paris), pace, paris)
    assert due == datetime(2026, 3, 29, 3, tzinfo=paris)


def test_a_weekend_does_not_count():
    assert compute_deadline(FRIDAY, PACES["weekend-free"], UTC) == FRIDAY + timedelta(days=3)
    assert compute_deadline(FRIDAY, PACES["daily"], UTC) == FRIDAY + timedelta(days=1)


def test_a_pace_with_a_fixed_hour_waits_for_that_hour():
    pace = parse_pace("1d at 20")
    assert compute_deadline(FRIDAY, pace, UTC) == FRIDAY + timedelta(days=1, hours=2)
    assert compute_deadline(FRIDAY + 2 * HOUR, pace, UTC) == FRIDAY + timedelta(days=1, hours=2)
    assert compute_deadline(FRIDAY + 3 * HOUR, pace, UTC) == FRIDAY + timedelta(days=2, hours=2)


def test_a_player_asked_at_night_is_not_reminded_in_the_same_night():
    night = datetime(2026, 11, 16, 22, tzinfo=UTC)
    due = compute_deadline(night, parse_pace("2h quiet 22-6"), UTC)
    assert due == datetime(2026, 11, 17, 8, tzinfo=UTC)
    assert clock.compute_reminder(night, due, parse_pace("2h quiet 22-6"), UTC) == datetime(2026, 11, 17, 6, tzinfo=UTC)


@pytest.mark.parametrize("name", PACES)
def test_a_named_pace_can_be_parsed_back(name):
    assert parse_pace(str(PACES[name])) == parse_pace(name)


@given(paces())
def test_any_pace_can_be_parsed_back(pace):
    assert parse_pace(str(pace)) == pace


@pytest.mark.parametrize(
    "text",
    ["", "soon", "5m", "100d", "1d bank", "1d bank soon", "1d days 8", "1d quiet 3-3", "1d quiet 1-23", "1d at 24",
     "1d x 1", "1d window 1m", "1d bank 99d", "-1d", "1d excuses -1", "1d quiet 22", "1d " * 40],
)  # fmt: skip
def test_an_invalid_pace_is_refused(text):
    with pytest.raises(BadPace):
        parse_pace(text)
