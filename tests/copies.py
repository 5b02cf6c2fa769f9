"""Create very many rows at once: the database copies one row."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model


def multiply(row: Model, count: int, **differing: str) -> None:
    """Copy a row this many times. Columns that differ are SQL, in which `n` is the number of the copy."""
    quote, meta = connection.ops.quote_name, row._meta
    fields = [field for field in meta.concrete_fields if not field.primary_key]
    columns = ", ".join(quote(field.column) for field in fields)
    values = ", ".join(differing.get(field.name, quote(field.column)) for field in fields)
    numbers = "WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < %s)"
    table = quote(meta.db_table)
    origin = f"FROM copies, {table} WHERE {quote(meta.pk.column)} = %s"
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({columns}) {numbers} SELECT {values} {origin}", [count, row.pk])
