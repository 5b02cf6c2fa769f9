"""The log: reading it, adding to it, and the memory that saves replaying it.

Here, and nowhere else, stands SQL that the ORM has not written: a move is a dozen statements, and to put each of them
together anew took five times as long as all the rest. Beside each stands the line it replaces. `speech.py` says them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model

import games
from beanpost.play.models import Event, Match, Order, Place, Vault, Wait
from beanpost.play.rows import Rows, Written, cut, fresh, prepared, written
from beanpost.play.speech import changed, fetched, in_one_go, write
from beanpost.players.models import Player
from games import house, witness
from games.chairs import DEALER, Seat
from games.rules import Step, Table, replay, steps

M = TypeVar("M", bound=Model)


class Said(NamedTuple):
    """A line about to enter the log."""

    seat: Seat
    line: str
    origin: str


def table(match: Match, vault: Vault, log: Sequence[Event] | None = None) -> Table[Any, Any]:
    """The table as it stands: from memory where that is up to date, from the log otherwise."""
    if vault.memory and vault.remembered == match.length:
        try:
            return recalled(vault.memory)
        except (games.RulesError, ValueError, KeyError, TypeError):
            pass  # written by another edition of us: the log is the truth
    return replayed(match, log)


@lru_cache(maxsize=256)
def recalled(memory: str) -> Table[Any, Any]:
    """Who presses a link has mostly just looked at the table; what it asks has been worked out then."""
    return games.recall(memory)


def replayed(match: Match, log: Sequence[Event] | None = None) -> Table[Any, Any]:
    """Played again from the log: as it stands, or as somebody has read it before."""
    if log is None:
        return replay(opened(match), match.events.order_by("seq").values_list("seat", "line"))
    return replay(opened(match), [(event.seat, event.line) for event in log])


def opened(match: Match) -> Table[Any, Any]:
    """The table before the first line, by the edition of the rules that the match began with."""
    return games.open(match.game, seats=match.seats, variant=match.variant, edition=match.edition)


def append(match: Match, vault: Vault, said: Sequence[Said], table: Table[Any, Any], now: datetime) -> list[Event]:
    """Add lines to the log and remember the table they lead to. The caller holds the match's lock."""
    events = list(chained(match, bytes(vault.secret), said, now.replace(microsecond=0)))
    insert(events)
    match.length, match.head = events[-1].seq, events[-1].digest
    match.dealt += sum(entry.seat == DEALER for entry in said)
    update(match, "length", "head", "dealt")
    vault.memory, vault.remembered = games.remember(table), match.length
    update(vault, "memory", "remembered")
    return events


def chained(match: Match, secret: bytes, said: Sequence[Said], at: datetime) -> Iterator[Event]:
    head = match.head
    for seq, entry in enumerate(said, match.length + 1):
        seal = witness.seal(witness.nonce(secret, seq), seq, *entry, witness.instant(at))
        head = witness.link(head, seal)
        values = {"seq": seq, "said_at": at, "digest": head, "practice": match.practice}
        yield fresh(Event, entry._asdict() | values, match=match)


def standing(match: Match, log: Sequence[Event]) -> list[tuple[Event, Step[Any]]]:
    """The moves of a match's log that still stand, each with the state before and after it."""
    moves = house.standing(log)
    lines = tuple((move.seat, move.line) for move in moves)
    return list(zip(moves, played(match.game, match.seats, match.variant, match.edition, lines), strict=True))


@lru_cache(maxsize=8)
def played(
    game: str, seats: int, variant: str, edition: int, lines: tuple[tuple[Seat, str], ...]
) -> tuple[Step[Any], ...]:
    """Letters to all who play at a table are written one after the other: for all of them it is played once."""
    return tuple(steps(games.open(game, seats=seats, variant=variant, edition=edition), lines))


# ── what every move reads ──


MATCHES, VAULTS, PLACES, PLAYERS = Rows(Match), Rows(Vault), Rows(Place), Rows(Player)

# What a move needs to know of them; the rest would be looked up.
PLAYED = Rows(
    Match, "id", "game", "edition", "variant", "seats", "pace", "phase", "length", "head", "dealt", "paused_at",
    "practice",
)  # fmt: skip
SEATED = Rows(
    Place, "id", "match", "seat", "player", "word", "occupant", "wants_reminders", "bank", "misses", "stand_in",
    "resigned_at", "nudge_at", "nudged",
)  # fmt: skip
WRITTEN_TO = Rows(
    Player, "id", "zone", "unwanted_at", "guest", "how_often", "digest_hour", "digest_at", "digest_on"
)  # fmt: skip
ASKED = Rows(
    Wait, "id", "match", "seat", "about", "opened", "due_at", "remind_at", "since", "window", "left", "credit",
    "credited_at",
)  # fmt: skip

