"""Announced days away, and which of them a match honours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from beanpost.play import clock
from beanpost.play.models import Match, Place
from beanpost.players.models import Away, Player

STOCK = 28  # days away that a player may use …
STOCK_PERIOD = timedelta(days=90)  # … within any such span
DAY = timedelta(days=1)
WEEK = timedelta(days=7)  # a pace may count one day a week: then the first day back can be a week after the return


def find_absence(player: Player, now: datetime) -> Away | None:
    today = now.astimezone(player.tz).date()
    return player.absences.filter(first__lte=today, last__gte=today).first()


def list_absent_players(now: datetime) -> set[int]:
    """Return the keys of all players for whom a table may wait now: their own date may be a day earlier or later."""
    today = now.date()
    absences = Away.objects.filter(first__lte=today + DAY, last__gte=today - WEEK - DAY)
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


def charge_days_away(match: Match, place: Place, now: datetime) -> datetime | None:
    """Return when an absent player is back, and charge the days that the match waits. The first day back is free.

    None if it does not wait: the player has not been away, or the days are used up, or the first day back is over.
    """
    player, pace = place.player, match.parsed_pace
    if player is None or match.away_days == 0:
        return None
    today = now.astimezone(player.tz).date()
    away = player.absences.filter(first__lte=today, last__gte=today - WEEK).last()
    limits = [match.away_days, count_days_left(player, now, beside=away)]
    limit = timedelta(days=min(days for days in limits if days is not None))
    if away is None or not limit:
        return None
    # Only this match's own days count: another one may have waited for the same player earlier.
    began = place.waited_from if place.waited_from and place.waited_from >= away.first else min(today, away.last + DAY)
    last = min(away.last, began + limit - DAY)
    home = clock.find_start_of_day(last + DAY, player.tz)
    if clock.add_time(home, DAY, pace, player.tz) <= now:
        return None
    if began <= last:
        place.waited_from = began
        place.save(update_fields=["waited_from"])
        away.used_from, away.used_until = min(away.used_from or began, began), max(away.used_until or last, last)
        away.save(update_fields=["used_from", "used_until"])
    return home


def find_stricter_matches(player: Player, absences: Iterable[Away]) -> list[Match]:
    """Return the running matches that wait for fewer days than the longest of these absences (default: the stock)."""
    longest = max((away.days for away in absences), default=STOCK)
    limited = Match.objects.filter(phase=Match.Phase.RUNNING, places__player=player, away_days__lt=longest)
    return list(limited.order_by("pk"))
