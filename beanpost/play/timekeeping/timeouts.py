"""Timeouts, step by step. Each step is a line of the log that everybody can read.

    remind           once, with a quarter of the time left; players who are away are reminded when they are back
    make good        give back the time that our own outages cost
    away             wait for players who announced days away, as long as their stock of days lasts
    excuse           give a little more time, a few times per match
    miss             play the game's default for everything the seat is asked until another seat is asked
    close            close a market that has been open long enough: nobody is late, and nobody is excused
    stand in         after several misses in a row a bot sits in, until the player takes the seat back

The sweep calls `remind` and `time_out` every half minute. Both query the database alone, work in batches until nothing
is due or their time is up, are safe to run twice and on several machines at once, and an error in one row does not stop
the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from django.db import transaction
from django.db.models import QuerySet
from django.views.decorators.debug import sensitive_variables

from beanpost.database.batches import LogAndContinue
from beanpost.play import clock, moves, signals
from beanpost.play.deadlines import days_away, outages, waits
from beanpost.play.errors import Unplayed
from beanpost.play.log import load
from beanpost.play.log.load import Seating
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.play.random_codes import draw
from beanpost.play.turns import house_lines
from games.contract.seats import Seat

BATCH = 200
POOL = 2_000  # due rows from which a batch is drawn
FEW = 20  # as many are done in the order in which they fell due
A_RUN = 20  # seconds that one part of the sweep may take; a sweep starts every thirty
MISSES_BEFORE_BOT = 3  # in a row; then a bot sits in
MOST_DEFAULTS = 60  # lines played for one sitting at a time; the next sweep continues
A_WHILE = timedelta(minutes=10)  # before the sweep retries a row that raised an error
OVERDUE = timedelta(minutes=10)  # a question this late means that the sweep is in trouble
AT_LEAST = timedelta(hours=1)  # time left after an outage, however little was left before

Handler: TypeAlias = Callable[[Match, Seating, Wait, datetime], bool]


def remind(now: datetime) -> int:
    """Remind the players whose time is running out, each once per sitting."""
    due = Wait.objects.filter(remind_at__lte=now, stalled_at=None).order_by("remind_at")
    return until_nothing_is_due(due, remind_once, now)


def time_out(now: datetime) -> int:
    """Take the next step for every question whose time is up."""
    return until_nothing_is_due(whose_time_is_up(now), next_step, now)


def has_many_due(now: datetime) -> bool:
    """Return whether more is due than one batch: then a second worker is worth calling."""
    return whose_time_is_up(now)[BATCH : BATCH + 1].exists()


def time_out_at(match: Match, now: datetime) -> int:
    """Do the same for one match, without waiting for the next sweep."""
    return time_out_each(whose_time_is_up(now).filter(match=match), next_step, now)


def whose_time_is_up(now: datetime) -> QuerySet[Wait]:
    return Wait.objects.filter(due_at__lte=now, stalled_at=None).order_by("due_at")


def try_again(now: datetime) -> int:
    """Release rows that raised an error a while ago, so that the sweep retries them."""
    return Wait.objects.filter(stalled_at__lte=now - A_WHILE).update(stalled_at=None)


def until_nothing_is_due(due: QuerySet[Wait], deal_with: Handler, now: datetime) -> int:
    """Handle batch after batch until nothing is due, nothing can be done, or the time is up: the next sweep goes on.

    Each batch is drawn from a larger pool, so that several workers rarely meet at a row. Where they do, the second
    finds it locked or done, and skips it.
    """
    done, end = 0, time.monotonic() + A_RUN
    while pool := list(due.values_list("match_id", "seat", "opened")[:POOL]):
        # In random order: otherwise all workers would walk the same way.
        names = pool if len(pool) <= min(FEW, BATCH) else draw(pool, min(len(pool), BATCH))
        handled = sum(time_out_match(*name, deal_with, now) for name in names)
        done += handled
        if not handled or len(pool) <= BATCH or time.monotonic() > end:
            break
    return done


def time_out_each(found: QuerySet[Wait], deal_with: Handler, now: datetime) -> int:
    """Handle each row in a transaction of its own, so that no lock is held for long."""
    return sum(time_out_match(*name, deal_with, now) for name in list(found.values_list("match_id", "seat", "opened")))


def time_out_match(match_id: int, seat: Seat, opened: int, deal_with: Handler, now: datetime) -> bool:
    with LogAndContinue(f"Seat {seat} of match {match_id}"), transaction.atomic():
        # If another process holds the lock, it is handling this match already: skip it. SQLite has one writer anyway.
        locked = load.lock_free_table(match_id, seat, opened)
        if locked is None:
            return False
        match, seating = locked
        wait = seating.waits.get(seat)
        # The player may have answered, or got more time, since the list was read.
        if wait is None or wait.opened != opened or match.phase != Match.Phase.RUNNING:
            return False
        return deal_with(match, seating, wait, now)
    # Not by pk: rows are replaced.
    Wait.objects.filter(match=match_id, seat=seat, opened=opened).update(stalled_at=now)
    return False


def remind_once(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    if not Wait.objects.filter(pk=wait.pk, remind_at__lte=now).update(remind_at=None):
        return False
    if wait.due_at is None or wait.due_at <= now:
        return False
    place = seating.places[wait.seat]
    if place.is_bot or not place.wants_reminders:
        return False
    away = days_away.away_now(place, now)
    if away and not only_reminded(place):
        Wait.objects.filter(pk=wait.pk).update(remind_at=at_home(match, place, days_away.home(away), wait.due_at))
        return False
    house_lines.remind(match, wait, place, Event.Origin.CLOCK, now)
    return True


def at_home(match: Match, place: Place, home: datetime, due: datetime) -> datetime | None:
    """Return when to remind a player who comes home then, by daylight. None if their time is up before that."""
    at = clock.by_daylight(home, match.parsed_pace, waits.time_zone(place), morning=0)
    return at if at < due else None


def only_reminded(place: Place) -> bool:
    """Return whether the player may get no letter but the reminder: then it goes out on days away too."""
    return place.player is not None and place.player.counts_on_reminders


# ── the steps ────────────────────────────────────────────────────────────────────────────────────


def next_step(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    if wait.due_at is None or wait.due_at > now:
        return False
    place = seating.places[wait.seat]
    if place.is_bot:
        if let_others_speak(match, seating, wait, now):
            return True
        return answer_for(match, seating, wait, Event.Origin.BOT, now) is not None
    return any(step(match, seating, wait, now) for step in (MARKET_STEPS if wait.window else STEPS))


def let_others_speak(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    """Keep a bot's market open for people while the bot has nothing to say, as long as one of them may speak.

    Other bots may have been interrupted: they continue first.
    """
    place = seating.places[wait.seat]
    until = clock.due(wait.asked_at, match.parsed_pace, waits.time_zone(place), window=True)
    if not wait.window or until <= now or answer_of_bot(match, place):
        return False
    if house_lines.let_bots_play(match, now).events:
        return True
    if not people_may_speak(match, seating):
        return False
    waits.extend(wait, until)
    return True


@sensitive_variables("table")
def people_may_speak(match: Match, seating: Seating) -> bool:
    """Return whether a person may speak without being waited for."""
    table = load.current_table(match, match.vault)
    free = {ask.seat for ask in table.asks if ask.free and ask.default is None}
    return any(place.seat in free and not place.is_bot for place in seating.places)


def credit_outage(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    """Give back the time that outages cost."""
    assert wait.due_at is not None
    cost = outages.time_lost(wait, now)
    wait.credited_at = now  # also if nothing was lost: the next step need not ask again
    if not cost:
        return False
    until = max(wait.due_at + cost, now + AT_LEAST)
    until = clock.settled(until, match.parsed_pace, waits.time_zone(seating.places[wait.seat]))
    house_lines.extend(match, wait, until, Event.Origin.HOUSE, now, credit=cost)
    return True


def wait_for_return(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    """Wait for a player who is away, and remind them when they are back. Days away are charged only now."""
    place = seating.places[wait.seat]
    covered = days_away.covered(match, place, now)
    if covered is None or covered.until <= now:
        return False
    wait.remind_at = at_home(match, place, covered.home, covered.until)
    house_lines.extend(match, wait, covered.until, Event.Origin.PLAYER, now, credit=covered.until - now)
    return True


def by_daylight(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    """Postpone a timeout out of the quiet hours, should the sweep be late or the player's time zone have changed."""
    until = clock.settled(now, match.parsed_pace, waits.time_zone(seating.places[wait.seat]))
    if match.parsed_pace.hour is not None or until <= now:
        return False
    waits.extend(wait, until)
    return True


