"""Remind players whose time is running out: once, with a quarter of it left, or when they are back from days away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from beanpost.play import clock
from beanpost.play.deadlines import days_away, waits
from beanpost.play.load import LoadedMatch
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.play.timekeeping.due_questions import call_nobody, handle_all_due
from beanpost.play.turns import house_lines


def remind_players(now: datetime, call_helper: Callable[[], None] = call_nobody) -> int:
    """Remind the players whose time is running out, each once per sitting."""
    due = Wait.objects.filter(remind_at__lte=now, stalled_at=None).order_by("remind_at")
    return handle_all_due(due, remind_player, now, call_helper)


def remind_player(loaded: LoadedMatch, wait: Wait, now: datetime) -> bool:
    if not Wait.objects.filter(pk=wait.pk, remind_at__lte=now).update(remind_at=None):
        return False
    if wait.due_at is None or wait.due_at <= now:
        return False
    match, place = loaded.match, loaded.places[wait.seat]
    if place.is_bot or not place.wants_reminders:
        return False
    morning = clock.skip_quiet_hours(now, match.parsed_pace, waits.find_time_zone(place), morning=0)
    if morning > now:  # the sweep was down until the night, or the player has moved to another zone
        if morning >= wait.due_at:
            house_lines.postpone(match, wait, place, morning, now)
        Wait.objects.filter(pk=wait.pk).update(remind_at=morning)
        return False
    away = days_away.find_honoured_absence(place, now)
    if away and not relies_on_reminder(place):
        Wait.objects.filter(pk=wait.pk).update(
            remind_at=find_reminder_after_return(match, place, days_away.find_return(away), wait.due_at)
        )
        return False
    house_lines.remind(match, wait, place, Event.Origin.CLOCK, now)
    return True


def find_reminder_after_return(match: Match, place: Place, home: datetime, due: datetime) -> datetime | None:
    """Return when to remind a player who comes home then, by daylight. None if their time is up before that."""
    at = clock.skip_quiet_hours(home, match.parsed_pace, waits.find_time_zone(place), morning=0)
    return at if at < due else None


def relies_on_reminder(place: Place) -> bool:
    """Return whether the player may get no letter but the reminder: then it goes out on days away too."""
    return place.player is not None and place.player.counts_on_reminders
