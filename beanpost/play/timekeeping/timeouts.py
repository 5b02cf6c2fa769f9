"""Timeouts, step by step. Each step is a line of the log that everybody can read.

    credit_outage         give back the time that our own outages cost
    wait_for_return       wait for players who announced days away, as long as their stock of days lasts
    postpone_to_daylight  move a timeout out of the player's quiet hours
    excuse                give a little more time, a few times per match
    record_miss           play the game's default for everything the seat is asked until another seat is asked; after
                          several misses in a row a bot plays, until the player takes the seat back
    close_market          close a market that has been open long enough: this counts as no miss

The sweep calls `time_out_all` every half minute.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial

from django.db.models import QuerySet
from django.views.decorators.debug import sensitive_variables

from beanpost.play import clock, moves, signals
from beanpost.play.deadlines import days_away, outages, waits
from beanpost.play.deadlines.outages import Span
from beanpost.play.errors import Unplayed
from beanpost.play.load import LoadedMatch
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.play.pace import QUIET_MORNING_HOURS
from beanpost.play.timekeeping import due_questions, reminders
from beanpost.play.timekeeping.due_questions import Handler
from beanpost.play.turns import house_lines

MISSES_BEFORE_BOT = 3  # in a row; then a bot plays for the player
MAX_DEFAULTS = 60  # lines played for one sitting at a time; the next sweep continues


def time_out_all(now: datetime, call_helper: Callable[[], None] = due_questions.call_nobody) -> int:
    """Take the next step for every question whose time is up."""
    return due_questions.handle_all_due(find_timed_out(now), prepare_steps(now), now, call_helper)


def time_out_match(match: Match, now: datetime) -> int:
    """Do the same for one match, without waiting for the next sweep."""
    return due_questions.handle_each(find_timed_out(now).filter(match=match), prepare_steps(now), now)


def find_timed_out(now: datetime) -> QuerySet[Wait]:
    return Wait.objects.filter(due_at__lte=now, stalled_at=None).order_by("due_at")


# ── the steps ────────────────────────────────────────────────────────────────────────────────────


def prepare_steps(now: datetime) -> Handler:
    """Read outages and absences once for all questions, and return `take_next_step` with them filled in.

    Any that are recorded later don't count: the time for these questions was already up.
    """
    recorded = outages.list_outages(now - outages.KEPT, now)
    return partial(take_next_step, recorded_outages=recorded, away=days_away.list_absent_players(now))


def take_next_step(
    loaded: LoadedMatch,
    wait: Wait,
    now: datetime,
    *,
    recorded_outages: Sequence[Span],
    away: Collection[int],
) -> bool:
    if wait.due_at is None or wait.due_at > now:
        return False
    place = loaded.places[wait.seat]
    if place.is_bot:
        if let_others_speak(loaded, wait, now):
            return True
        return answer_for(loaded, wait, Event.Origin.BOT, now) is not None
    if credit_outage(loaded, wait, now, recorded_outages):
        return True
    if place.player_id in away and wait_for_return(loaded, wait, now):
        return True
    return any(step(loaded, wait, now) for step in (MARKET_STEPS if wait.window else STEPS))


def let_others_speak(loaded: LoadedMatch, wait: Wait, now: datetime) -> bool:
    """Keep a bot's market open for people while the bot has nothing to say, as long as one of them may speak.

    Other bots may have been interrupted: they continue first.
    """
    match, place = loaded.match, loaded.places[wait.seat]
    pace, zone = match.parsed_pace, waits.find_time_zone(place)
    until = clock.find_allowed_time(clock.add_time(wait.asked_at, pace.market, pace, zone), pace, zone)
    if not wait.window or until <= now or ask_bot(loaded, place):
        return False
    if house_lines.let_bots_play(match, now):
        return True
    if not may_people_speak(loaded):
        return False
    waits.set_deadline(wait, match, place, until)
    wait.save(update_fields=waits.TIMES)
    return True


def may_people_speak(loaded: LoadedMatch) -> bool:
    """Return whether a person may speak without being waited for."""
    free = {ask.seat for ask in loaded.table.asks if ask.free and ask.default is None}
    return any(place.seat in free and not place.is_bot for place in loaded.places)


def credit_outage(loaded: LoadedMatch, wait: Wait, now: datetime, recorded_outages: Sequence[Span]) -> bool:
    """Give back the time that outages cost."""
    match, place = loaded.match, loaded.places[wait.seat]
    lost = outages.find_lost_spans(wait.uncredited_since, now, recorded_outages)
    cost = outages.measure_lost_time(lost, match.parsed_pace, waits.find_time_zone(place))
    wait.credited_at = now  # also if nothing was lost, so that it is not measured again
    if not cost or waits.give_time(wait, match, place, cost, not_before=lost[-1][1] + waits.MIN_TIME_LEFT) <= now:
        return False
    house_lines.extend(match, wait, Event.Origin.HOUSE, now)
    return True


def wait_for_return(loaded: LoadedMatch, wait: Wait, now: datetime) -> bool:
    """Wait for a player who is away, and remind them when they are back. Days away are charged only now."""
    match, place = loaded.match, loaded.places[wait.seat]
    home = days_away.charge_days_away(match, place, now)
    if home is None:
        return False
    assert wait.due_at is not None
    pace, zone = match.parsed_pace, waits.find_time_zone(place)
    up = wait.due_at - wait.rounding
    after_first_day = clock.add_time(home, days_away.DAY, pace, zone)
    until = waits.give_time(wait, match, place, clock.measure_time(up, after_first_day, pace, zone))
    wait.remind_at = reminders.find_reminder_after_return(match, place, max(home, now), until)
    house_lines.extend(match, wait, Event.Origin.PLAYER, now)
    return True


def postpone_to_daylight(loaded: LoadedMatch, wait: Wait, now: datetime) -> bool:
    """Postpone a timeout out of the quiet hours, should the sweep be late or the player's time zone have changed."""
    match, place = loaded.match, loaded.places[wait.seat]
    zone = waits.find_time_zone(place)
    if clock.skip_quiet_hours(now, match.parsed_pace, zone, morning=QUIET_MORNING_HOURS) <= now:
        return False
    house_lines.postpone(match, wait, place, now, now)
    return True


