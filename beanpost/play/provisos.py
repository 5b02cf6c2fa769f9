"""What is to be known about a deadline beside the instant itself: said under it in letters and on pages."""

from __future__ import annotations

from datetime import timedelta

from django.template.defaultfilters import date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.play.models import Match, Place, Wait
from beanpost.play.telling import lasting, times
from beanpost.players.models import Away


def of(match: Match, place: Place, wait: Wait) -> list[str]:
    """Whole sentences: the pause, how often one is still excused, and the bank."""
    if match.paused_at:
        return [_("The match is paused: nobody’s time runs.")]
    if wait.due_at is None:
        return []
    if wait.window:
        return [_("A market has a limit of its own, since others may speak too.")]
    return [sentence for sentence in (excuses(place), bank(match, place)) if sentence]


def bank(match: Match, place: Place) -> str:
    if not match.rhythm.bank:
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


def absences(away: list[tuple[Place, Away]], absentees: list[Place]) -> list[str]:
    """Who is not there, for everybody at the table to see."""
    days = [
        _("%(name)s is away until %(day)s.") % {"name": place.name, "day": date(gone.last, _("l j F"))}
        for place, gone in away
    ]
    return days + [played_by_bot(place) for place in absentees]


def played_by_bot(place: Place) -> str:
    """Why a bot plays there: until somebody comes back, or since they gave up."""
    if place.resigned_at:
        return _("%(name)s has given up; a bot plays on.") % {"name": place.name}
    return _("A bot sits in for %(name)s.") % {"name": place.name}
