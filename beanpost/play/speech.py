"""How sentences reach the database: SQLite hears one after the other, PostgreSQL all of a go at once, and by name.

What is said stands in `history.py`, or is the ORM's own words.
"""

from __future__ import annotations

import itertools
import re
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import BooleanField, Model, QuerySet
from django.db.models.expressions import RawSQL

Sentence = tuple[str, Sequence[Any]]  # to the database, and what fills its gaps


# ── asking and telling ──


def fetched(*questions: Sentence) -> list[list[Any]]:
    """The rows that answer each question."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        return [list(cursor.fetchall()) for _ in answered(cursor, questions)]


def changed(*orders: Sentence) -> list[int]:
    """How many rows each order has changed."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        return [cursor.rowcount for _ in answered(cursor, orders)]


def answered(cursor: CursorWrapper, questions: Sequence[Sentence]) -> Iterator[None]:
    """Ask all this, and stop at each answer."""
    if cursor.db.vendor == "postgresql":
        for _ in range(say_at_once(cursor, questions)):
            cursor.nextset()
        for _ in questions:
            yield
            cursor.nextset()
    else:
        yield from say_in_turn(cursor, questions)


def say_in_turn(cursor: CursorWrapper, sentences: Sequence[Sentence]) -> Iterator[None]:
    """Straight to SQLite's own cursor: Django's would look for the gaps of each sentence anew."""
    cursor.db.validate_no_broken_transaction()
    with cursor.db.wrap_database_errors:
        for words, values in sentences:
            sqlite3.Cursor.execute(cursor.cursor, marked(words), values)
            yield


@cache
def marked(words: str) -> str:
    """A sentence whose gaps are marked as SQLite wants it."""
    return words.replace("%s", "?")


def say_at_once(cursor: CursorWrapper, sentences: Sequence[Sentence]) -> int:
    """PostgreSQL need not have answered one sentence to hear the next. How many answers are none to ours."""
    names, lessons = known(cursor.db, [words for words, values in sentences if values])
    said = [calling(names[words], len(values)) if words in names else words for words, values in sentences]
    NAMES.pop(cursor.db.connection, None)  # after trouble nothing is taken for known: it may have been just that
    cursor.execute("; ".join([*lessons, *said]), [value for _, values in sentences for value in values])
    NAMES[cursor.db.connection] = names
    return len(lessons)


NAMES: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()  # of the sentences that each connection knows
NUMBERS = itertools.count(1)


def known(database: BaseDatabaseWrapper, sentences: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """What PostgreSQL has heard before it knows by a name: to think anew how to go about it took half of its time.

    The names, and what has to be said first so that it knows them. Behind a pooler no connection is one's own, and
    knows none.
    """
    names = NAMES.get(database.connection, {})
    if database.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
        return names, []
    news = {words: f"beanpost_{next(NUMBERS)}" for words in sentences if words not in names}
    lessons = [f"PREPARE {name} AS {numbered(words)}" for words, name in news.items()]
    return names | news if news else names, lessons


def numbered(words: str) -> str:
    """A sentence whose gaps have numbers, as PostgreSQL learns it."""
    gaps = itertools.count(1)
    return re.sub("%s", lambda _: f"${next(gaps)}", words)


@cache
def calling(name: str, gaps: int) -> str:
    return f"EXECUTE {name} ({', '.join(['%s'] * gaps)})"


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
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        if cursor.db.vendor == "postgresql":
            say_at_once(cursor, sheet)
        else:
            deque(say_in_turn(cursor, sheet), maxlen=0)


# ── the ORM's own words ──


def filled_in(asking: Callable[..., QuerySet[Any, Any]], *values: int) -> Sentence:
    """What the ORM would ask with these values, in words that it puts together only once."""
    words, blanks = put_together(asking, len(values))
    given = dict(zip(BLANKS, values, strict=False))
    return words, [given.get(blank, blank) for blank in blanks]


# These stand for the values meanwhile; every kind of number fits, and no query has one of them.
BLANKS = range(31_001, 31_010)


@cache
def put_together(asking: Callable[..., QuerySet[Any, Any]], gaps: int) -> Sentence:
    return asking(*BLANKS[:gaps]).query.sql_with_params()


@cache
def as_indexed(kind: type[Model], name: str) -> RawSQL:
    """The condition of an index, word for word: SQLite sees that it is the one to use only where it has no gaps."""
    index: Any = next(index for index in kind._meta.indexes if index.name == name)
    editor = connections[DEFAULT_DB_ALIAS].schema_editor()
    return RawSQL(index._get_condition_sql(kind, editor), (), BooleanField())  # noqa: S611 (the ORM's own words)
