"""Plain SQL for the few statements of every move, page and letter that the ORM compiles much longer than they run.

A move reads six tables and a page nine, each by one key. On SQLite `Manager.raw()` reads one row of `play_wait` in
0.19 ms, the ORM in 0.66; the statement itself takes 0.02. Every move updates the match and its cached state: 0.03 ms
through a cursor, 0.37 by `save(update_fields=…)`. PostgreSQL: 0.37 against 0.78, and 0.27
against 0.70. All in processor time, on a busy machine. Everything else goes through the ORM.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

from django.db import connection
from django.db.models import Model

M = TypeVar("M", bound=Model)


def read_rows(
    model: type[M], column: str, keys: Collection[int], *, also: str = "", more: str = "", order_by: str
) -> list[M]:
    """Return `model.objects.filter(column__in=keys).order_by(order_by)`; `also` is another condition, `more` a computed
    column, which becomes an attribute.
    """
    if not keys:
        return []
    where = f"{column} IN ({', '.join(['%s'] * len(keys))})" + (f" AND {also}" if also else "")
    columns = f"*, {more}" if more else "*"
    sql = f"SELECT {columns} FROM {model._meta.db_table} WHERE {where} ORDER BY {order_by}"  # noqa: S608 (names of our own)
    return list(model._default_manager.raw(sql, list(keys)))


def read_numbers(sql: str, params: Sequence[int | None]) -> tuple[int, ...]:
    """Return the one row of a statement that counts: no value is converted."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return tuple(cursor.fetchone())


def update_row(row: Model, *names: str) -> None:
    """Do what `row.save(update_fields=names)` does, for numbers and texts only: it converts no values."""
    meta = row._meta
    changes = ", ".join(f"{name} = %s" for name in names)
    sql = f"UPDATE {meta.db_table} SET {changes} WHERE {meta.pk.column} = %s"  # noqa: S608 (names of our own)
    with connection.cursor() as cursor:
        cursor.execute(sql, [*(getattr(row, name) for name in names), row.pk])