def excuse(loaded: LoadedMatch, wait: Wait, now: datetime) -> bool:
    match, place = loaded.match, loaded.places[wait.seat]
    if not place.excuses:
        return False
    place.excuses -= 1
    place.save(update_fields=["excuses"])
    pace = match.parsed_pace
    until = clock.add_time(now, pace.extension, pace, waits.find_time_zone(place))
    waits.set_deadline(wait, match, place, until)
    event = house_lines.extend(match, wait, Event.Origin.CLOCK, now)
    signals.excused.send(Match, match=match, wait=wait, place=place, event=event, now=now)
    return True


def record_miss(loaded: LoadedMatch, wait: Wait, now: datetime) -> bool:
    """Play the game's default; after too many misses in a row, let a bot sit in."""
    event = answer_for(loaded, wait, Event.Origin.CLOCK, now)
    if event is None:
        return False
    match, place = loaded.match, loaded.places[wait.seat]
    place.misses += 1
    place.save(update_fields=["misses"])
    if place.misses >= MISSES_BEFORE_BOT and match.phase == Match.Phase.RUNNING:
        house_lines.substitute_bot(match, place, Event.Origin.CLOCK, now)  # its letter also says that time was up
    else:
        signals.late.send(Match, match=match, place=place, event=event, now=now)
    return True


def close_market(loaded: LoadedMatch, wait: Wait, now: datetime) -> bool:
    """Close a market. Leaving it open while others may still speak is no fault, so this counts as no miss."""
    return answer_for(loaded, wait, Event.Origin.CLOCK, now) is not None


STEPS = (postpone_to_daylight, excuse, record_miss)
MARKET_STEPS = (postpone_to_daylight, close_market)


def answer_for(loaded: LoadedMatch, wait: Wait, origin: str, now: datetime) -> Event | None:
    """Answer everything the seat is asked until another seat is asked. Return the first line."""
    first: Event | None = None
    sitting: Wait | None = wait
    for _ in range(MAX_DEFAULTS):
        if sitting is None or sitting.due_at is None or sitting.due_at > now:
            break
        line = choose_line(loaded, loaded.places[wait.seat])
        question, since = sitting.opened, loaded.match.length
        try:
            made = moves.play_line(loaded, wait.seat, line, origin=origin, question=question, since=since, now=now)
        except Unplayed:
            break
        first = first or made.events[0]
        sitting = loaded.waits.get(wait.seat)
    return first


@sensitive_variables("ask")
def choose_line(loaded: LoadedMatch, place: Place) -> str:
    """Return the line to play for a seat: that of the bot that sits there, or the rules' default."""
    if place.is_bot and (answer := ask_bot(loaded, place)):
        return answer
    ask = loaded.table.ask(place.seat)
    assert ask is not None
    return str(ask.default)


@sensitive_variables("table", "ask", "answer")
def ask_bot(loaded: LoadedMatch, place: Place) -> str:
    """Return the line of the bot that sits there; "" while it lets others speak."""
    table = loaded.table
    ask = table.ask(place.seat)
    answer = table.rules.bot(table.view(place.seat), ask) if ask else None
    return str(answer) if answer else ""
