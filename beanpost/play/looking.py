"""A look at a table: the rows that lie on it, from which its scenes are made. Many are looked at in one go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from django.db.models import Model, QuerySet

from beanpost.play.models import Event, Match, Note, Order, Place, Vault, Wait
from beanpost.play.rows import Rows, cut
from beanpost.play.speech import MOST_BLANKS, fetched, filled_in
from beanpost.players.models import Away, Player


class Look:
    """What lies on one table. Each is read when somebody asks for it, unless all were read together (`at`)."""

    def __init__(self, match: Match) -> None:
        self.match = match

    @cached_property
    def places(self) -> list[Place]:
        return list(self.match.places.select_related("player"))

    @cached_property
    def vault(self) -> Vault:
        return Vault.objects.get(match=self.match)

    @cached_property
    def waits(self) -> list[Wait]:
        return list(self.match.waits.all())

    @cached_property
    def events(self) -> list[Event]:
        return list(self.match.events.all())

    @cached_property
    def orders(self) -> list[Order]:
        return list(self.match.orders.all())

    @cached_property
    def notes(self) -> list[Note]:
        return list(self.match.notes.all())

    @cached_property
    def absences(self) -> list[Away]:
        """Days away that anybody at the table has ever announced."""
        return list(Away.objects.filter(player__in=[place.player_id for place in self.places]).select_related("player"))


def of(match: Match) -> Look:
    """The look from which scenes are made until the match is refreshed; otherwise a new one."""
    return match.looked_at or Look(match)


# ── many at once ──

PLACES, PLAYERS, VAULTS, ABSENCES = Rows(Place), Rows(Player), Rows(Vault), Rows(Away)
IN_SEAT = cut(PLACES, PLAYERS)
LYING: dict[str, Rows[Any]] = {"waits": Rows(Wait), "events": Rows(Event), "orders": Rows(Order), "notes": Rows(Note)}


def at(matches: Sequence[Match]) -> None:
    """Look at many tables: their scenes are then made from this look, until a match is refreshed.

    Instead of `prefetch_related_objects(matches, "places__player__absences", "vault", "waits", …)`.
    """
    for first in range(0, len(matches), MOST_BLANKS):
        look_at({match.pk: Look(match) for match in matches[first : first + MOST_BLANKS]})


def look_at(tables: Mapping[int, Look]) -> None:
    room = MOST_BLANKS - len(tables)
    numbers = [*tables, *list(tables)[:1] * room]  # for any number of tables it is the same question
    asked = (seated, away, *map(lying, (Vault, *(rows.kind for rows in LYING.values()))))
    seats, absences, vaults, *found = fetched(*(filled_in(asking, *numbers) for asking in asked))
    players = seat_all(tables, seats)
    note_absences(tables, players, absences)
    for row in vaults:
        vault = VAULTS.read(row)
        tables[vault.match_id].vault = vault
    for (name, rows), lines in zip(LYING.items(), found, strict=True):
        lay_out(tables, name, rows, lines)
    for look in tables.values():
        look.match.looked_at = look


def seated(*matches: int) -> QuerySet[Place]:
    return Place.objects.filter(match__in=matches).select_related("player")


def away(*matches: int) -> QuerySet[Away]:
    return Away.objects.filter(player__places__match__in=matches).distinct()


@cache
def lying(kind: type[Model]) -> Callable[..., QuerySet[Any]]:
    return lambda *matches: kind._default_manager.filter(match__in=matches)


def seat_all(tables: Mapping[int, Look], rows: Iterable[Any]) -> dict[int, Player]:
    """Everybody who sits at a table; who sits at several is the same there."""
    in_place, in_player = IN_SEAT
    players: dict[int, Player] = {}
    for look in tables.values():
        look.places = []
    for row in rows:
        pk = row[in_player.start]
        if pk and pk not in players:
            players[pk] = PLAYERS.read(row[in_player])
        place = PLACES.read(row[in_place], player=players.get(pk))
        at_table = tables[place.match_id]
        place.match = at_table.match
        at_table.places.append(place)
    return players


def note_absences(tables: Mapping[int, Look], players: Mapping[int, Player], rows: Iterable[Any]) -> None:
    announced = defaultdict(list)
    for row in rows:
        days = ABSENCES.read(row)
        days.player = players[days.player_id]
        announced[days.player].append(days)
    for look in tables.values():
        look.absences = [days for place in look.places if place.player for days in announced[place.player]]


def lay_out(tables: Mapping[int, Look], name: str, rows: Rows[Any], lines: Iterable[Any]) -> None:
    for look in tables.values():
        setattr(look, name, [])
    for line in lines:
        row = rows.read(line)
        look = tables[row.match_id]
        row._state.fields_cache["match"] = look.match
        getattr(look, name).append(row)
