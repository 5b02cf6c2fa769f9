"""Being away, falling silent, coming back, giving up: what a person does about being there at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.play import clock, house, moves, signals, stumbling, waits
from beanpost.play.models import Event, Match, Place
from beanpost.players import book
from beanpost.players.models import Away, Player

STOCK = 28  # days away that a player may use …
SEASON = timedelta(days=90)  # … within any such span
LONGEST = timedelta(days=60)  # of one absence
HOMECOMING = timedelta(days=1)  # after which a question falls due at the earliest
PATIENCE = timedelta(days=7)  # with who was asked whether they still play
LAST_CHANCE = 2  # misses of who did not answer that: with the next one a bot sits in
DAY = timedelta(days=1)


# ── days away ────────────────────────────────────────────────────────────────────────────────────


@transaction.atomic
def announce(player: Player, first: date, last: date, *, now: datetime) -> Away:
    """Note that somebody cannot play on these days. Days that touch earlier absences are joined to them."""
    today = now.astimezone(player.tz).date()
    if last < first or last < today:
        raise ValidationError(_("Please choose days that are still to come, the first one first."))
    first = max(first, today)
    fresh = Away(player=player, first=first, last=last, announced_at=now)
    check_length(fresh, first - today)
    book.hold(player.pk)  # who presses twice announces them once
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
    """All of these days as one absence: the earliest, if there is one, which becomes as long."""
    joined = touching[0] if touching else fresh
    for away in (fresh, *touching):
        joined.first, joined.last = min(joined.first, away.first), max(joined.last, away.last)
        if away.used_from and away.used_until:
            joined.used_from = min(joined.used_from or away.used_from, away.used_from)
            joined.used_until = max(joined.used_until or away.used_until, away.used_until)
    return joined


@transaction.atomic
def come_back(player: Player, *, now: datetime) -> None:
    """The days away that are left are no longer needed."""
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
    """When the last of these days is over."""
    return clock.first_moment(away.last + DAY, away.player.tz)


def away_now(place: Place, now: datetime) -> Away | None:
    """The absence a seat is in, as far as this match honours absences."""
    if place.player is None or place.match.away_days == 0:
        return None
    return current(place.player, now)


def announced(match: Match, absences: Sequence[Away]) -> list[Away]:
    """Days away of those who sit at a table, as far as it honours them."""
    if match.phase != Match.Phase.RUNNING or match.away_days == 0 or match.started_at is None:
        return []
    first = match.started_at.date() - DAY
    return [away for away in absences if away.last >= first]


def at_table(places: Sequence[Place], days: Sequence[Away], now: datetime) -> list[tuple[Place, Away]]:
    """Who is away from a table at the moment, and how long."""
    gone = {away.player_id: away for away in days if away.first <= now.astimezone(away.player.tz).date() <= away.last}
    return [(place, gone[place.player_id]) for place in places if place.player_id in gone and not place.is_bot]


def days_left(player: Player, now: datetime, *, beside: Away | None = None) -> int:
    """What is left of the stock."""
    oldest = now.astimezone(player.tz).date() - SEASON
    used = player.absences.filter(used_until__gte=oldest).exclude(pk=beside.pk if beside else 0)
    return max(STOCK - sum(away.days_used for away in used), 0)


class Covered(NamedTuple):
    """How long an absent player is waited for."""

    home: datetime  # when the last of those days is over
    until: datetime  # by when they then have to answer


def covered(match: Match, place: Place, now: datetime) -> Covered | None:
    """How long an absent player is waited for. The days are taken from the stock now, since they are needed."""
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
    """Running matches that do not wait for all days of these absences; without any, those that might not."""
    longest = max((away.days for away in absences), default=STOCK)
    limited = Match.objects.filter(phase=Match.Phase.RUNNING, places__player=player, away_days__lt=longest)
    return list(limited.order_by("pk"))


def seems_away(match: Match, player: Player, *, now: datetime) -> bool:
    """An automatic answer came back: offer to note some days away. It is the player who decides."""
    place = match.places.filter(player=player).first()
    if place is None or match.phase != Match.Phase.RUNNING or current(player, now):
        return False
    signals.seemed_away.send(Match, match=match, place=place, now=now)
    return True


# ── silence ──────────────────────────────────────────────────────────────────────────────────────


def wonder(now: datetime) -> int:
    """Ask whoever was not heard from for long whether they still play."""
    silent = Place.objects.filter(nudge_at__lte=now).order_by("nudge_at").values_list("match_id", "pk")
    return stumbling.each(silent, wonder_about, now)


@transaction.atomic
def wonder_about(match_id: int, place_id: int, now: datetime) -> bool:
    match = moves.lock(match_id)
    place = match.places.filter(pk=place_id, nudge_at__lte=now).first()
    if place is None:  # they were heard from a moment ago, or another machine has asked
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
    """Somebody says: yes, I am here. If a bot sits in, the seat is theirs again."""
    match = moves.lock_seat(place)
    if place.stand_in and place.resigned_at is None and match.phase == Match.Phase.RUNNING:
        house.sit_person(match, place, Event.Origin.PLAYER, now)
        return
    waits.heard_from(place, now)
    place.save(update_fields=["misses", "nudged", "nudge_at"])


# ── coming back, giving up ───────────────────────────────────────────────────────────────────────


@transaction.atomic
def take_back(place: Place, *, now: datetime) -> Match:
    """Somebody sits down again where a bot sat in for them. Pressing twice sits down once."""
    match = moves.lock_seat(place)
    if place.resigned_at:
        raise ValidationError(_("You have given up this seat, and cannot take it back."))
    if place.stand_in and match.phase == Match.Phase.RUNNING:
        house.sit_person(match, place, Event.Origin.PLAYER, now)
    return match


@transaction.atomic
def resign(place: Place, *, now: datetime) -> Match:
    """Somebody gives up. The others play on, with a bot in that seat."""
    match = moves.lock_seat(place)
    if match.phase == Match.Phase.RUNNING and place.resigned_at is None:
        house.forfeit(match, place, Event.Origin.PLAYER, now)
    return match
