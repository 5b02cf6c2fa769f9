"""Copy all rows of one database to another: from SQLite to PostgreSQL, with COPY."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Any

import psycopg
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import DEFAULT_DB_ALIAS, Error, OperationalError, connections, transaction
from django.db.models import Count, Model, QuerySet

SOURCE, TARGET = DEFAULT_DB_ALIAS, "target"
MADE_BY_MIGRATE: tuple[type[Model], ...] = (Permission, ContentType)
BATCH = 5_000  # rows of one COPY
FETCHED = 100  # rows in memory at a time: a stored mail may have megabytes


class CannotCopy(Exception):
    """Raised with a sentence for the host, which shows nothing of a row but its number."""


def list_models() -> list[type[Model]]:
    """Return the models of all tables, each after those that it refers to."""
    models = [model for model in apps.get_models(include_auto_created=True) if not model._meta.proxy]
    referred = {
        model: {field.related_model for field in model._meta.local_concrete_fields if field.is_relation} - {model}
        for model in models
    }
    return list(TopologicalSorter(referred).static_order())  # type: ignore[arg-type]


def count_values(alias: str) -> dict[type[Model], dict[str, int]]:
    """Return how many rows of each table have a value in each column; the key's number is that of all rows."""
    return {
        model: model._base_manager.using(alias).aggregate(
            **{field.attname: Count(field.attname) for field in model._meta.local_concrete_fields}
        )
        for model in list_models()
    }


def copy_all() -> Iterator[tuple[type[Model], int]]:
    """Copy all tables, and yield the number of rows after each batch."""
    # Migrating has numbered these in another order. The source's names come with the numbers that other rows refer to.
    for model in MADE_BY_MIGRATE:
        model._base_manager.using(TARGET).all().delete()
    for model in list_models():
        last, count = copy_batch(model, None)
        while count:
            yield model, count
            last, count = copy_batch(model, last)
        connections[TARGET].check_constraints()  # foreign keys, at once: the server would remember every row until then
    ContentType.objects.clear_cache()
    set_sequences()


def copy_batch(model: type[Model], after: Any, size: int = BATCH) -> tuple[Any, int]:
    """Copy the rows that follow this key; return the last row's key, and how many they were."""
    try:
        with transaction.atomic(using=TARGET):
            return write_batch(model, after, size)
    except (Error, ValueError, TypeError, OverflowError) as fault:
        if isinstance(fault, OperationalError) and isinstance(fault.__cause__, psycopg.Error):  # the disk, the network
            raise CannotCopy(f"PostgreSQL stopped: {fault}".strip()) from None
        if size == 1:
            raise CannotCopy(f"{name_row(model, after)} cannot be copied: {explain(model, after, fault)}.") from None
    while size:  # one by one: PostgreSQL names no row
        after, size = copy_batch(model, after, 1)
    raise CannotCopy(f"Rows of {model._meta.db_table} cannot be copied, although each of them can.")


def write_batch(model: type[Model], after: Any, size: int) -> tuple[Any, int]:
    target, count = connections[TARGET], 0
    fields = model._meta.local_concrete_fields
    columns = ", ".join(target.ops.quote_name(str(field.column)) for field in fields)
    key = fields.index(model._meta.pk)
    command = f"COPY {target.ops.quote_name(model._meta.db_table)} ({columns}) FROM STDIN"
    with target.cursor() as cursor, target.wrap_database_errors, cursor.copy(command) as copy:
        for row in read_rows(model, after)[:size].iterator(FETCHED):
            copy.write_row([field.get_db_prep_save(one, target) for field, one in zip(fields, row, strict=True)])
            after, count = row[key], count + 1
    return after, count


def read_rows(model: type[Model], after: Any) -> QuerySet[Any, tuple[Any, ...]]:
    rows = model._base_manager.using(SOURCE).order_by("pk")
    rows = rows if after is None else rows.filter(pk__gt=after)
    return rows.values_list(*(field.attname for field in model._meta.local_concrete_fields))


def name_row(model: type[Model], after: Any) -> str:
    """Name the row that follows this key: by its number, unless the key itself is a secret, as of sessions."""
    key = read_rows(model, after).values_list("pk", flat=True)[0]
    if isinstance(key, int):
        return f"Row {key} of {model._meta.db_table}"
    place = model._base_manager.using(SOURCE).filter(pk__lte=key).count()
    return f"Row {place} of {model._meta.db_table}, in the order of its keys,"


def explain(model: type[Model], after: Any, fault: Exception) -> str:
    """Say why a row cannot be copied, without its content, which messages of both databases may quote."""
    cause = fault.__cause__
    if not isinstance(cause, psycopg.Error):
        return f"a value in it cannot be read ({type(cause or fault).__name__})"
    for field, value in zip(model._meta.local_concrete_fields, read_rows(model, after)[0], strict=True):
        if isinstance(value, str) and "\0" in value:
            return f"its column {field.column} contains a NUL character"
        if isinstance(value, str) and len(value) > (field.max_length or len(value)):
            return f"its column {field.column} is longer than {field.max_length} characters"
    where = cause.diag.column_name or cause.diag.constraint_name
    return f"PostgreSQL refuses it ({type(cause).__name__}{', ' + where if where else ''})"


def set_sequences() -> None:
    """Let PostgreSQL number new rows where SQLite would have gone on.

    Not after the highest key, as `sequence_reset_sql` does: an old link to a deleted row would open a new one.
    """
    with connections[SOURCE].cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")
        last = dict(cursor.fetchall())
    with connections[TARGET].cursor() as cursor:
        for model in list_models():
            table = connections[TARGET].ops.quote_name(model._meta.db_table)
            if model._meta.auto_field and model._meta.db_table in last:
                names = [table, model._meta.auto_field.column, last[model._meta.db_table]]
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", names)