def excuse(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    place = seating.places[wait.seat]
    if not place.excuses:
        return False
    place.excuses -= 1
    place.save(update_fields=["excuses"])
    zone = waits.time_zone(place)
    until = clock.settled(
        clock.after(now, match.parsed_pace.extension, match.parsed_pace, zone), match.parsed_pace, zone
    )
    event = house_lines.extend(match, wait, until, Event.Origin.CLOCK, now)
    signals.excused.send(Match, match=match, wait=wait, place=place, event=event, now=now)
    return True


def miss(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    """Play the game's default; after too many misses in a row, let a bot sit in."""
    event = answer_for(match, seating, wait, Event.Origin.CLOCK, now)
    if event is None:
        return False
    place = seating.places[wait.seat]
    place.misses += 1
    place.save(update_fields=["misses"])
    if place.misses >= MISSES_BEFORE_BOT and match.phase == Match.Phase.RUNNING:
        house_lines.substitute_bot(match, place, Event.Origin.CLOCK, now)  # its letter also says that time was up
    else:
        signals.late.send(Match, match=match, place=place, event=event, now=now)
    return True


def close(match: Match, seating: Seating, wait: Wait, now: datetime) -> bool:
    """Close a market. Leaving it open while others may still speak is no fault, so this counts as no miss."""
    return answer_for(match, seating, wait, Event.Origin.CLOCK, now) is not None


STEPS = (credit_outage, wait_for_return, by_daylight, excuse, miss)
MARKET_STEPS = (credit_outage, wait_for_return, by_daylight, close)


def answer_for(match: Match, seating: Seating, wait: Wait, origin: str, now: datetime) -> Event | None:
    """Answer everything the seat is asked until another seat is asked. Return the first line."""
    first: Event | None = None
    seat, sitting = wait.seat, wait
    for _ in range(MOST_DEFAULTS):
        if sitting.due_at is None or sitting.due_at > now:
            break
        try:
            line, question = default(match, seating.places[seat]), sitting.opened
            made = moves.play_line(
                match, seating, seat, line, origin=origin, question=question, since=match.length, now=now
            )
        except Unplayed:
            break
        first = first or made.events[0]
        if seat not in made.asked:
            break
        seating = load.seating(match)
        sitting = seating.waits[seat]
    return first


@sensitive_variables("table", "ask")
def default(match: Match, place: Place) -> str:
    """Return the line to play for a seat: that of the bot that sits there, or the rules' default."""
    if place.is_bot and (answer := answer_of_bot(match, place)):
        return answer
    table = load.current_table(match, match.vault)
    ask = table.ask(place.seat)
    assert ask is not None
    return str(ask.default)


@sensitive_variables("table", "ask", "answer")
def answer_of_bot(match: Match, place: Place) -> str:
    """Return the line of the bot that sits there; "" while it lets others speak."""
    table = load.current_table(match, match.vault)
    ask = table.ask(place.seat)
    answer = table.rules.bot(table.view(place.seat), ask) if ask else None
    return str(answer) if answer else ""


# ── health of the sweep ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Health:
    """Health of the sweep. `overdue` counts questions whose time was up long ago; both counts stop at a hundred."""

    overdue: int
    stalled: int
    last_sweep: datetime | None

    @property
    def is_well(self) -> bool:
        return not self.overdue and not self.stalled


def health(now: datetime) -> Health:
    return Health(
        overdue=few(Wait.objects.filter(due_at__lte=now - OVERDUE)),
        stalled=few(Wait.objects.filter(stalled_at__isnull=False)),
        last_sweep=outages.last_heartbeat(),
    )


def few(found: QuerySet[Wait]) -> int:
    return found[:100].count()
