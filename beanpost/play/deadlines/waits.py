"""Open questions and their deadlines: one deadline per sitting.

A sitting lasts from when the table begins to wait for a seat until it waits for another one. All its questions share
the deadline of the first. When it ends, the seat's time bank is charged or filled.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from operator import attrgetter
from typing import Any

from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.log.append import NewLine
from beanpost.play.log.load import Seating
from beanpost.play.models import Event, Match, Place, Wait
from games.contract.asks import Ask
from games.contract.seats import Seat
from games.engine.table import Table

SILENCE = timedelta(days=14)  # then the player is asked: are you still playing?
STORED_FIELDS = ["bank", "misses", "nudge_at", "nudged"]
read_stored_fields = attrgetter(*STORED_FIELDS)


def find_blocking_seats(table: Table[Any, Any]) -> set[Seat]:
    """Return the seats that the table waits for."""
    return {ask.seat for ask in table.asks if ask.seat >= 0 and ask.default is not None}


def is_window(table: Table[Any, Any], ask: Ask) -> bool:
    """Return whether others may compose lines meanwhile, as in a market: such a question has its own time limit."""
    others = (other for other in table.asks if other.seat >= 0 and other.seat != ask.seat)
    return any(other.free and other.default is None for other in others)


def find_time_zone(place: Place) -> tzinfo:
    return place.player.tz if place.player else UTC


class WaitBook:
    """The waits of one match, while one line is being followed up."""

    def __init__(self, match: Match, seating: Seating, table: Table[Any, Any]) -> None:
        self.match = match
        self.places = seating.places
        self.parsed_pace = match.parsed_pace
        self.open = seating.waits
        self.kept: list[Wait] = []  # waits that `replace_waits` left open
        self.staying = {seat for seat, wait in self.open.items() if wait.is_blocking}
        self.track_seats(table)

    def track_seats(self, table: Table[Any, Any]) -> None:
        """Track the seats that are waited for without a break. A question to the dealer alone ends no sitting."""
        if seats := find_blocking_seats(table):
            self.staying &= seats

    def replace_waits(self, table: Table[Any, Any], first: NewLine, now: datetime) -> list[Wait]:
        """Close the questions that are no longer asked; open and return the new ones. `first` is the line played."""
        asks = {ask.seat: ask for ask in table.asks if ask.seat >= 0}
        closed = [wait for seat, wait in self.open.items() if seat not in asks or asks[seat].about != wait.about]
        self.kept = [wait for wait in self.open.values() if wait not in closed]
        staying = {wait.seat for wait in self.kept}
        waits = [self.open_wait(table, ask, now) for ask in asks.values() if ask.seat not in staying]
        self.settle_banks(closed, waits, first, now)
        Wait.objects.filter(pk__in=[wait.pk for wait in closed]).delete()
        return Wait.objects.bulk_create(waits)

    def open_wait(self, table: Table[Any, Any], ask: Ask, now: datetime) -> Wait:
        opened = self.match.length
        wait = Wait(match=self.match, seat=ask.seat, about=ask.about, opened=opened, asked_at=now, since=now)
        place = self.places[ask.seat]
        if ask.default is None:
            return wait
        wait.window = is_window(table, ask)
        if place.is_bot:
            wait.due_at = now  # the sweep plays for a bot that was interrupted, or leaves its market open
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
    for name in ("since", "due_at", "remind_at", "left", "credit", "credited_at"):
        setattr(wait, name, getattr(before, name))


def begin_sitting(wait: Wait, match: Match, place: Place, now: datetime) -> None:
    """Begin a sitting. In a paused match its time does not run yet."""
    pace, zone = match.parsed_pace, find_time_zone(place)
    wait.since, wait.credit, wait.credited_at, wait.left = now, timedelta(), None, None
    wait.due_at = clock.compute_deadline(now, pace, zone, bank=place.bank, window=wait.window)
    wait.remind_at = clock.compute_reminder(now, wait.due_at, pace, zone, window=wait.window)
    if match.paused_at:
        stop_clock(wait, match, place, now)


def stop_clock(wait: Wait, match: Match, place: Place, now: datetime) -> None:
    """Stop the clock of a question. The time left is stored without days that do not count."""
    assert wait.due_at is not None
    wait.left = clock.measure_time(now, wait.due_at, match.parsed_pace, find_time_zone(place))
    wait.due_at = wait.remind_at = None


def settle_bank(place: Place, wait: Wait, match: Match, now: datetime) -> None:
    """Add to the time bank if the sitting took no more than the allowance; otherwise charge the excess to it."""
    pace, until = match.parsed_pace, match.paused_at or now  # the clock stands still during a pause
    if place.is_bot or wait.window:
        return
    used = clock.measure_time(wait.since, until, pace, find_time_zone(place)) - wait.credit
    if used > pace.allowance:
        used -= outages.measure_lost_time(wait, until)
    if used <= pace.allowance:
        place.bank = max(place.bank, min(place.bank + pace.gain, pace.bank))
    else:
        place.bank = max(place.bank - (used - pace.allowance), timedelta())


def note_activity(place: Place, now: datetime) -> None:
    """Note that a player is active. `nudge_at` is exact to a day only, so that most moves need not write the row."""
    place.misses, place.nudged = 0, False
    if place.nudge_at is None or now + SILENCE - place.nudge_at > timedelta(days=1):
        place.nudge_at = now + SILENCE


def extend_wait(wait: Wait, until: datetime, *, credit: timedelta = timedelta()) -> None:
    """Extend a question, and with it the sitting."""
    wait.due_at, wait.credit = until, wait.credit + credit
    wait.save(update_fields=["due_at", "remind_at", "credit", "credited_at"])