# Instead of Match.objects.select_for_update(of=("self",)).select_related("vault").only(…).get(pk=…)
LOCK = f"""
    SELECT {PLAYED.columns}, {VAULTS.columns} FROM play_match
    JOIN play_vault ON play_vault.match_id = play_match.id WHERE play_match.id = %s
"""  # noqa: S608 (names of our own)
IN_LOCK = cut(PLAYED, VAULTS)

# Instead of Place.objects.select_related("player", "match").filter(match=…, seat=…, occupant=…).first()
PLACE = f"""
    SELECT {PLACES.columns}, {PLAYERS.columns}, {MATCHES.columns} FROM play_place
    LEFT JOIN players_player ON players_player.id = play_place.player_id
    JOIN play_match ON play_match.id = play_place.match_id
    WHERE play_place.match_id = %s AND play_place.seat = %s AND play_place.occupant = %s
"""  # noqa: S608
IN_PLACE = cut(PLACES, PLAYERS, MATCHES)

# Instead of match.places.select_related("player").only(…), match.waits.only(…)
# and match.orders.filter(lapsed_at=None).exists()
SEATING = f"""
    SELECT {SEATED.columns}, {WRITTEN_TO.columns}, {ASKED.columns},
    EXISTS (SELECT 1 FROM play_order WHERE play_order.match_id = play_place.match_id AND lapsed_at IS NULL)
    FROM play_place
    LEFT JOIN players_player ON players_player.id = play_place.player_id
    LEFT JOIN play_wait ON play_wait.match_id = play_place.match_id AND play_wait.seat = play_place.seat
    WHERE play_place.match_id = %s ORDER BY play_place.seat
"""  # noqa: S608
IN_SEATING = cut(SEATED, WRITTEN_TO, ASKED)


def lock(match_id: int) -> Match:
    """The match, which nobody else can lock until the transaction ends."""
    assert connection.in_atomic_block, "a lock lasts as long as its transaction"
    return Match.objects.select_for_update().get(pk=match_id)


def lock_table(match_id: int) -> tuple[Match, Seating]:
    """The match, locked, its vault, and who sits at it: in one look.

    Should the vault be older than the match, whose lock was waited for, its memory does not fit: the log is replayed.
    """
    database = connections[DEFAULT_DB_ALIAS]
    assert database.in_atomic_block, "a lock lasts as long as its transaction"
    locking = LOCK + (" FOR UPDATE OF play_match" if database.features.has_select_for_update else "")
    matches, seats = fetched((locking, [match_id]), (SEATING, [match_id]))
    if not matches:
        raise Match.DoesNotExist
    in_match, in_vault = IN_LOCK
    match = PLAYED.read(matches[0][in_match])
    match._state.fields_cache["vault"] = VAULTS.read(matches[0][in_vault], match=match)
    return match, seated_at(match, seats)


def place(match_id: int, seat: Seat, occupant: int) -> Place | None:
    """A seat of a match as long as its occupant is still the same, with who sits there."""
    (rows,) = fetched((PLACE, [match_id, seat, occupant]))
    in_place, in_player, in_match = IN_PLACE
    for row in rows:
        player = PLAYERS.read(row[in_player]) if row[in_player.start] else None
        return PLACES.read(row[in_place], player=player, match=MATCHES.read(row[in_match]))
    return None


@dataclass(frozen=True)
class Seating:
    """Who sits at a match, and what they are asked."""

    places: list[Place]  # with their players
    waits: dict[Seat, Wait]
    orders: list[Order]  # those that stand, the last one first


def seating(match: Match) -> Seating:
    (rows,) = fetched((SEATING, [match.pk]))
    return seated_at(match, rows)


def seated_at(match: Match, rows: Sequence[Any]) -> Seating:
    places, waits, has_orders = [], {}, False
    in_place, in_player, in_wait = IN_SEATING
    for row in rows:
        player = WRITTEN_TO.read(row[in_player]) if row[in_player.start] else None
        place = SEATED.read(row[in_place], match=match, player=player)
        places.append(place)
        if row[in_wait.start]:
            waits[place.seat] = ASKED.read(row[in_wait], match=match)
        has_orders = bool(row[-1])
    orders = list(match.orders.filter(lapsed_at=None).order_by("-pk")) if has_orders else []
    return Seating(places, waits, orders)


