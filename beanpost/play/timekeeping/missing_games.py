"""Matches whose game, or edition of it, is not installed: their clocks stop until it is installed again.

Nobody can move at such a match; its players can still resign or pause it. The health page tells the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from beanpost.database import batches
from beanpost.play import load, signals
from beanpost.play.deadlines import waits
from beanpost.play.models import Event, Match, Wait
from beanpost.play.turns import house_lines
from games.engine import catalogue


def find_matches() -> QuerySet[Match]:
    """Return the running matches that nobody can play now."""
    missing = (Q(game=slug, edition=edition) for slug, edition in find_missing_kinds())
    return find_running_matches().filter(reduce(or_, missing, Q(pk__in=[])))


def describe_missing() -> list[str]:
    """Return what is missing: "chess, edition 2"."""
    return [f"{game}, edition {edition}" for game, edition in find_missing_kinds()]


def find_missing_kinds() -> list[tuple[str, int]]:
    """Return the games and editions that running matches need and that are not installed."""
    return [
        (game, edition)
        for game in find_distinct_values(find_running_matches(), "game")
        for edition in find_distinct_values(find_running_matches().filter(game=game), "edition")
        if not catalogue.is_installed(game, edition)
    ]


def find_distinct_values(found: QuerySet[Match], field: str) -> Iterator[Any]:
    """Yield the values of a column, each after one look into the index. SQL's DISTINCT would read every match."""
    values = found.order_by(field).values_list(field, flat=True)
    value = values.first()
    while value is not None:
        yield value
        value = values.filter(**{f"{field}__gt": value}).first()


def find_running_matches() -> QuerySet[Match]:
    return Match.objects.filter(phase=Match.Phase.RUNNING)


def stop_clocks(now: datetime) -> int:
    """Stop the clocks of these matches."""
    waiting = Wait.objects.filter(match__in=find_matches(), due_at__isnull=False)
    return batches.run_each(waiting.order_by("match_id").values_list("match_id").distinct(), stop_clocks_of_match, now)


@transaction.atomic
def stop_clocks_of_match(match_id: int, now: datetime) -> bool:
    match = load.lock_match(match_id)
    places = {place.seat: place for place in match.places.select_related("player")}
    for wait in match.waits.filter(due_at__isnull=False):
        waits.stop_clock(wait, match, places[wait.seat], now)
        wait.stalled_at = None
        wait.save(update_fields=[*waits.TIMES, "stalled_at"])
    return True


def restart_clocks(now: datetime) -> int:
    """Restart the clocks of matches whose game is back: everybody has as much time left as before.

    Write to the players again: their replies were not read, and letters about the match could not be composed.
    """
    standing = Wait.objects.filter(left__isnull=False, match__paused_at=None, match__phase=Match.Phase.RUNNING)
    installed = (Q(match__game=slug, match__edition=edition) for slug, edition in catalogue.list_installed())
    back = standing.filter(reduce(or_, installed))
    return batches.run_each(back.order_by("match_id").values_list("match_id").distinct(), restart_clocks_of_match, now)


@transaction.atomic
def restart_clocks_of_match(match_id: int, now: datetime) -> bool:
    match = load.lock_match(match_id)
    if match.paused_at or match.phase != Match.Phase.RUNNING:
        return False
    places = {place.seat: place for place in match.places.select_related("player")}
    for wait in match.waits.filter(left__isnull=False):
        place = places[wait.seat]
        waits.restart_clock(wait, match, place, now)
        if place.is_bot:
            wait.save(update_fields=waits.TIMES)
        else:
            house_lines.extend(match, wait, Event.Origin.HOUSE, now)
            signals.resumed.send(Match, match=match, wait=wait, place=place, now=now)
    return True
