"""Plain SQL for the few statements of every move, page and letter that the ORM compiles much longer than they run.

A move reads five tables and a page six, each by one key. On SQLite `Manager.raw()` reads a row of `play_wait` in 0.24
ms, the ORM in 0.83; four seats in 0.43 against 1.09. Two such statements read four seats with their players in 0.84 ms;
one with `select_related` takes 1.91. Every move updates the match and its cached state: 0.03 ms each through a cursor,
0.30 by `save(update_fields=…)`. Through the ORM the two pages of a turn take 34.8 ms instead of 32.0, its press 13.0
instead of 11.7. All in processor time, on a busy machine. Everything else goes through the ORM.
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
