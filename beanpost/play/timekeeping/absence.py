"""Absence: announce days away, ask silent players whether they still play, return to a seat, resign, report spam."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.play import load, signals
from beanpost.play.deadlines import waits
from beanpost.play.deadlines.days_away import DAY, find_absence, find_honoured_absence
from beanpost.play.models import Event, Match, Place
from beanpost.play.seats import joining
from beanpost.play.timekeeping.timeouts import MISSES_BEFORE_BOT
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Away, Player
from games.engine import catalogue

LONGEST = timedelta(days=60)  # a single absence
TIME_TO_ANSWER = timedelta(days=7)  # to answer "are you still playing?"


# ── days away ────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def announce_days_away(player: Player, first: date, last: date, *, now: datetime) -> Away:
    """Save that a player is away on these days. Absences that touch or overlap are merged."""
    today = now.astimezone(player.tz).date()
    if last < first or last < today:
        raise ValidationError(_("Choose days in the future, with the first day before the last."))
    first = max(first, today)
    fresh = Away(player=player, first=first, last=last, announced_at=now)
    check_length(fresh, first - today)
    accounts.lock_player(player.pk)  # so that pressing twice announces the days once
    touching = list(player.absences.select_for_update().filter(first__lte=last + DAY, last__gte=first - DAY))
    joined = merge_absences(fresh, touching)
    check_length(joined)
    player.absences.filter(pk__in=[away.pk for away in touching if away != joined]).delete()
    joined.save()
    return joined


def check_length(away: Away, ahead: timedelta = timedelta()) -> None:
    if away.days > LONGEST.days or ahead > 6 * LONGEST:
        raise ValidationError(_("You can be away for up to %(days)d days at a time.") % {"days": LONGEST.days})


def merge_absences(fresh: Away, touching: Sequence[Away]) -> Away:
    """Merge these absences into one: the earliest existing row, extended, or else the new one."""
    joined = touching[0] if touching else fresh
    for away in (fresh, *touching):
        joined.first, joined.last = min(joined.first, away.first), max(joined.last, away.last)
        if away.used_from and away.used_until:
            joined.used_from = min(joined.used_from or away.used_from, away.used_from)
            joined.used_until = max(joined.used_until or away.used_until, away.used_until)
    return joined


@transaction.atomic
def come_back(player: Player, *, now: datetime) -> None:
    """Cancel the remaining days away of a player who is back."""
    today = now.astimezone(player.tz).date()
    player.absences.filter(first__gte=today, used_from=None).delete()
    for away in player.absences.filter(last__gte=today):
        away.last = max(today - DAY, away.first)
        away.used_until = min(away.used_until, away.last) if away.used_until else None
        away.save(update_fields=["last", "used_until"])


def offer_days_away(match: Match, player: Player, *, now: datetime) -> bool:
    """Offer to announce days away, since an automatic answer came back. The player decides."""
    place = match.places.filter(player=player).first()
    if place is None or match.phase != Match.Phase.RUNNING or find_absence(player, now):
        return False
    signals.seemed_away.send(Match, match=match, place=place, now=now)
    return True


# ── silence ──────────────────────────────────────────────────────────────────────────────────────


def ask_silent_players(now: datetime) -> int:
    """Ask players who have been silent for long whether they still play."""
    silent = Place.objects.filter(nudge_at__lte=now).order_by("nudge_at").values_list("match_id", "pk")
    return batches.run_each(silent, ask_silent_player, now)


@transaction.atomic
def ask_silent_player(match_id: int, place_id: int, now: datetime) -> bool:
    match = load.lock_match(match_id)
    place = match.places.filter(pk=place_id, nudge_at__lte=now).first()
    if place is None:  # the player has just acted, or another process has asked them
        return False
    if match.phase != Match.Phase.RUNNING or place.is_bot:
        place.nudge_at = None
    elif match.paused_at or find_honoured_absence(place, now) or not catalogue.is_installed(match.game, match.edition):
        place.nudge_at = now + TIME_TO_ANSWER
    elif place.nudged:
        place.nudge_at, place.misses = None, max(place.misses, MISSES_BEFORE_BOT - 1)
    else:
        place.nudged, place.nudge_at = True, now + TIME_TO_ANSWER
        signals.wondered.send(Match, match=match, place=place, now=now)
    place.save(update_fields=["nudged", "nudge_at", "misses"])
    return True


@transaction.atomic
def confirm_still_playing(place: Place, *, now: datetime) -> None:
    """Record that a player still plays. If a bot plays for them, the player gets the seat back."""
    match = load.lock_seat(place)
    if place.stand_in and place.resigned_at is None and match.phase == Match.Phase.RUNNING:
        house_lines.seat_person(match, place, Event.Origin.PLAYER, now)
        return
    waits.note_activity(place, now)
    place.save(update_fields=["misses", "nudged", "nudge_at"])


# ── coming back, giving up ───────────────────────────────────────────────────────────────────────


@transaction.atomic
def return_to_seat(place: Place, *, now: datetime) -> Match:
    """Return a player to the seat where a bot plays for them. Pressing twice does it once."""
    match = load.lock_seat(place)
    if place.resigned_at:
        raise ValidationError(_("You’ve resigned, so you can’t take this seat back."))
    if place.stand_in and match.phase == Match.Phase.RUNNING:
        house_lines.seat_person(match, place, Event.Origin.PLAYER, now)
    return match


@transaction.atomic
def resign(place: Place, *, now: datetime) -> Match:
    """Resign for a player. The others play on, with a bot in that seat."""
    match = load.lock_seat(place)
    if match.phase == Match.Phase.RUNNING and place.resigned_at is None:
        house_lines.forfeit(match, place, Event.Origin.PLAYER, now)
    return match


@transaction.atomic
def stop_letters_and_seats(player: Player, *, now: datetime) -> int:
    """Never write to a player again: let a bot sit in at running matches, and free their seats at the others."""
    accounts.lock_player(player.pk)  # lock order: the player before their matches, as when a bounce is recorded
    # Lock matches in the order of their keys, and check them only then: they may have ended or changed hands meanwhile.
    seats = player.places.filter(match__phase__in=(Match.Phase.GATHERING, Match.Phase.RUNNING)).order_by("match_id")
    tables = [load.lock_match(pk) for pk in list(seats.values_list("match_id", flat=True))]
    accounts.refuse_letters(player, now=now)
    return sum(leave_to_bot(match, player, now) for match in tables)


def leave_to_bot(match: Match, player: Player, now: datetime) -> bool:
    place = match.places.filter(player=player).first()
    if place and match.phase == Match.Phase.GATHERING:
        joining.decline(place, now=now)
    if place is None or place.stand_in or match.phase != Match.Phase.RUNNING:
        return False
    house_lines.substitute_bot(match, place, Event.Origin.HOUSE, now)
    return True
