"""An organiser's actions at a running table. Each is a line of the house in the log of its match."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.models import Chair, Fixture
from beanpost.play import load
from beanpost.play.deadlines import waits
from beanpost.play.display.wording import format_time
from beanpost.play.models import Event, Match, Place, Proposal, Wait
from beanpost.play.seats import votes
from beanpost.play.turns import house_lines
from games.contract.house_lines import Remind
from games.contract.seats import HOUSE

ORGANISER = Event.Origin.ORGANISER
REMIND_AT_MOST_EVERY = timedelta(days=1)  # at most one reminder by an organiser
DOUBLE_PRESS_WITHIN = timedelta(minutes=1)  # a second press, or another organiser's, within this time is refused


def lock_running_match(fixture: Fixture) -> Match:
    """Lock and return a fixture's match. Refuse unless it is being played."""
    match = load.lock_match(fixture.match_id) if fixture.match_id else None
    if match is None or match.phase != Match.Phase.RUNNING:
        raise ValidationError(_("This match isn’t in progress."))
    return match


def load_place(match: Match, chair: Chair) -> Place:
    return match.places.select_related("player", "match").get(seat=chair.seat)


def find_wait(match: Match, place: Place) -> Wait:
    if match.paused_at:
        raise ValidationError(_("The match is paused and the clock is stopped."))
    wait = match.waits.filter(seat=place.seat, due_at__isnull=False).first()
    if wait is None or place.is_bot:
        raise ValidationError(_("The table isn’t waiting for %(name)s.") % {"name": place.name})
    return wait


@transaction.atomic
def extend(chair: Chair, days: int, *, now: datetime) -> datetime:
    """Give a player more time. Return the new deadline."""
    match = lock_running_match(chair.fixture)
    place = load_place(match, chair)
    wait = find_wait(match, place)
    assert wait.due_at is not None
    check_not_just_extended(match, place, wait.due_at, now)
    until = waits.give_time(wait, match, place, timedelta(days=days), not_before=now)
    house_lines.extend(match, wait, ORGANISER, now)
    return until


def check_not_just_extended(match: Match, place: Place, until: datetime, now: datetime) -> None:
    """Refuse a second extension within a moment: days are added, so pressing twice would give them twice."""
    given = match.events.filter(seat=HOUSE, line=str(house_lines.build_extension(place.seat, until)), origin=ORGANISER)
    if given.filter(said_at__gt=now - DOUBLE_PRESS_WITHIN).exists():
        values = {"name": place.name, "until": format_time(until, now)}
        raise ValidationError(_("%(name)s was given more time a moment ago, until %(until)s.") % values)


@transaction.atomic
def remind(chair: Chair, *, now: datetime) -> None:
    """Remind a player the table waits for, at most once a day."""
    match = lock_running_match(chair.fixture)
    place = load_place(match, chair)
    wait = find_wait(match, place)
    if find_recent_reminders(now).filter(match=match, line=str(Remind(place.seat))).exists():
        raise ValidationError(_("%(name)s was reminded less than a day ago.") % {"name": place.name})
    house_lines.remind(match, wait, place, ORGANISER, now)


def find_recent_reminders(now: datetime) -> QuerySet[Event]:
    """Return the reminders of the last day. Players who got one can't be reminded again yet."""
    since = now - REMIND_AT_MOST_EVERY
    return Event.objects.filter(seat=HOUSE, line__startswith="remind ", said_at__gt=since)


@transaction.atomic
def pause(fixture: Fixture, *, reason: str, now: datetime) -> None:
    match = lock_running_match(fixture)
    if not house_lines.pause(match, ORGANISER, now):
        raise ValidationError(_("The match is already paused."))
    votes.announce_decision(match, match.length, reason, now)


@transaction.atomic
def resume(fixture: Fixture, *, reason: str, now: datetime) -> None:
    match = lock_running_match(fixture)
    if not house_lines.resume(match, ORGANISER, now):
        raise ValidationError(_("The match isn’t paused."))
    votes.announce_decision(match, match.length, reason, now)


@transaction.atomic
def give_to_bot(chair: Chair, *, now: datetime) -> None:
    """Let a bot play until the player takes the seat back."""
    match = lock_running_match(chair.fixture)
    place = load_place(match, chair)
    if place.is_bot:
        raise ValidationError(_("A bot is already playing there."))
    house_lines.substitute_bot(match, place, ORGANISER, now)


@transaction.atomic
def forfeit_seat(chair: Chair, *, now: datetime) -> None:
    """Take a seat away for good; a bot plays its cards."""
    match = lock_running_match(chair.fixture)
    place = load_place(match, chair)
    if place.resigned_at:
        raise ValidationError(_("%(name)s has already forfeited this seat.") % {"name": place.name})
    house_lines.forfeit(match, place, ORGANISER, now)


@transaction.atomic
def offer_seat(chair: Chair, address: str, *, now: datetime) -> Proposal:
    """Offer a seat to somebody new, and tell its player. A bot plays until the newcomer sits down."""
    match = lock_running_match(chair.fixture)
    place = load_place(match, chair)
    if not place.is_bot:
        house_lines.substitute_bot(match, place, ORGANISER, now)
    if match.phase != Match.Phase.RUNNING:
        raise ValidationError(_("The match would be over before a substitute could accept."))
    check_not_just_asked(match, chair, address, now)
    return votes.offer_seat(match.pk, chair.seat, address, now=now)


def check_not_just_asked(match: Match, chair: Chair, address: str, now: datetime) -> None:
    offered = match.proposals.filter(about=Proposal.About.GIVE, seat=chair.seat, closed_at=None)
    lately = (
        offered.filter(player__address=address, passed_at__gt=now - DOUBLE_PRESS_WITHIN)
        .select_related("player")
        .first()
    )
    if lately:
        raise ValidationError(_("%(name)s was asked a moment ago.") % {"name": lately.player})


@transaction.atomic
def rewind(fixture: Fixture, seq: int, *, reason: str, now: datetime) -> bool:
    """Take back a line and those after it. Return False if everybody at the table is asked first."""
    return votes.rewind_for_organiser(lock_running_match(fixture).pk, seq, reason=reason, now=now) is None
