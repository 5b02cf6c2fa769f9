"""A look at a table: the rows that lie on it, read in one go, from which its scenes are made. So are many tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from django.db.models import Model, QuerySet

from beanpost.play.models import Event, Match, Note, Order, Place, Proposal, Vault, Wait
from beanpost.play.rows import Rows, cut
from beanpost.play.speech import MOST_BLANKS, fetched, filled_in, padded
from beanpost.players.models import Away, Player


class Look:
    """What lies on one table."""

    vault: Vault

    def __init__(self, match: Match) -> None:
        self.match = match
        self.places: list[Place] = []  # with their players
        self.absences: list[Away] = []  # days away that anybody at the table has ever announced
        self.events: list[Event] = []
        self.orders: list[Order] = []
        self.notes: list[Note] = []
        self.proposals: list[Proposal] = []
        self.waits: list[Wait] = []


def of(match: Match) -> Look:
    """The look from which scenes are made until the match is refreshed; otherwise a new one."""
    return match.looked_at or looks([match])[0]


def at(matches: Sequence[Match]) -> None:
    """Look at many tables: their scenes are then made from this look, until a match is refreshed."""
    for first in range(0, len(matches), MOST_BLANKS):
        for look in looks(matches[first : first + MOST_BLANKS]):
            look.match.looked_at = look


# ── in one go ──

PLACES, PLAYERS, VAULTS, ABSENCES = Rows(Place), Rows(Player), Rows(Vault), Rows(Away)
IN_SEAT = cut(PLACES, PLAYERS)
# What is asked comes last: who is still asked then may see all that was read before.
LYING: dict[str, Rows[Any]] = {
    "events": Rows(Event),
    "orders": Rows(Order),
    "notes": Rows(Note),
    "proposals": Rows(Proposal),
    "waits": Rows(Wait),
}


def looks(matches: Sequence[Match]) -> list[Look]:
    """Instead of `prefetch_related_objects(matches, "places__player__absences", "vault", "waits", …)`."""
    tables = {match.pk: Look(match) for match in matches}
    numbers = padded(list(tables))
    asked = (seated, away, *map(lying, (Vault, *(rows.kind for rows in LYING.values()))))
    seats, absences, vaults, *found = fetched(*(filled_in(asking, *numbers) for asking in asked))
    seat_all(tables, seats)
    note_absences(tables, absences)
    for row in vaults:
        vault = VAULTS.read(row)
        tables[vault.match_id].vault = vault
    for (name, rows), lines in zip(LYING.items(), found, strict=True):
        lay_out(tables, name, rows, lines)
    return list(tables.values())


def seated(*matches: int) -> QuerySet[Place]:
    return Place.objects.filter(match__in=matches).select_related("player")


def away(*matches: int) -> QuerySet[Away]:
    return Away.objects.filter(player__places__match__in=matches).distinct()


@cache
def lying(kind: type[Model]) -> Callable[..., QuerySet[Any]]:
    return lambda *matches: kind._default_manager.filter(match__in=matches)


def seat_all(tables: Mapping[int, Look], rows: Iterable[Any]) -> None:
    """Everybody who sits at a table; who sits at several is the same there."""
    in_place, in_player = IN_SEAT
    players: dict[int, Player] = {}
    for row in rows:
        pk = row[in_player.start]
        if pk and pk not in players:
            players[pk] = PLAYERS.read(row[in_player])
        place = PLACES.read(row[in_place], player=players.get(pk))
        at_table = tables[place.match_id]
        place.match = at_table.match
        at_table.places.append(place)


def note_absences(tables: Mapping[int, Look], rows: Iterable[Any]) -> None:
    announced = defaultdict(list)
    for row in rows:
        days = ABSENCES.read(row)
        announced[days.player_id].append(days)
    for look in tables.values():
        for player in (place.player for place in look.places if place.player):
            for days in announced[player.pk]:
                days.player = player
                look.absences.append(days)


def lay_out(tables: Mapping[int, Look], name: str, rows: Rows[Any], lines: Iterable[Any]) -> None:
    for line in lines:
        row = rows.read(line)
        look = tables[row.match_id]
        row._state.fields_cache["match"] = look.match
        getattr(look, name).append(row)
