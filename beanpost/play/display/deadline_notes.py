"""Notes shown below a deadline in letters and on pages: pause, excuses, time bank, absent players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.template.defaultfilters import date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.play.display.wording import format_span, say, spell_number
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.players.models import Away
from games.contract.house_lines import VOCABULARY, Extend
from games.contract.notation import read
from games.contract.seats import HOUSE, Seat

HOUR = timedelta(hours=1)
LEAST_RESERVE = timedelta(minutes=30)  # less is not mentioned
MOST_ROUNDING = timedelta(hours=12)  # with more between the time given and the deadline, the two don't go together


def describe_deadline(match: Match, place: Place, wait: Wait, log: Sequence[Event]) -> list[str]:
    """Return sentences about a deadline: the pause, a question's own deadline, the grace periods left."""
    if match.paused_at:
        return [_("The match is paused and the clock is stopped.")]
    if wait.due_at is None:
        return []
    if wait.window:
        return [say(games.get(match.game, match.edition).words.own_deadline, ())]
    return [sentence for sentence in (describe_grace_periods(place),) if sentence]


def describe_time_given(match: Match, place: Place, wait: Wait, log: Sequence[Event]) -> str:
    """Return the time to answer in words, with the reserve named separately; "" where it does not explain the deadline.

    It does not in a market or a grace period, nor if days that don't count or time given back lie before the deadline.
    """
    if match.paused_at or wait.due_at is None or wait.window or is_excused(wait, log):
        return ""
    if wait.due_at - wait.since > match.allowance + place.bank + MOST_ROUNDING:
        return ""
    allowed = format_span(match.allowance)
    if not match.parsed_pace.bank or place.bank < LEAST_RESERVE:
        return allowed
    reserve = round(place.bank / HOUR) * HOUR if place.bank > HOUR else place.bank
    return _("%(allowed)s, plus %(reserve)s in reserve") % {"allowed": allowed, "reserve": format_span(reserve)}


def is_excused(wait: Wait, log: Sequence[Event]) -> bool:
    """Return whether the seat got extra time in this sitting, after its allowance and its time bank ran out."""
    by_clock = (event for event in log if event.seat == HOUSE and event.origin == Event.Origin.CLOCK)
    lately = [read(event.line, VOCABULARY) for event in by_clock if event.said_at >= wait.since]
    return any(isinstance(action, Extend) and action.seat == wait.seat for action in lately)


def describe_grace_periods(place: Place) -> str:
    if not place.excuses:
        return ""
    return ngettext(
        "You have one grace period left in this match.",
        "You have %(count)s grace periods left in this match.",
        place.excuses,
    ) % {"count": spell_number(place.excuses)}


def describe_absences(away: list[tuple[Place, Away]], absentees: list[Place], reader: Seat | None) -> list[str]:
    """Return sentences about players who are away and players for whom a bot plays."""
    days = [
        (say_you_are_away() if place.seat == reader else _("%(name)s is away until %(day)s."))
        % {"name": place.name, "day": date(gone.last, _("D j M"))}
        for place, gone in away
    ]
    return days + [
        _("A bot is playing for you.") if place.seat == reader else explain_bot(place) for place in absentees
    ]


def say_you_are_away() -> str:
    return _("You’re away until %(day)s. If your time runs out, the table waits as long as you have away days.")


def explain_bot(place: Place) -> str:
    """Return why a bot plays there: the player has resigned, or is absent."""
    if place.resigned_at:
        return _("%(name)s resigned; a bot is playing for them.") % {"name": place.name}
    return _("A bot is playing for %(name)s.") % {"name": place.name}
