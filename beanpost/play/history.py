"""The log: reading it, adding to it, and the memory that saves replaying it.

Here, and nowhere else, stands SQL that the ORM has not written: a move is a dozen statements, and to put each of them
together anew took five times as long as all the rest. Beside each stands the line it replaces. PostgreSQL hears them in
two goes, one to look and one to write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.utils import CursorWrapper
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, TextField
from django.db.models.base import ModelState

import games
from beanpost.play.models import Event, Match, Order, Place, Vault, Wait
from beanpost.players.models import Player
from games import house, witness
from games.chairs import DEALER, Seat
from games.rules import Step, Table, replay, steps

M = TypeVar("M", bound=Model)
Sentence = tuple[str, Sequence[Any]]  # to the database, and what fills its gaps
Written: TypeAlias = "tuple[Field[Any, Any], Callable[..., Any] | None]"  # and what prepares its value
AS_THEY_ARE = (CharField, TextField, IntegerField, BooleanField, ForeignKey)  # fields whose values need no preparing


class Said(NamedTuple):
    """A line about to enter the log."""

    seat: Seat
    line: str
    origin: str


def table(match: Match, vault: Vault) -> Table[Any, Any]:
    """The table as it stands: from memory where that is up to date, from the log otherwise."""
    if vault.memory and vault.remembered == match.length:
        try:
            return games.recall(vault.memory)
        except (games.RulesError, ValueError, KeyError, TypeError):
            pass  # written by another edition of us: the log is the truth
    return replayed(match)


def replayed(match: Match) -> Table[Any, Any]:
    lines = Event.objects.filter(match=match).order_by("seq").values_list("seat", "line")
    return replay(opened(match), lines)


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
        yield Event(match=match, seq=seq, **entry._asdict(), said_at=at, digest=head, practice=match.practice)


def standing(match: Match, log: Sequence[Event]) -> list[tuple[Event, Step[Any]]]:
    """The moves of a match's log that still stand, each with the state before and after it."""
    moves = house.standing(log)
    return list(zip(moves, steps(opened(match), [(move.seat, move.line) for move in moves]), strict=True))


# ── what every move reads ──


class Rows(Generic[M]):
    """A model's rows as a statement names them, and as the ORM would give them."""

    def __init__(self, kind: type[M]) -> None:
        self.kind = kind
        self.fields = kind._meta.concrete_fields
        self.names = [field.attname for field in self.fields]
        self.columns = ", ".join(f'{kind._meta.db_table}."{field.column}"' for field in self.fields)

    @cached_property
    def readers(self) -> list[tuple[str, Any, Any]]:
        """For each column that a database gives otherwise than we want it: what turns it into a value of ours."""
        columns = [field.get_col(self.kind._meta.db_table) for field in self.fields]
        return [
            (name, reader, column)
            for name, column in zip(self.names, columns, strict=True)
            for reader in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection))
        ]

    def read(self, row: Sequence[Any]) -> M:
        """Instead of `kind.from_db(…)`, which fills one attribute after the other."""
        values = dict(zip(self.names, row, strict=True))
        for name, reader, column in self.readers:
            if values[name] is not None:
                values[name] = reader(values[name], column, connection)
        found = self.kind.__new__(self.kind)
        found._state = ModelState()
        found.__dict__.update(values)
        return stored(found)


def stored(row: M) -> M:
    """A row that is no longer to be added."""
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return row


MATCHES, VAULTS, PLACES, PLAYERS, WAITS = Rows(Match), Rows(Vault), Rows(Place), Rows(Player), Rows(Wait)
IN_MATCH, IN_PLACE, IN_PLAYER = len(MATCHES.names), len(PLACES.names), len(PLAYERS.names)

# Instead of Match.objects.select_for_update(of=("self",)).select_related("vault").get(pk=…)
LOCK = f"""
    SELECT {MATCHES.columns}, {VAULTS.columns} FROM play_match
    JOIN play_vault ON play_vault.match_id = play_match.id WHERE play_match.id = %s
"""  # noqa: S608 (names of our own)

# Instead of Place.objects.select_related("player", "match").filter(match=…, seat=…, occupant=…).first()
PLACE = f"""
    SELECT {PLACES.columns}, {PLAYERS.columns}, {MATCHES.columns} FROM play_place
    LEFT JOIN players_player ON players_player.id = play_place.player_id
    JOIN play_match ON play_match.id = play_place.match_id
    WHERE play_place.match_id = %s AND play_place.seat = %s AND play_place.occupant = %s
"""  # noqa: S608

# Instead of match.places.select_related("player"), match.waits.all() and match.orders.filter(lapsed_at=None).exists()
SEATING = f"""
    SELECT {PLACES.columns}, {PLAYERS.columns}, {WAITS.columns},
    EXISTS (SELECT 1 FROM play_order WHERE play_order.match_id = play_place.match_id AND lapsed_at IS NULL)
    FROM play_place
    LEFT JOIN players_player ON players_player.id = play_place.player_id
    LEFT JOIN play_wait ON play_wait.match_id = play_place.match_id AND play_wait.seat = play_place.seat
    WHERE play_place.match_id = %s ORDER BY play_place.seat
"""  # noqa: S608


def lock(match_id: int) -> Match:
    """The match, which nobody else can lock until the transaction ends, and its vault.

    Should the vault be older than the match, whose lock was waited for, its memory does not fit: the log is replayed.
    """
    (rows,) = fetched((locking(), [match_id]))
    return locked(rows)


def lock_table(match_id: int) -> tuple[Match, Seating]:
    """The match, locked, and who sits at it: in one look."""
    rows, seats = fetched((locking(), [match_id]), (SEATING, [match_id]))
    match = locked(rows)
    return match, seated_at(match, seats)


