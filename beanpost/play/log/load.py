"""Load a match: lock it, read its seats, and restore the table from the cached state or by replaying the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection
from django.utils.translation import gettext as _

import games
from beanpost.database.plain_sql import read_rows
from beanpost.play.models import Event, Match, Order, Place, Vault, Wait
from beanpost.players.models import Player
from games.contract import house_lines
from games.contract.asks import Step
from games.contract.seats import Seat
from games.engine.table import Table, iter_steps, replay


def load_table(match: Match, vault: Vault, log: Sequence[Event] | None = None) -> Table[Any, Any]:
    """Return the current table: from the cached state if that is up to date, otherwise by replaying the log."""
    if vault.memory and vault.remembered == match.length:
        try:
            return restore_table(vault.memory)
        except (games.RulesError, ValueError, KeyError, TypeError):
            pass  # the cached state was written by another version of our code: replay the log
    return replay_log(match, log)


@lru_cache(maxsize=256)
def restore_table(memory: str) -> Table[Any, Any]:
    """Read a cached state. Kept in memory, since a player has usually just seen the page, which computed the asks."""
    return games.recall(memory)


def replay_log(match: Match, log: Sequence[Event] | None = None) -> Table[Any, Any]:
    """Replay the log: the rows given, or those in the database."""
    if log is None:
        return replay(open_table(match), match.events.order_by("seq").values_list("seat", "line"))
    return replay(open_table(match), [(event.seat, event.line) for event in log])


def open_table(match: Match) -> Table[Any, Any]:
    """Return the table before the first line, with the edition of the rules that the match began with."""
    return games.open(match.game, seats=match.seats, variant=match.variant, edition=match.edition)


def replay_standing_moves(match: Match, log: Sequence[Event]) -> list[tuple[Event, Step[Any]]]:
    """Return the moves that were not rewound, each with the state before and after it."""
    moves = house_lines.select_standing_moves(log)
    lines = tuple((move.seat, move.line) for move in moves)
    return list(zip(moves, replay_lines(match.game, match.seats, match.variant, match.edition, lines), strict=True))


@lru_cache(maxsize=8)
def replay_lines(
    game: str, seats: int, variant: str, edition: int, lines: tuple[tuple[Seat, str], ...]
) -> tuple[Step[Any], ...]:
    """Play the lines. Cached, since the letters to all players of a match are composed one after the other."""
    return tuple(iter_steps(games.open(game, seats=seats, variant=variant, edition=edition), lines))


# ── rows that every move reads ──


@dataclass(frozen=True)
class Seating:
    """The seats of a match, their open questions and standing orders."""

    places: list[Place]  # with their players
    waits: dict[Seat, Wait]
    orders: list[Order]  # those that have not lapsed, the latest first


def lock_match(match_id: int) -> Match:
    """Return the match, locked until the transaction ends."""
    assert connection.in_atomic_block, "a lock lasts as long as its transaction"
    return Match.objects.select_for_update().get(pk=match_id)


def lock_table(match_id: int) -> tuple[Match, Seating]:
    """Return the match, locked, with its vault and its seating, both read after the lock was taken."""
    match = lock_match(match_id)
    return match, load_seating_with_vault(match)


def lock_free_table(match_id: int, seat: Seat, opened: int) -> tuple[Match, Seating] | None:
    """Like `lock_table`, but return None if another process holds the lock or the question is closed."""
    free = Match.objects.select_for_update(skip_locked=True, of=("self",))
    match = free.filter(pk=match_id, waits__seat=seat, waits__opened=opened).first()
    return (match, load_seating_with_vault(match)) if match else None


def load_seating_with_vault(match: Match) -> Seating:
    [match.vault] = read_rows(Vault, "match_id", [match.pk], order_by="match_id")
    return load_seating(match)


def load_seating(match: Match) -> Seating:
    places = read_rows(Place, "match_id", [match.pk], order_by="seat")
    numbers = [place.player_id for place in places if place.player_id]
    players = {player.pk: player for player in read_rows(Player, "id", numbers, order_by="id")}
    for place in places:
        place.match = match
        place.player = players.get(place.player_id or 0)
    waits = read_rows(Wait, "match_id", [match.pk], order_by="id")
    for wait in waits:
        wait.match = match
    orders = read_rows(Order, "match_id", [match.pk], also="lapsed_at IS NULL", order_by="id DESC")
    return Seating(places, {wait.seat: wait for wait in waits}, orders)


def find_place(match_id: int, seat: Seat, occupant: int) -> Place | None:
    """Return a seat of a match with its player, unless its occupant number has changed."""
    places = Place.objects.filter(match=match_id, seat=seat, occupant=occupant)
    return places.select_related("player", "match").first()


def lock_seat(place: Place) -> Match:
    """Lock and return the match of a seat, and refresh the seat.

    Refuse if the seat was declined or given to somebody else while we waited for the lock: then the ticket's holder no
    longer sits there.
    """
    match = lock_match(place.match_id)
    if not match.places.filter(pk=place.pk, occupant=place.occupant).exists():
        raise ValidationError(_("This seat is no longer reserved for you."))
    place.refresh_from_db()
    return match
