"""How sentences reach the database: SQLite hears one after the other, PostgreSQL all of a go at once, and by name.

What is said stands in `history.py`, or is the ORM's own words.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Model, QuerySet
from django.db.models.expressions import RawSQL
from django.db.transaction import atomic, mark_for_rollback_on_error

from beanpost.play import pipeline
from beanpost.play.pipeline import Sentence

# ── asking and telling ──


def fetched(*questions: Sentence) -> list[list[Any]]:
    """The rows that answer each question."""
    hand_in()
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor == "postgresql":
        return [pipeline.rows(database, answer) for answer in pipeline.answers(database, questions)]
    return [answer.fetchall() for answer in said_in_turn(database, questions)]


def changed(*orders: Sentence) -> list[int]:
    """How many rows each order has changed."""
    hand_in()
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor == "postgresql":
        return [answer.command_tuples or 0 for answer in pipeline.answers(database, orders)]
    return [answer.rowcount for answer in said_in_turn(database, orders)]


def said_in_turn(database: BaseDatabaseWrapper, sentences: Sequence[Sentence]) -> Iterator[sqlite3.Cursor]:
    """Straight to SQLite's own cursor, whose answer stands until the next: Django's would look for gaps each time."""
    with database.cursor() as cursor:
        database.validate_no_broken_transaction()
        with database.wrap_database_errors:
            for words, values in sentences:
                yield sqlite3.Cursor.execute(cursor.cursor, marked(words), values)


@cache
def marked(words: str) -> str:
    """A sentence whose gaps are marked as SQLite wants it."""
    return words.replace("%s", "?")


# ── in one go ──


SHEET: ContextVar[list[Sentence] | None] = ContextVar("sheet", default=None)


@contextmanager
def transaction() -> Iterator[None]:
    """All of this, or nothing. PostgreSQL is told to end it together with what was written last."""
    database = connections[DEFAULT_DB_ALIAS]
    ends_here = database.vendor == "postgresql" and not database.in_atomic_block
    with atomic(), in_one_go():
        yield
        database.validate_no_broken_transaction()  # or it would end as if all were well
        if ends_here:
            write("COMMIT", [])  # Django, which says it next, finds it done
        hand_in()


@contextmanager
def in_one_go() -> Iterator[None]:
    """What is written in this block reaches the database together: at its end, or when somebody asks it something."""
    if SHEET.get() is not None:  # this is part of a longer one
        yield
        return
    sheet: list[Sentence] = []
    before = SHEET.set(sheet)
    try:
        with connections[DEFAULT_DB_ALIAS].execute_wrapper(hand_in_first):
            yield
            hand_in()
    finally:
        SHEET.reset(before)


def hand_in_first(execute: Callable[..., Any], *asked: Any) -> Any:
    hand_in()
    return execute(*asked)


def hand_in() -> None:
    """Tell the database what stands on the sheet. Whoever hears it refuse that need not be who has written it: also
    where they make nothing of it, nothing is kept.
    """
    if sheet := SHEET.get():
        sentences = sheet.copy()
        sheet.clear()
        with mark_for_rollback_on_error():
            carry_out(sentences)


def write(words: str, values: Sequence[Any]) -> None:
    sheet = SHEET.get()
    if sheet is None:
        carry_out([(words, values)])
    else:
        sheet.append((words, values))


def carry_out(sentences: Sequence[Sentence]) -> None:
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor == "postgresql":
        pipeline.answers(database, sentences)
    else:
        deque(said_in_turn(database, sentences), maxlen=0)


# ── the ORM's own words ──


def filled_in(asking: Callable[..., QuerySet[Any, Any]], *values: int) -> Sentence:
    """What the ORM would ask with these values, in words that it puts together only once."""
    words, blanks = put_together(asking, len(values))
    given = dict(zip(BLANKS, values, strict=False))
    return words, [given.get(blank, blank) for blank in blanks]


def padded(numbers: Sequence[int]) -> list[int]:
    """As many as there are blanks, one of them again and again: for any number it is the same question then."""
    assert len(numbers) <= MOST_BLANKS
    return [*numbers, *[numbers[0]] * (MOST_BLANKS - len(numbers))]


# These stand for the values meanwhile; every kind of number fits, and no query has one of them.
MOST_BLANKS = 20
BLANKS = range(31_001, 31_001 + MOST_BLANKS)


@cache
def put_together(asking: Callable[..., QuerySet[Any, Any]], gaps: int) -> Sentence:
    return asking(*BLANKS[:gaps]).query.sql_with_params()


@cache
def as_indexed(kind: type[Model], name: str) -> RawSQL:
    """The condition of an index, word for word: SQLite sees that it is the one to use only where it has no gaps."""
    index: Any = next(index for index in kind._meta.indexes if index.name == name)
    editor = connections[DEFAULT_DB_ALIAS].schema_editor()
    return RawSQL(index._get_condition_sql(kind, editor), (), BooleanField())  # noqa: S611 (the ORM's own words)