def locking() -> str:
    assert connection.in_atomic_block, "a lock lasts as long as its transaction"
    return LOCK + (" FOR UPDATE OF play_match" if connection.features.has_select_for_update else "")


def locked(rows: Sequence[Any]) -> Match:
    for row in rows:
        match = MATCHES.read(row[:IN_MATCH])
        match.vault = VAULTS.read(row[IN_MATCH:])
        return match
    raise Match.DoesNotExist


def place(match_id: int, seat: Seat, occupant: int) -> Place | None:
    """A seat of a match as long as its occupant is still the same, with who sits there."""
    (rows,) = fetched((PLACE, [match_id, seat, occupant]))
    for row in rows:
        return seated(row, MATCHES.read(row[IN_PLACE + IN_PLAYER :]))
    return None


def seated(row: Sequence[Any], match: Match) -> Place:
    place = PLACES.read(row[:IN_PLACE])
    place.match = match
    if place.player_id:
        place.player = PLAYERS.read(row[IN_PLACE : IN_PLACE + IN_PLAYER])
    return place


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
    for row in rows:
        place, question = seated(row, match), row[IN_PLACE + IN_PLAYER : -1]
        if question[0] is not None:
            waits[place.seat] = wait = WAITS.read(question)
            wait.match = match
        places.append(place)
        has_orders = bool(row[-1])
    orders = list(match.orders.filter(lapsed_at=None).order_by("-pk")) if has_orders else []
    return Seating(places, waits, orders)


def fetched(*questions: Sentence) -> list[list[Any]]:
    """The rows that answer each question."""
    with connection.cursor() as cursor:
        return [list(cursor.fetchall()) for _ in spoken(cursor, questions)]


def spoken(cursor: CursorWrapper, sentences: Sequence[Sentence]) -> Iterator[None]:
    """Say all this to the database, and stop at each answer. PostgreSQL hears it at once: no answer is waited for
    before the next sentence.
    """
    if connection.vendor == "postgresql":
        cursor.execute(
            "; ".join(words for words, _ in sentences), [value for _, values in sentences for value in values]
        )
        yield
        while cursor.nextset():
            yield
    else:
        for words, values in sentences:
            cursor.execute(words, values)
            yield


# ── what every move writes ──

SHEET: ContextVar[list[Sentence] | None] = ContextVar("sheet", default=None)


@contextmanager
def in_one_go() -> Iterator[None]:
    """What is written in this block reaches the database together, at its end. Nothing in it may look for it there."""
    sheet: list[Sentence] = []
    before = SHEET.set(sheet)
    try:
        yield
    finally:
        SHEET.reset(before)
    carry_out(sheet)


def write(words: str, values: Sequence[Any]) -> None:
    sheet = SHEET.get()
    if sheet is None:
        carry_out([(words, values)])
    else:
        sheet.append((words, values))


def carry_out(sheet: Sequence[Sentence]) -> None:
    with connection.cursor() as cursor:
        for _ in spoken(cursor, sheet):
            pass


def insert(rows: Sequence[Model]) -> None:
    """Instead of `bulk_create(rows)`, and without asking for their numbers."""
    for row in rows:
        write(insertion(type(row)), prepared(row, own_fields(type(row))))
        stored(row)


def insert_new(row: Model) -> None:
    """Instead of `bulk_create([row], ignore_conflicts=True)`: what is there already is left as it is."""
    write(f"{insertion(type(row))} ON CONFLICT DO NOTHING", prepared(row, own_fields(type(row))))
    stored(row)


@cache
def insertion(kind: type[Model]) -> str:
    columns = [f'"{field.column}"' for field, _ in own_fields(kind)]
    gaps = ", ".join(["%s"] * len(columns))
    return f'INSERT INTO "{kind._meta.db_table}" ({", ".join(columns)}) VALUES ({gaps})'  # noqa: S608


@cache
def own_fields(kind: type[Model]) -> list[Written]:
    """All but the number that the database gives."""
    return [written(field) for field in kind._meta.concrete_fields if not field.primary_key]


def written(field: Field[Any, Any]) -> Written:
    return field, None if isinstance(field, AS_THEY_ARE) else field.get_db_prep_save


def prepared(row: Model, fields: Sequence[Written]) -> list[Any]:
    """Values of ours as the database takes them."""
    values, database = row.__dict__, connections[DEFAULT_DB_ALIAS]
    return [
        values[field.attname] if prepare is None else prepare(values[field.attname], database)
        for field, prepare in fields
    ]


def update(row: Model, *names: str, where: tuple[str, ...] = ()) -> None:
    """Instead of `row.save(update_fields=names)`; with `where`, only if these are still as the row has them."""
    words, fields = updating(type(row), names, where)
    write(words, prepared(row, fields))


@cache
def updating(kind: type[Model], names: tuple[str, ...], where: tuple[str, ...]) -> tuple[str, list[Written]]:
    """The statement, and the fields that fill its gaps: the changed ones, the key, and what must be as it was."""
    fields = {field.name: field for field in kind._meta.concrete_fields}
    changed, same = [fields[name] for name in names], [kind._meta.pk, *(fields[name] for name in where)]
    changes = ", ".join(f'"{field.column}" = %s' for field in changed)
    conditions = " AND ".join(f'"{field.column}" = %s' for field in same)
    words = f'UPDATE "{kind._meta.db_table}" SET {changes} WHERE {conditions}'  # noqa: S608
    return words, [written(field) for field in (*changed, *same)]


def close(waits: Sequence[Wait]) -> None:
    """Instead of `Wait.objects.filter(pk__in=[wait.pk for wait in waits]).delete()`."""
    for wait in waits:
        write("DELETE FROM play_wait WHERE id = %s", [wait.pk])
