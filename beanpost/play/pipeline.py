"""How sentences reach PostgreSQL: all of a go at once and by name; none waits for the answer to the one before.

psycopg's cursors took longer to say a move than PostgreSQL to make it, so its `pq` is spoken to directly.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import Connection, DataError, OperationalError
from psycopg.adapt import AdaptersMap, PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.types.string import TextLoader
from psycopg.waiting import Wait

Sentence = tuple[str, Sequence[Any]]  # to the database, and what fills its gaps


def answers(database: BaseDatabaseWrapper, sentences: Sequence[Sentence]) -> list[PGresult]:
    """What PostgreSQL answers to each of these, once it has answered the last."""
    database.close_if_health_check_failed()
    database.ensure_connection()
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        if database.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
            return exchanged(database, sentences, names={}, news={})
        return exchanged_by_name(database, sentences)


def rows(database: BaseDatabaseWrapper, answer: PGresult) -> list[tuple[Any, ...]]:
    reader = Transformer(Context(database.connection))
    reader.set_pgresult(answer)
    return reader.load_rows(0, answer.ntuples, tuple)


@dataclass(frozen=True)
class Context:
    """How values are read: as psycopg does it, which is far quicker than Django's way and gives the same. Only what is
    written as JSON stays a text, as Django wants it.
    """

    connection: Connection[Any]
    adapters: ClassVar[AdaptersMap] = AdaptersMap(psycopg.adapters)


Context.adapters.register_loader("jsonb", TextLoader)


NAMES: WeakKeyDictionary[Any, dict[str, bytes]] = WeakKeyDictionary()  # of the sentences that each connection knows
NUMBERS = itertools.count(1)


def exchanged_by_name(database: BaseDatabaseWrapper, sentences: Sequence[Sentence]) -> list[PGresult]:
    """What PostgreSQL has heard before it knows by a name: to think anew how to go about it took half of its time.

    After trouble nothing is taken for known: it may have been just that. Behind a pooler no connection is one's own,
    and knows none.
    """
    names = NAMES.pop(database.connection, {})
    news = {words: b"beanpost_%d" % next(NUMBERS) for words, _ in sentences if words not in names}
    names |= news
    heard = exchanged(database, sentences, names, news)
    NAMES[database.connection] = names
    return heard


def exchanged(
    database: BaseDatabaseWrapper, sentences: Sequence[Sentence], names: Mapping[str, bytes], news: Mapping[str, bytes]
) -> list[PGresult]:
    """Say all this, and hear the answers. What is new is learnt first; what has no name is said in full."""
    connection: Connection[Any] = database.connection
    spelt = [(words, letters(connection, values), formats(values)) for words, values in sentences]
    wire = connection.pgconn
    wire.enter_pipeline_mode()
    try:
        if not connection.autocommit and wire.transaction_status == TransactionStatus.IDLE:
            wire.send_query_params(b"BEGIN", None)  # as psycopg would before its first sentence
        for words, name in news.items():
            wire.send_prepare(name, numbered(words))
        for words, values, forms in spelt:
            if words in names:
                wire.send_query_prepared(names[words], values, forms)
            else:
                wire.send_query_params(numbered(words), values, None, forms)
        wire.pipeline_sync()
        heard = connection.wait(hearing(wire))
        wire.exit_pipeline_mode()
    except BaseException:
        database.close()  # nobody knows what it would answer next
        raise
    for answer in heard:
        if answer.status == ExecStatus.FATAL_ERROR:
            raise error_from_result(answer)
    return heard[-len(sentences) :]


def hearing(wire: PGconn) -> Generator[Wait, int, list[PGresult]]:
    """All answers of a go, in the steps in which they come."""
    while wire.flush():
        yield Wait.RW
        wire.consume_input()  # or both sides would wait to be heard
    heard: list[PGresult] = []
    while True:
        while wire.is_busy():
            yield Wait.R
            wire.consume_input()
        answer = wire.get_result()
        if answer and answer.status == ExecStatus.PIPELINE_SYNC:
            return heard
        if answer:
            heard.append(answer)
        elif wire.status == ConnStatus.BAD:  # what came made no sense, and libpq has hung up
            raise OperationalError(wire.get_error_message())


# ── sentences and values as PostgreSQL reads them ──


@cache
def numbered(words: str) -> bytes:
    """A sentence whose gaps have numbers."""
    gaps = itertools.count(1)
    return re.sub("%s|%%", lambda gap: f"${next(gaps)}" if gap[0] == "%s" else "%", words).encode()


def letters(connection: Connection[Any], values: Sequence[Any]) -> list[bytes | None]:
    return [spell(value) if (spell := SPELLING.get(type(value))) else other(connection, value) for value in values]


def formats(values: Sequence[Any]) -> list[Format] | None:
    """Bytes go as they are, all else as text; where all does, that goes without saying."""
    kinds = list(map(type, values))
    return [Format.BINARY if kind is bytes else Format.TEXT for kind in kinds] if bytes in kinds else None


def other(connection: Connection[Any], value: Any) -> bytes | None:
    """What is not met in a move is left to psycopg."""
    if isinstance(value, str):  # one of a few choices
        return text(value)
    spelt = Transformer(connection).get_dumper(value, PyFormat.TEXT).dump(value)
    return None if spelt is None else bytes(spelt)


def text(value: str) -> bytes:
    if "\0" in value:
        raise DataError("a text for PostgreSQL cannot contain NUL")
    return value.encode()


@lru_cache(maxsize=64)  # most of what a move writes has happened just now
def instant(value: datetime) -> bytes:
    return value.isoformat().encode()


def span(value: timedelta) -> bytes:
    return b"%d days %d seconds %d microseconds" % (value.days, value.seconds, value.microseconds)


SPELLING: dict[type, Callable[[Any], bytes | None]] = {
    type(None): lambda _: None,
    bool: lambda value: b"t" if value else b"f",
    int: lambda value: b"%d" % value,
    str: text,
    bytes: bytes,
    datetime: instant,
    timedelta: span,
}
