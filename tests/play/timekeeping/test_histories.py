"""Random histories of a deadline, in random zones and at random paces: a few here, many with `make fuzz`.

The player gets the promised time and what was lost, as the pace counts it, and at most one rounding more. Nobody is
timed out or reminded at night, and one match leaves the clock of another alone.
"""

import os
import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import pytest
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from beanpost.i18n import translations
from beanpost.play import clock, load
from beanpost.play.deadlines import days_away, waits
from beanpost.play.display.lists import calendars, my_games
from beanpost.play.display.scene import build_scene
from beanpost.play.display.wording import format_time, format_your_time
from beanpost.play.models import Event, Match, Outage, Place, Pulse, Wait
from beanpost.play.pace import Pace
from beanpost.play.seats import rewind
from beanpost.play.timekeeping import absence, mail_credits, sweep
from beanpost.play.turns import house_lines
from beanpost.players.models import Player
from tests.friends import seat_friends

pytestmark = pytest.mark.django_db
HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
ZONES = sorted(available_timezones() - {"localtime", "Factory"})
EXAMPLES = max(10, int(os.environ.get("FUZZ", "0")) // 2)

often = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
zones = st.sampled_from(ZONES)
starts = st.integers(0, 3 * 366 * 24 * 60).map(lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + minutes * MINUTE)


class Happening(NamedTuple):
    """Something that happens to a deadline, some time after the one before, and for how long."""

    kind: str
    after: timedelta
    span: timedelta


KINDS = ["outage", "two outages", "bounce", "late letter", "pause", "outage in a pause", "organiser", "undo", "away"]
happenings = st.builds(
    Happening,
    st.sampled_from(KINDS),
    st.integers(1, 40 * 60).map(lambda minutes: minutes * MINUTE),
    st.integers(16, 50 * 60).map(lambda minutes: minutes * MINUTE),
)


@st.composite
def paces(draw):
    """Return a pace that `check_pace` would let a match start with."""
    first, length = draw(st.integers(0, 23)), draw(st.integers(1, 16))
    quiet = draw(st.sampled_from([None, (first, (first + length) % 24)]))
    by_day = [hour for hour in range(24) if quiet is None or (hour - first) % 24 >= length + 2]
    return Pace(
        allowance=draw(st.integers(1, 72)) * HOUR,
        bank=draw(st.integers(0, 48)) * HOUR,
        excuses=0,
        days="".join(sorted(draw(st.sets(st.sampled_from("1234567"), min_size=1)))),
        quiet=quiet,
        hour=draw(st.none() | st.sampled_from(by_day)),
    )


class History:
    """One sitting, what has happened to it, and what its player was promised."""

    def __init__(self, match: Match, pace: Pace, zone: str, since: datetime) -> None:
        Match.objects.filter(pk=match.pk).update(pace=str(pace), allowance=pace.allowance)
        match.refresh_from_db()
        self.match, self.pace, self.zone, self.now = match, pace, ZoneInfo(zone), since
        self.place = match.places.select_related("player").get(seat=match.waits.get().seat)
        Place.objects.filter(match=match).update(bank=pace.bank, nudge_at=None)
        Player.objects.filter(pk=self.place.player_id).update(zone=zone)
        self.place = match.places.select_related("player").get(pk=self.place.pk)
        self.wait = match.waits.get()
        self.begin()
        self.lost_until = since

    def begin(self) -> None:
        waits.begin_sitting(self.wait, self.match, self.place, self.now)
        self.wait.save()
        self.since, self.granted = self.now, self.pace.allowance + self.place.bank

    def find_time_up(self) -> datetime:
        """Return when the player is timed out at the latest: when their time is up, and no day away is left to wait
        for, out of quiet hours.
        """
        up = clock.find_allowed_time(max(self.earned(), self.lost_until + waits.MIN_TIME_LEFT), self.pace, self.zone)
        for began, ended in self.list_days_away():
            if began <= up < ended:
                up = clock.find_allowed_time(ended, self.pace, self.zone)
        return up

    def list_days_away(self) -> list[tuple[datetime, datetime]]:
        """Return the first moment of each absence, and that after its first day back."""
        return [
            (
                clock.find_start_of_day(away.first, self.zone),
                clock.add_time(days_away.find_return(away), DAY, self.pace, self.zone),
            )
            for away in self.place.player.absences.all()
        ]

    def earned(self) -> datetime:
        """Return when the player's time is up, as the pace counts it, before rounding."""
        return clock.add_time(self.since, self.granted, self.pace, self.zone)

    def lose(self, began: datetime, ended: datetime) -> None:
        self.granted += clock.measure_time(began, ended, self.pace, self.zone)
        self.lost_until = ended

    def happen(self, happening: Happening) -> None:
        self.wait.refresh_from_db()
        now = self.now + happening.after
        if self.wait.due_at is None or now >= self.wait.due_at:
            return
        self.now, began = now, now
        match happening.kind:
            case "outage" | "two outages":
                self.now += happening.span
                Outage.objects.create(began_at=began, ended_at=self.now)
                if happening.kind == "two outages":  # a second sweeper records half of it again
                    Outage.objects.create(began_at=began + happening.span / 2, ended_at=self.now)
                self.lose(began, self.now)
            case "late letter":
                self.now += happening.span
                opened, player = self.wait.opened, self.place.player
                mail_credits.credit_late_letter(self.match, player, opened, promised=began, now=self.now)
                self.lose(began, self.now)
            case "pause" | "outage in a pause":
                self.now += happening.span
                if happening.kind == "outage in a pause":
                    Outage.objects.create(began_at=began - MINUTE, ended_at=began + happening.span / 2)
                    self.granted += clock.measure_time(began - MINUTE, began, self.pace, self.zone)
                house_lines.pause(load.lock_match(self.match.pk), Event.Origin.PLAYER, began)
                house_lines.resume(load.lock_match(self.match.pk), Event.Origin.PLAYER, self.now)
                self.lose(began, self.now)
            case _:
                self.act(happening)

    def act(self, happening: Happening) -> None:
        now = self.now
        match happening.kind:
            case "bounce":
                self.granted += DAY * mail_credits.credit_bounce(self.match, self.place.player, now=now)
            case "organiser":
                self.wait.refresh_from_db()
                waits.give_time(self.wait, self.match, self.place, 2 * DAY)
                house_lines.extend(load.lock_match(self.match.pk), self.wait, Event.Origin.ORGANISER, now)
                self.granted += 2 * DAY
            case "away":
                first = now.astimezone(self.zone).date() + happening.after // (12 * HOUR) * DAY
                last = first + happening.span // (24 * HOUR) * DAY
                absence.announce_days_away(self.place.player, first, last, now=now)
            case "undo":  # asks anew, with the whole time
                rewind.rewind(load.lock_match(self.match.pk), 2, Event.Origin.ORGANISER, now)
                self.wait = self.match.waits.get()
                self.since, self.granted = now, self.pace.allowance + self.place.bank

    def run_out(self) -> datetime:
        """Sweep whenever something is due, and return when the player was timed out."""
        before = self.match.events.filter(origin=Event.Origin.CLOCK).exclude(seat=-2).count()
        while self.match.events.filter(origin=Event.Origin.CLOCK).exclude(seat=-2).count() == before:
            wait = self.match.waits.get()
            self.now = max(self.now, min(filter(None, (wait.remind_at, wait.due_at))))
            Pulse.objects.update_or_create(pk=1, defaults={"beat_at": self.now})
            sweep.sweep(self.now)
            self.match.refresh_from_db()
        return self.now

    def check_by_day(self, at: datetime, *, morning: int) -> None:
        local = at.astimezone(self.zone)
        assert self.pace.is_counted(local.date())
        assert not self.pace.is_quiet(local.hour, morning=morning)

    def check_reminders(self) -> None:
        for event in self.match.events.filter(line__startswith="remind "):
            self.check_by_day(event.said_at, morning=0)


@pytest.fixture
def match():
    return seat_friends()


@often
@given(pace=paces(), zone=zones, since=starts, history=st.lists(happenings, max_size=6))
def test_a_player_gets_the_promised_time_what_was_lost_and_one_rounding(match, pace, zone, since, history):
    with transaction.atomic():
        sitting = History(match, pace, zone, since)
        for happening in history:
            sitting.happen(happening)
        up, last_event = sitting.find_time_up(), sitting.now
        timed_out = sitting.run_out()
        assert timed_out >= sitting.earned()
        assert timed_out <= max(last_event, up)
        assert not [days for days in sitting.list_days_away() if days[0] <= timed_out < days[1]]
        sitting.check_by_day(timed_out, morning=2)
        sitting.check_reminders()
        transaction.set_rollback(True)


@often
@given(pace=paces(), zones=st.tuples(zones, zones), since=starts, history=st.lists(happenings, max_size=3))
def test_nobody_is_timed_out_or_reminded_at_night_after_moving(match, pace, zones, since, history):
    with transaction.atomic():
        sitting = History(match, pace, zones[0], since)
        for happening in history:
            sitting.happen(happening)
        before = {event.pk for event in match.events.all()}
        Player.objects.filter(pk=sitting.place.player_id).update(zone=zones[1])
        sitting.zone = ZoneInfo(zones[1])
        promised = match.waits.get().due_at
        timed_out = sitting.run_out()
        assert timed_out >= promised
        sitting.check_by_day(timed_out, morning=2)
        for event in match.events.filter(line__startswith="remind ").exclude(pk__in=before):
            sitting.check_by_day(event.said_at, morning=0)
        transaction.set_rollback(True)


@often
@given(pace=paces(), zone=zones, since=starts, history=st.lists(happenings, max_size=4))
def test_letter_page_calendar_and_sweep_agree_to_the_second(match, pace, zone, since, history):
    with transaction.atomic(), timezone.override(ZoneInfo(zone)):
        sitting = History(match, pace, zone, since + timedelta(seconds=41, microseconds=7))
        for happening in history:
            sitting.happen(happening)
        due = match.waits.get().due_at
        feed = calendars.build_feed(my_games.find_asked_seats(sitting.place.player), sitting.now)
        [event] = Calendar.from_ical(feed).walk("VEVENT")
        assert event.decoded("dtstart") == due
        assert (due.second, due.microsecond) == (0, 0)  # what is printed is all of it
        assert f"{due.astimezone(ZoneInfo(zone)):%H:%M}" in format_time(due)
        shown = build_scene(match, match.waits.get().seat)
        for part in ("letters/deadline.html", "pages/parts/deadline.html"):
            printed = render_to_string(part, {"scene": shown, **translations.functions()}, using="jinja2")
            assert f"You have until {format_your_time(due, shown.wait.since)}" in re.sub(r"<[^>]+>", "", printed)
        Pulse.objects.create(pk=1, beat_at=due - timedelta(seconds=1))
        Wait.objects.update(remind_at=None)
        lines = match.events.count()
        sweep.sweep(due - timedelta(seconds=1))
        assert match.events.count() == lines
        sweep.sweep(due)
        assert match.events.count() > lines
        transaction.set_rollback(True)


@often
@given(pace=paces(), zone=zones, since=starts, history=st.lists(happenings, min_size=1, max_size=4))
def test_what_happens_in_one_match_leaves_another_alone(match, pace, zone, since, history):
    with transaction.atomic():
        sitting, other = History(match, pace, zone, since), History(seat_friends(now=since), pace, zone, since)
        before = Wait.objects.filter(match=other.match).values().get()
        for happening in history:
            sitting.happen(happening)
        assert Wait.objects.filter(match=other.match).values().get() == before
        transaction.set_rollback(True)