# ── what every move writes ──


def insert(rows: Sequence[Model]) -> None:
    """Instead of `bulk_create(rows)`, and without asking for their numbers."""
    for row in rows:
        words, fields = inserting(type(row), own_names(type(row)))
        write(words, prepared(row.__dict__, fields))
        row._state.adding = False


def insert_new(kind: type[Model], /, **values: Any) -> None:
    """Instead of `bulk_create([kind(**values)], ignore_conflicts=True)`: what is there already is left as it is."""
    words, fields = inserting(kind, tuple(values))
    write(f"{words} ON CONFLICT DO NOTHING", prepared(values, fields))


def own_fields(kind: type[Model]) -> list[Field[Any, Any]]:
    """All but the number that the database gives."""
    return [field for field in kind._meta.concrete_fields if field is not kind._meta.auto_field]


@cache
def own_names(kind: type[Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in own_fields(kind))


@cache
def inserting(kind: type[Model], names: tuple[str, ...]) -> tuple[str, list[Written]]:
    """The statement, and the fields that fill its gaps. The others have their usual values."""
    fields = own_fields(kind)
    values = ["%s" if field.attname in names else usual(field) for field in fields]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    words = f'INSERT INTO "{kind._meta.db_table}" ({columns}) VALUES ({", ".join(values)})'  # noqa: S608
    return words, written([field for field in fields if field.attname in names])


def usual(field: Field[Any, Any]) -> str:
    """What a field holds unless something else is said, as the database reads it."""
    editor = connections[DEFAULT_DB_ALIAS].schema_editor()
    return editor.quote_value(editor.effective_default(field))


def update(row: Model, *names: str, where: tuple[str, ...] = ()) -> None:
    """Instead of `row.save(update_fields=names)`; with `where`, only if these are still as the row has them."""
    words, fields = updating(type(row), names, where)
    write(words, prepared(row.__dict__, fields))


def update_those(rows: Sequence[M], *names: str, where: tuple[str, ...]) -> list[M]:
    """Instead of `filter(pk=row.pk, …).update(…)` for each: those of which the rest was still as they have it."""
    words, fields = updating(type(rows[0]), names, where)
    counts = changed(*((words, prepared(row.__dict__, fields)) for row in rows))
    return [row for row, count in zip(rows, counts, strict=True) if count]


@cache
def updating(kind: type[Model], names: tuple[str, ...], where: tuple[str, ...]) -> tuple[str, list[Written]]:
    """The statement, and the fields that fill its gaps: the changed ones, the key, and what must be as it was."""
    fields = {field.name: field for field in kind._meta.concrete_fields}
    new, same = [fields[name] for name in names], [kind._meta.pk, *(fields[name] for name in where)]
    changes = ", ".join(f'"{field.column}" = %s' for field in new)
    conditions = " AND ".join(f'"{field.column}" = %s' for field in same)
    return f'UPDATE "{kind._meta.db_table}" SET {changes} WHERE {conditions}', written([*new, *same])  # noqa: S608


def turn_page(closed: Sequence[Wait], opened: Sequence[Wait]) -> None:
    """Instead of `Wait.objects.filter(pk__in=[wait.pk for wait in closed]).delete()` and `bulk_create(opened)`: the row
    of a closed question is used for the next. A seat's own goes first, so that no seat ever has two.
    """
    rows = {wait.seat: wait.pk for wait in closed}
    for wait in sorted(opened, key=lambda wait: wait.seat not in rows):
        if rows:
            wait.pk = rows.pop(wait.seat, None) or rows.popitem()[1]
            wait._state.adding = False
            update(wait, *QUESTION)
        else:
            insert([wait])
    for row in rows.values():
        write("DELETE FROM play_wait WHERE id = %s", [row])


QUESTION = tuple(field.name for field in own_fields(Wait) if field.name != "match")  # all that makes it another one


@contextmanager
def without_waiting_for_the_disk() -> Iterator[None]:
    """What is written in this block counts at once, and is on the disk a little later: with what is written next."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor == "postgresql":
        with in_one_go():  # so it is one transaction, with no need to begin and to end one
            write("SELECT set_config('synchronous_commit', 'off', true)", [])  # SET LOCAL wants a BEGIN before it
            yield
    elif database.in_atomic_block:  # whose end waits for all of it
        yield
    else:
        write("PRAGMA synchronous=NORMAL", [])
        try:
            yield
        finally:
            write("PRAGMA synchronous=FULL", [])
