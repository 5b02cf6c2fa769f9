"""Absence: announce days away, ask silent players whether they still play, return to a seat, resign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost import batches
from beanpost.play import clock, moves, signals
from beanpost.play.deadlines import waits
from beanpost.play.models import Event, Match, Place
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.players.models import Away, Player

STOCK = 28  # days away that a player may use …
SEASON = timedelta(days=90)  # … within any such span
LONGEST = timedelta(days=60)  # a single absence
HOMECOMING = timedelta(days=1)  # time to answer after coming home, unless the allowance is shorter
PATIENCE = timedelta(days=7)  # time to answer whether one still plays
LAST_CHANCE = 2  # misses charged to players who do not answer that: with the next miss a bot sits in
DAY = timedelta(days=1)


# ── days away ────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def announce(player: Player, first: date, last: date, *, now: datetime) -> Away:
    """Save that a player is away on these days. Absences that touch or overlap are merged."""
    today = now.astimezone(player.tz).date()
    if last < first or last < today:
        raise ValidationError(_("Please choose days that are still to come, the first one first."))
    first = max(first, today)
    fresh = Away(player=player, first=first, last=last, announced_at=now)
    check_length(fresh, first - today)
    accounts.hold(player.pk)  # so that pressing twice announces the days once
    touching = list(player.absences.select_for_update().filter(first__lte=last + DAY, last__gte=first - DAY))
    joined = join(fresh, touching)
    check_length(joined)
    player.absences.filter(pk__in=[away.pk for away in touching if away != joined]).delete()
    joined.save()
    return joined


def check_length(away: Away, ahead: timedelta = timedelta()) -> None:
    if away.days > LONGEST.days or ahead > 6 * LONGEST:
        raise ValidationError(_("One absence may last up to %(days)d days.") % {"days": LONGEST.days})


def join(fresh: Away, touching: Sequence[Away]) -> Away:
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


def current(player: Player, now: datetime) -> Away | None:
    today = now.astimezone(player.tz).date()
    return player.absences.filter(first__lte=today, last__gte=today).first()


def home(away: Away) -> datetime:
    """Return when the last of these days is over."""
    return clock.first_moment(away.last + DAY, away.player.tz)


def away_now(place: Place, now: datetime) -> Away | None:
    """Return the current absence of a seat's player, if the match honours absences."""
    if place.player is None or place.match.away_days == 0:
        return None
    return current(place.player, now)


def announced(match: Match, absences: Sequence[Away]) -> list[Away]:
    """Return those of the players' absences that a match honours and that do not end before it began."""
    if match.phase != Match.Phase.RUNNING or match.away_days == 0 or match.started_at is None:
        return []
    first = match.started_at.date() - DAY
    return [away for away in absences if away.last >= first]


def at_table(places: Sequence[Place], days: Sequence[Away], now: datetime) -> list[tuple[Place, Away]]:
    """Return the seats whose players are away now, each with its absence."""
    gone = {away.player_id: away for away in days if away.first <= now.astimezone(away.player.tz).date() <= away.last}
    return [(place, gone[place.player_id]) for place in places if place.player_id in gone and not place.is_bot]


def days_left(player: Player, now: datetime, *, beside: Away | None = None) -> int:
    """Return how many days away a player has left, not counting those used by the absence `beside`."""
    oldest = now.astimezone(player.tz).date() - SEASON
    used = player.absences.filter(used_until__gte=oldest).exclude(pk=beside.pk if beside else 0)
    return max(STOCK - sum(away.days_used for away in used), 0)


class Covered(NamedTuple):
    """How long a match waits for an absent player."""

    home: datetime  # when the last covered day is over
    until: datetime  # the deadline after that


