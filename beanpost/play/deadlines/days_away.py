"""Announced days away, and which of them a match honours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from beanpost.play import clock
from beanpost.play.models import Match, Place
from beanpost.players.models import Away, Player

STOCK = 28  # days away that a player may use …
STOCK_PERIOD = timedelta(days=90)  # … within any such span
TIME_AFTER_RETURN = timedelta(days=1)  # time to answer after coming home, unless the allowance is shorter
DAY = timedelta(days=1)


def find_absence(player: Player, now: datetime) -> Away | None:
    today = now.astimezone(player.tz).date()
    return player.absences.filter(first__lte=today, last__gte=today).first()


def list_absent_players(now: datetime) -> set[int]:
    """Return the keys of all players who may be away now: their own date may be a day earlier or later."""
    today = now.date()
    absences = Away.objects.filter(first__lte=today + DAY, last__gte=today - DAY)
    return set(absences.order_by().values_list("player_id", flat=True))


def find_return(away: Away) -> datetime:
    """Return when the last of these days is over."""
    return clock.find_start_of_day(away.last + DAY, away.player.tz)


def find_honoured_absence(place: Place, now: datetime) -> Away | None:
    """Return the current absence of a seat's player, if the match honours absences."""
    if place.player is None or place.match.away_days == 0:
        return None
    return find_absence(place.player, now)


def filter_honoured(match: Match, absences: Sequence[Away]) -> list[Away]:
    """Return those of the players' absences that a match honours and that do not end before it began."""
    if match.phase != Match.Phase.RUNNING or match.away_days == 0 or match.started_at is None:
        return []
    first = match.started_at.date() - DAY
    return [away for away in absences if away.last >= first]


def find_absent_seats(places: Sequence[Place], days: Sequence[Away], now: datetime) -> list[tuple[Place, Away]]:
    """Return the seats whose players are away now, each with its absence."""
    gone = {away.player_id: away for away in days if away.first <= now.astimezone(away.player.tz).date() <= away.last}
    return [(place, gone[place.player_id]) for place in places if place.player_id in gone and not place.is_bot]


def count_days_left(player: Player, now: datetime, *, beside: Away | None = None) -> int:
    """Return how many days away a player has left, not counting those used by the absence `beside`."""
    oldest = now.astimezone(player.tz).date() - STOCK_PERIOD
    used = player.absences.filter(used_until__gte=oldest).exclude(pk=beside.pk if beside else 0)
    return max(STOCK - sum(away.days_used for away in used), 0)


class CoveredAbsence(NamedTuple):
    """How long a match waits for an absent player."""

    home: datetime  # when the last covered day is over
    until: datetime  # the deadline after that


def charge_days_away(match: Match, place: Place, now: datetime) -> CoveredAbsence | None:
    """Return how long the match waits for an absent player, if at all, and charge the days to their stock."""
    away, player = find_honoured_absence(place, now), place.player
    if away is None or player is None:
        return None
    today = now.astimezone(player.tz).date()
    stock = count_days_left(player, now, beside=away)
    if match.away_days is not None:
        stock = min(stock, match.away_days)
    begin = away.used_from or today
    last = min(away.last, begin + timedelta(days=stock) - DAY)
    if last < today:
        return None
    away.used_from, away.used_until = begin, max(last, away.used_until or last)
    away.save(update_fields=["used_from", "used_until"])
    home = clock.find_start_of_day(last + DAY, player.tz)
    pace = match.parsed_pace
    after = clock.add_time(home, min(TIME_AFTER_RETURN, pace.allowance), pace, player.tz)
    return CoveredAbsence(home, clock.find_allowed_time(after, pace, player.tz))


def find_stricter_matches(player: Player, absences: Iterable[Away]) -> list[Match]:
    """Return the running matches that wait for fewer days than the longest of these absences (default: the stock)."""
    longest = max((away.days for away in absences), default=STOCK)
    limited = Match.objects.filter(phase=Match.Phase.RUNNING, places__player=player, away_days__lt=longest)
    return list(limited.order_by("pk"))
