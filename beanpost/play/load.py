"""Load a match and its rows: one value for pages, moves, letters, replies, the sweep and the office."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Model
from django.utils.translation import gettext as _

from beanpost.play.log import outcome, storage
from beanpost.play.models import Event, Match, Note, Order, Place, Proposal, Vault, Wait
from beanpost.players.models import Away, Player
from games.contract.seats import Seat
from games.engine.table import Table
from games.verification.export import Outcome

M = TypeVar("M", bound=Model)

# Computed columns: they say whether there are rows of a kind. Most matches have none, and then need no query for them.
PLACE_COLUMNS = """
    EXISTS (
        SELECT 1 FROM play_match this, play_match earlier JOIN play_place own ON own.match_id = earlier.id
        WHERE this.id = play_place.match_id AND own.player_id = play_place.player_id
        AND earlier.game = this.game AND earlier.started_at < this.started_at
    ) AS has_played_before,
    EXISTS (
        SELECT 1 FROM play_place own
        JOIN play_wait asked ON asked.match_id = own.match_id AND asked.seat = own.seat
        JOIN play_match other ON other.id = own.match_id
        WHERE own.player_id = play_place.player_id AND own.match_id <> play_place.match_id
        AND own.resigned_at IS NULL AND other.phase = 'running'
        AND (asked.due_at IS NOT NULL OR asked."left" IS NOT NULL)
    ) AS is_awaited_elsewhere,
    EXISTS (SELECT 1 FROM players_away own WHERE own.player_id = play_place.player_id) AS has_absences"""
VAULT_COLUMNS = """
    EXISTS (SELECT 1 FROM play_order own WHERE own.match_id = play_vault.match_id) AS has_orders,
    EXISTS (SELECT 1 FROM play_note own WHERE own.match_id = play_vault.match_id) AS has_notes,
    EXISTS (SELECT 1 FROM play_proposal own WHERE own.match_id = play_vault.match_id) AS has_proposals"""
LOCKED_VAULT_COLUMNS = """
    EXISTS (
        SELECT 1 FROM play_order own WHERE own.match_id = play_vault.match_id AND own.lapsed_at IS NULL
    ) AS has_orders"""


@dataclass(eq=False, repr=False)  # its vault must not get into a log
class LoadedMatch:
    """A match and its rows: the first group for everybody, the second for readers, the third for moves."""

    match: Match
    vault: Vault = field(init=False)
    places: list[Place] = field(default_factory=list)  # with their players
    waits: dict[Seat, Wait] = field(default_factory=dict)

    orders: list[Order] = field(init=False)
    notes: list[Note] = field(init=False)
    proposals: list[Proposal] = field(init=False)
    absences: list[Away] = field(init=False)  # all days away that players of the match have announced

    # Not lapsed, the latest first, so that a player can overrule an earlier order.
    standing_orders: list[Order] = field(init=False)

    @cached_property
    def events(self) -> list[Event]:
        """The log. Readers get it with the other rows; a move reads it only if the cached state is of no use."""
        return read_rows(Event, "match_id", [self.match.pk], order_by="seq")

    @cached_property
    def table(self) -> Table[Any, Any]:
        """The table: from the cached state if that is up to date, otherwise by replaying the log."""
        return storage.recall_current_table(self.match, self.vault) or storage.replay_log(self.match, self.events)

    @property
    def outcome(self) -> Outcome | None:
        """Scores and ranks; None if there is no result (yet)."""
        return outcome.find_outcome(self.match, self.table)


def load_match(match_id: int, *, lock: bool = False) -> LoadedMatch:
    """Return the match with all rows for readers, or locked until the transaction ends, with the rows for a move."""
    if lock:
        return load_locked(lock_match(match_id))
    matches = read_rows(Match, "id", [match_id], order_by="id")
    if not matches:
        raise Match.DoesNotExist
    return load_matches(matches)[0]


# ── for readers ──


def load_matches(matches: Sequence[Match]) -> list[LoadedMatch]:
    """Load all rows of these matches, and keep them on the objects, until `refresh_from_db`.

    The number of queries does not depend on how many matches there are.
    """
    found = {match.pk: LoadedMatch(match) for match in matches}
    load_places(found, more=PLACE_COLUMNS)
    for vault in read_rows(Vault, "match_id", found, more=VAULT_COLUMNS, order_by="match_id"):
        loaded = found[vault.match_id]
        loaded.vault, loaded.events, loaded.absences = vault, [], []
        loaded.orders, loaded.notes, loaded.proposals = [], [], []
    for event in read_rows(Event, "match_id", found, order_by="seq"):
        found[event.match_id].events.append(event)
    for order in read_rows(Order, "match_id", find_having(found, "has_orders"), order_by="id"):
        found[order.match_id].orders.append(order)
    for note in read_rows(Note, "match_id", find_having(found, "has_notes"), order_by="seq, id"):
        found[note.match_id].notes.append(note)
    for proposal in read_rows(Proposal, "match_id", find_having(found, "has_proposals"), order_by="id"):
        found[proposal.match_id].proposals.append(proposal)
    if any(place.has_absences for loaded in found.values() for place in loaded.places):
        load_absences(found)
    load_waits(found)
    for loaded in found.values():
        loaded.match.loaded = loaded
    return list(found.values())


def find_having(found: Mapping[int, LoadedMatch], column: str) -> list[int]:
    """Return the matches that have some of these rows."""
    return [pk for pk, loaded in found.items() if getattr(loaded.vault, column)]


def load_places(found: Mapping[int, LoadedMatch], more: str = "") -> None:
    """Load seats and players. A player with seats in several matches is a single object."""
    places = read_rows(Place, "match_id", found, more=more, order_by="seat")
    numbers = {place.player_id for place in places if place.player_id}
    players = {player.pk: player for player in read_rows(Player, "id", numbers, order_by="id")}
    for place in places:
        place.match = found[place.match_id].match
        place.player = players.get(place.player_id or 0)
        found[place.match_id].places.append(place)


def load_absences(found: Mapping[int, LoadedMatch]) -> None:
    places = [place for loaded in found.values() for place in loaded.places]
    players = {place.player.pk: place.player for place in places if place.player and place.has_absences}
    announced: dict[int, list[Away]] = defaultdict(list)
    for days in read_rows(Away, "player_id", players, order_by="first"):
        days.player = players[days.player_id]
        announced[days.player_id].append(days)
    for loaded in found.values():
        loaded.absences = [days for place in loaded.places for days in announced.get(place.player_id or 0, [])]


def load_waits(found: Mapping[int, LoadedMatch]) -> None:
    """Load the open questions, as the last rows: a seat that is asked by then may see all that was read before."""
    for wait in read_rows(Wait, "match_id", found, order_by="id"):
        wait.match = found[wait.match_id].match
        found[wait.match_id].waits[wait.seat] = wait


def read_rows(
    model: type[M], column: str, keys: Collection[int], *, also: str = "", more: str = "", order_by: str
) -> list[M]:
    """Return `model.objects.filter(column__in=keys).order_by(order_by)`; `also` is another condition, `more` a computed
    column, which becomes an attribute.

    By `Manager.raw()`, because these are half of a turn's queries: through the ORM, which compiles them much longer
    than they run, a whole turn makes a quarter more function calls.
    """
    if not keys:
        return []
    where = f"{column} IN ({', '.join(['%s'] * len(keys))})" + (f" AND {also}" if also else "")
    columns = f"*, {more}" if more else "*"
    sql = f"SELECT {columns} FROM {model._meta.db_table} WHERE {where} ORDER BY {order_by}"  # noqa: S608 (names of our own)
    return list(model._default_manager.raw(sql, list(keys)))


# ── behind the lock ──


def lock_match(match_id: int) -> Match:
    """Return the match, locked until the transaction ends."""
    assert connection.in_atomic_block, "a lock lasts as long as its transaction"
    return Match.objects.select_for_update().get(pk=match_id)


def load_free_match(match_id: int, seat: Seat, opened: int) -> LoadedMatch | None:
    """Like `load_match` with a lock, but return None if another process holds it or the question is closed."""
    free = Match.objects.select_for_update(skip_locked=True, of=("self",))
    match = free.filter(pk=match_id, waits__seat=seat, waits__opened=opened).first()
    return load_locked(match) if match else None


def load_locked(match: Match) -> LoadedMatch:
    """Return a match that the caller has locked, with the rows that a move needs."""
    loaded = LoadedMatch(match)
    found = {match.pk: loaded}
    [loaded.vault] = read_rows(Vault, "match_id", found, more=LOCKED_VAULT_COLUMNS, order_by="match_id")
    having = find_having(found, "has_orders")
    loaded.standing_orders = read_rows(Order, "match_id", having, also="lapsed_at IS NULL", order_by="id DESC")
    load_places(found)
    load_waits(found)
    return loaded


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