def covered(match: Match, place: Place, now: datetime) -> Covered | None:
    """Return how long the match waits for an absent player, if at all, and charge the days to their stock."""
    away, player = away_now(place, now), place.player
    if away is None or player is None:
        return None
    today = now.astimezone(player.tz).date()
    stock = days_left(player, now, beside=away)
    if match.away_days is not None:
        stock = min(stock, match.away_days)
    begin = away.used_from or today
    last = min(away.last, begin + timedelta(days=stock) - DAY)
    if last < today:
        return None
    away.used_from, away.used_until = begin, max(last, away.used_until or last)
    away.save(update_fields=["used_from", "used_until"])
    home = clock.first_moment(last + DAY, player.tz)
    rhythm = match.rhythm
    after = clock.after(home, min(HOMECOMING, rhythm.allowance), rhythm, player.tz)
    return Covered(home, clock.settled(after, rhythm, player.tz))


def not_covered(player: Player, absences: Iterable[Away]) -> list[Match]:
    """Return the running matches that wait for fewer days than the longest of these absences (default: the stock)."""
    longest = max((away.days for away in absences), default=STOCK)
    limited = Match.objects.filter(phase=Match.Phase.RUNNING, places__player=player, away_days__lt=longest)
    return list(limited.order_by("pk"))


def seems_away(match: Match, player: Player, *, now: datetime) -> bool:
    """Offer to announce days away, since an automatic answer came back. The player decides."""
    place = match.places.filter(player=player).first()
    if place is None or match.phase != Match.Phase.RUNNING or current(player, now):
        return False
    signals.seemed_away.send(Match, match=match, place=place, now=now)
    return True


# ── silence ──────────────────────────────────────────────────────────────────────────────────────


def wonder(now: datetime) -> int:
    """Ask players who have been silent for long whether they still play."""
    silent = Place.objects.filter(nudge_at__lte=now).order_by("nudge_at").values_list("match_id", "pk")
    return batches.each(silent, wonder_about, now)


@transaction.atomic
def wonder_about(match_id: int, place_id: int, now: datetime) -> bool:
    match = moves.lock(match_id)
    place = match.places.filter(pk=place_id, nudge_at__lte=now).first()
    if place is None:  # the player has just acted, or another process has asked them
        return False
    if match.phase != Match.Phase.RUNNING or place.is_bot:
        place.nudge_at = None
    elif match.paused_at or away_now(place, now):
        place.nudge_at = now + PATIENCE
    elif place.nudged:
        place.nudge_at, place.misses = None, max(place.misses, LAST_CHANCE)
    else:
        place.nudged, place.nudge_at = True, now + PATIENCE
        signals.wondered.send(Match, match=match, place=place, now=now)
    place.save(update_fields=["nudged", "nudge_at", "misses"])
    return True


@transaction.atomic
def still_playing(place: Place, *, now: datetime) -> None:
    """Record that a player still plays. If a bot sits in, the player gets the seat back."""
    match = moves.lock_seat(place)
    if place.stand_in and place.resigned_at is None and match.phase == Match.Phase.RUNNING:
        house_lines.sit_person(match, place, Event.Origin.PLAYER, now)
        return
    waits.heard_from(place, now)
    place.save(update_fields=["misses", "nudged", "nudge_at"])


# ── coming back, giving up ───────────────────────────────────────────────────────────────────────


@transaction.atomic
def take_back(place: Place, *, now: datetime) -> Match:
    """Return a player to the seat where a bot sits in for them. Pressing twice does it once."""
    match = moves.lock_seat(place)
    if place.resigned_at:
        raise ValidationError(_("You have given up this seat, and cannot take it back."))
    if place.stand_in and match.phase == Match.Phase.RUNNING:
        house_lines.sit_person(match, place, Event.Origin.PLAYER, now)
    return match


@transaction.atomic
def resign(place: Place, *, now: datetime) -> Match:
    """Resign for a player. The others play on, with a bot in that seat."""
    match = moves.lock_seat(place)
    if match.phase == Match.Phase.RUNNING and place.resigned_at is None:
        house_lines.forfeit(match, place, Event.Origin.PLAYER, now)
    return match
