"""Open questions and their deadlines: one deadline per sitting.

A sitting lasts from when the table begins to wait for a seat until it waits for another one. All its questions share
the deadline of the first. When it ends, the seat's time bank is charged or filled.

Only `set_deadline` sets a deadline. It stores how much later that is than the time the player really has, so that time
given back is counted from there: many pauses in one sitting are rounded once.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from operator import attrgetter
from typing import Any

from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.load import LoadedMatch
from beanpost.play.log.storage import NewLine
from beanpost.play.models import Event, Match, Place, Wait
from games.contract.asks import Ask
from games.contract.seats import Seat
from games.engine.table import Table

SILENCE = timedelta(days=14)  # then the player is asked: are you still playing?
STORED_FIELDS = ["bank", "misses", "nudge_at", "nudged"]
read_stored_fields = attrgetter(*STORED_FIELDS)
ZERO = timedelta()
MIN_TIME_LEFT = timedelta(hours=1)  # time left after an outage or a pause, however little was left before
TIMES = ("since", "due_at", "rounding", "remind_at", "left", "credit", "credited_at")


def is_window(table: Table[Any, Any], ask: Ask) -> bool:
    """Return whether others may compose lines meanwhile, as in a market: such a question has its own time limit."""
    others = (other for other in table.asks if other.seat >= 0 and other.seat != ask.seat)
    return any(other.free and other.default is None for other in others)


def find_time_zone(place: Place) -> tzinfo:
    return place.player.tz if place.player else UTC


class WaitBook:
    """The waits of one match, while one line is being followed up."""

    def __init__(self, loaded: LoadedMatch, table: Table[Any, Any]) -> None:
        self.match = loaded.match
        self.places = loaded.places
        self.open = loaded.waits
        self.staying = {seat for seat, wait in self.open.items() if wait.is_blocking}
        self.track_seats(table)

    def track_seats(self, table: Table[Any, Any]) -> None:
        """Track the seats that are waited for without a break. A question to the dealer alone ends no sitting."""
        if seats := {ask.seat for ask in table.asks if ask.seat >= 0 and ask.default is not None}:
            self.staying &= seats

    def replace_waits(
        self, table: Table[Any, Any], first: NewLine, now: datetime
    ) -> tuple[dict[Seat, Wait], dict[Seat, Wait]]:
        """Close the questions that are no longer asked, and open new ones. Return those that stay, and the new.

        `first` is the line played.
        """
        asks = {ask.seat: ask for ask in table.asks if ask.seat >= 0}
        closed = [wait for seat, wait in self.open.items() if seat not in asks or asks[seat].about != wait.about]
        kept = {seat: wait for seat, wait in self.open.items() if wait not in closed}
        waits = [self.open_wait(table, ask, now) for ask in asks.values() if ask.seat not in kept]
        self.settle_banks(closed, waits, first, now)
        Wait.objects.filter(pk__in=[wait.pk for wait in closed]).delete()
        return kept, {wait.seat: wait for wait in Wait.objects.bulk_create(waits)}

    def open_wait(self, table: Table[Any, Any], ask: Ask, now: datetime) -> Wait:
        opened = self.match.length
        wait = Wait(match=self.match, seat=ask.seat, about=ask.about, opened=opened, asked_at=now, since=now)
        place = self.places[ask.seat]
        if ask.default is None:
            return wait
        wait.window = is_window(table, ask)
        if place.is_bot:
            set_deadline(wait, self.match, place, now)  # the sweep plays for an interrupted bot, or leaves its market
        else:
            before = self.open.get(ask.seat)
            if before and ask.seat in self.staying and before.window == wait.window:
                continue_sitting(wait, before)
            else:
                begin_sitting(wait, self.match, place, now)
        return wait

    def settle_banks(self, closed: Iterable[Wait], fresh: Iterable[Wait], first: NewLine, now: datetime) -> None:
        """Charge or fill the time banks of seats whose sitting has ended, and note that the mover is active."""
        goes_on = {(wait.seat, wait.since) for wait in fresh}
        ended = {wait.seat: wait for wait in closed if wait.is_blocking and (wait.seat, wait.since) not in goes_on}
        active = {first.seat} if first.origin == Event.Origin.PLAYER else set()
        for place in (self.places[seat] for seat in sorted(ended.keys() | active)):
            before = read_stored_fields(place)
            if wait := ended.get(place.seat):
                settle_bank(place, wait, self.match, now)
            if place.seat in active:
                note_activity(place, now)
            if changed := [
                name
                for name, was, is_now in zip(STORED_FIELDS, before, read_stored_fields(place), strict=True)
                if was != is_now
            ]:
                place.save(update_fields=changed)


def continue_sitting(wait: Wait, before: Wait) -> None:
    """Continue a sitting with its next question: copy the deadline."""
    for name in TIMES:
        setattr(wait, name, getattr(before, name))


def begin_sitting(wait: Wait, match: Match, place: Place, now: datetime) -> None:
    """Begin a sitting. In a paused match its time does not run yet."""
    pace, zone = match.parsed_pace, find_time_zone(place)
    wait.since, wait.credit, wait.credited_at, wait.left = now, ZERO, None, None
    span = pace.market if wait.window else pace.allowance + place.bank
    due = set_deadline(wait, match, place, clock.add_time(now, span, pace, zone))
    wait.remind_at = clock.compute_reminder(now, due, pace, zone, window=wait.window)
    if match.paused_at:
        stop_clock(wait, match, place, now)


def set_deadline(
    wait: Wait, match: Match, place: Place, at: datetime, *, not_before: datetime | None = None
) -> datetime:
    """Set and return a question's deadline: when the player's time is up, moved to an allowed hour. A bot has none."""
    until = max(at, not_before or at)
    if not place.is_bot:
        until = clock.find_allowed_time(until, match.parsed_pace, find_time_zone(place))
    wait.due_at, wait.rounding = until, until - at
    return until


def give_time(
    wait: Wait, match: Match, place: Place, span: timedelta, *, not_before: datetime | None = None
) -> datetime:
    """Give time back, counted as the pace counts it, and return the new deadline. It uses no reserve time."""
    assert wait.due_at is not None
    at = clock.add_time(wait.due_at - wait.rounding, span, match.parsed_pace, find_time_zone(place))
    wait.credit += span
    return set_deadline(wait, match, place, at, not_before=not_before)


def stop_clock(wait: Wait, match: Match, place: Place, now: datetime) -> None:
    """Stop the clock of a question. The time left is stored as the pace counts it, before rounding.

    If the player's time was up already, and only the rounding was left, `rounding` says for how long.
    """
    pace, zone = match.parsed_pace, find_time_zone(place)
    lost = outages.find_lost_spans(wait.uncredited_since, now)
    until = give_time(wait, match, place, outages.measure_lost_time(lost, pace, zone))
    up = until - wait.rounding
    wait.left, wait.rounding = clock.measure_time(now, up, pace, zone), max(now - up, ZERO)
    wait.due_at, wait.remind_at, wait.credited_at = None, None, now


def restart_clock(wait: Wait, match: Match, place: Place, now: datetime) -> None:
    """Restart the clock of a question: the player has as much time left as before."""
    assert wait.left is not None
    assert wait.credited_at is not None
    pace, zone, stopped = match.parsed_pace, find_time_zone(place), wait.credited_at
    span = clock.measure_time(stopped, now, pace, zone)
    up = clock.add_time(stopped - wait.rounding, span + wait.left, pace, zone)
    wait.credit, wait.left, wait.remind_at = wait.credit + span, None, None
    wait.credited_at = now  # an outage while the clock stood still cost nothing
    if place.is_bot:
        set_deadline(wait, match, place, now)
        return
    due = set_deadline(wait, match, place, up, not_before=now + MIN_TIME_LEFT)
    began = clock.add_time(wait.since, wait.credit, pace, zone)
    remind_at = clock.compute_reminder(began, due, pace, zone, window=wait.window)
    wait.remind_at = remind_at if remind_at and remind_at > now else None  # past: it went out before the pause


def let_bot_answer(match: Match, place: Place, now: datetime) -> None:
    """Let a bot answer what the seat is asked, at once."""
    for wait in match.waits.filter(seat=place.seat, due_at__isnull=False):
        set_deadline(wait, match, place, now)
        wait.remind_at = None
        wait.save(update_fields=TIMES)


def settle_bank(place: Place, wait: Wait, match: Match, now: datetime) -> None:
    """Add to the time bank if the sitting took no more than the allowance; otherwise charge the excess to it."""
    if place.is_bot or wait.window:
        return
    pace, zone = match.parsed_pace, find_time_zone(place)
    until = match.paused_at or now  # the clock stands still during a pause
    used = clock.measure_time(wait.since, until, pace, zone) - wait.credit
    if used > pace.allowance:
        used -= outages.measure_lost_time(outages.find_lost_spans(wait.uncredited_since, until), pace, zone)
    if used <= pace.allowance:
        place.bank = max(place.bank, min(place.bank + pace.gain, pace.bank))
    else:
        place.bank = max(place.bank - (used - pace.allowance), ZERO)


def note_activity(place: Place, now: datetime) -> None:
    """Note that a player is active. `nudge_at` is exact to a day only, so that most moves need not write the row."""
    place.misses, place.nudged = 0, False
    if place.nudge_at is None or now + SILENCE - place.nudge_at > timedelta(days=1):
        place.nudge_at = now + SILENCE
