"""Notes shown below a deadline in letters and on pages: pause, excuses, time bank, absent players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.template.defaultfilters import date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.play.display.wording import lasting, times
from beanpost.play.models import Event, Match, Place, Wait
from beanpost.players.models import Away
from games.contract.house_lines import VOCABULARY, Extend
from games.contract.notation import read
from games.contract.seats import HOUSE, Seat


def notes_for_deadline(match: Match, place: Place, wait: Wait, log: Sequence[Event]) -> list[str]:
    """Return sentences about a deadline: the pause, the remaining excuses, and the time bank."""
    if match.paused_at:
        return [_("The match is paused: nobody’s time runs.")]
    if wait.due_at is None:
        return []
    if wait.window:
        return [_("A market has a limit of its own, since others may speak too.")]
    banked = "" if is_excused(wait, log) else bank(match, place)
    return [sentence for sentence in (excuses(place), banked) if sentence]


def is_excused(wait: Wait, log: Sequence[Event]) -> bool:
    """Return whether the seat was excused in this sitting: its time and its bank were used up, and it got some more."""
    by_clock = (event for event in log if event.seat == HOUSE and event.origin == Event.Origin.CLOCK)
    lately = [read(event.line, VOCABULARY) for event in by_clock if event.said_at >= wait.since]
    return any(isinstance(said, Extend) and said.seat == wait.seat for said in lately)


def bank(match: Match, place: Place) -> str:
    if not match.parsed_pace.bank:
        return ""
    if place.bank < timedelta(minutes=30):
        return _("Your bank of time is empty; it fills when you answer within %(span)s.") % {
            "span": lasting(match.allowance)
        }
    return _("This time includes %(span)s from your bank of time, which is used only when you need it.") % {
        "span": lasting(place.bank)
    }


def excuses(place: Place) -> str:
    if not place.excuses:
        return ""
    return ngettext(
        "Before that you may be late once, and get a little more time.",
        "Before that you may be late %(times)s in this match, and get a little more time each time.",
        place.excuses,
    ) % {"times": times(place.excuses)}


def absences(away: list[tuple[Place, Away]], absentees: list[Place], reader: Seat | None) -> list[str]:
    """Return sentences about players who are away and players for whom a bot plays."""
    days = [
        (you_are_away() if place.seat == reader else _("%(name)s is away until %(day)s."))
        % {"name": place.name, "day": date(gone.last, _("l j F"))}
        for place, gone in away
    ]
    return days + [_("A bot sits in for you.") if place.seat == reader else played_by_bot(place) for place in absentees]


def you_are_away() -> str:
    return _("You are away until %(day)s: when your time is up, the table waits as far as your days away reach.")


def played_by_bot(place: Place) -> str:
    """Return why a bot plays there: the player has resigned, or is absent."""
    if place.resigned_at:
        return _("%(name)s has given up; a bot plays on.") % {"name": place.name}
    return _("A bot sits in for %(name)s.") % {"name": place.name}
