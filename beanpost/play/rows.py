"""Rows without the ORM's ceremony: columns as a statement names them, and values on their way in and out.

A move reads and writes a dozen rows. What is done here for all of a model's fields at once, the ORM does for each field
of each row anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property, lru_cache, partial
from itertools import accumulate, pairwise
from typing import Any, Generic, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    DateTimeField,
    DurationField,
    Field,
    ForeignKey,
    IntegerField,
    JSONField,
    Model,
    TextField,
)
from django.db.models.base import ModelState
from django.utils.duration import duration_microseconds

M = TypeVar("M", bound=Model)
Written: TypeAlias = "tuple[str, Callable[..., Any] | None]"  # an attribute, and what prepares its value
AS_THEY_ARE = (CharField, TextField, IntegerField, BooleanField, BinaryField, ForeignKey)  # they need no preparing


class Rows(Generic[M]):
    """Rows of a model, whole or only what is named of them: the rest is looked up when it is asked for."""

    def __init__(self, kind: type[M], *names: str) -> None:
        self.kind = kind
        self.fields = [field for field in kind._meta.concrete_fields if not names or field.name in names]
        self.names = [field.attname for field in self.fields]
        self.columns = ", ".join(f'{kind._meta.db_table}."{field.column}"' for field in self.fields)

    @cached_property
    def readers(self) -> list[tuple[str, Callable[[Any], Any]]]:
        """For each column that a database gives otherwise than we want it: what turns it into a value of ours."""
        return [(field.attname, reader) for field in self.fields for reader in reading(field)]

    def read(self, row: Sequence[Any], **beside: Model | None) -> M:
        """Instead of `kind.from_db(…)`. Beside it lie the rows that it points to."""
        values = dict(zip(self.names, row, strict=True))
        for name, reader in self.readers:
            if values[name] is not None:
                values[name] = reader(values[name])
        found = bare(self.kind, values, beside)
        found._state.adding = False
        return found


def reading(field: Field[Any, Any]) -> list[Callable[[Any], Any]]:
    """Instead of `get_db_converters`, where there is a short way."""
    database, column = connections[DEFAULT_DB_ALIAS], field.get_col(field.model._meta.db_table)
    if database.vendor == "sqlite" and type(field) in FROM_SQLITE:
        return [FROM_SQLITE[type(field)]]
    readers = (*database.ops.get_db_converters(column), *column.get_db_converters(database))
    return [partial(reader, expression=column, connection=database) for reader in readers]


def in_our_time(at: datetime) -> datetime:
    """An instant as SQLite gives it."""
    return at.replace(tzinfo=UTC)


def lasting(microseconds: int) -> timedelta:
    """A span as SQLite gives it."""
    return timedelta(0, 0, microseconds)


FROM_SQLITE: dict[type, Callable[[Any], Any]] = {
    DateTimeField: in_our_time,
    DurationField: lasting,
    BooleanField: bool,
}


def cut(*kinds: Rows[Any]) -> list[slice]:
    """Where each of these stands in a row that has them side by side."""
    ends = list(accumulate(len(kind.names) for kind in kinds))
    return [slice(begins, ends) for begins, ends in pairwise([0, *ends])]


def fresh(kind: type[M], values: dict[str, Any], **beside: Model | None) -> M:
    """Instead of `kind(**values, **beside)`: a row that is not stored yet."""
    constants, makers = defaults(kind)
    made = {name: make() for name, make in makers if name not in values}
    keys = {f"{name}_id": row and row.pk for name, row in beside.items()}
    return bare(kind, constants | made | keys | values, beside)


def bare(kind: type[M], values: dict[str, Any], beside: dict[str, Model | None]) -> M:
    row = kind.__new__(kind)
    row._state = state = ModelState()
    state.db, state.fields_cache = DEFAULT_DB_ALIAS, beside
    row.__dict__.update(values)
    return row


@cache
def defaults(kind: type[Model]) -> tuple[dict[str, Any], list[tuple[str, Callable[[], Any]]]]:
    """What the fields of a new row hold: the same for each, and made for each anew."""
    fields = kind._meta.concrete_fields
    made = [field for field in fields if field.has_default() and callable(field.default)]
    constants = {field.attname: field.get_default() for field in fields if field not in made}
    return constants, [(field.attname, field.default) for field in made]


def written(fields: Sequence[Field[Any, Any]]) -> list[Written]:
    return [(field.attname, preparing(field)) for field in fields]


def preparing(field: Field[Any, Any]) -> Callable[..., Any] | None:
    """Instead of `field.get_db_prep_save`, where there is a short way."""
    database = connections[DEFAULT_DB_ALIAS]
    if isinstance(field, AS_THEY_ARE):
        return None
    if isinstance(field, DateTimeField):
        return moment if database.vendor == "sqlite" else None
    if isinstance(field, DurationField):
        return span if database.vendor == "sqlite" else None
    if isinstance(field, JSONField):
        return json.dumps
    return partial(field.get_db_prep_save, connection=database)


@lru_cache(maxsize=64)  # most of what a move writes has happened just now
def moment(at: datetime | None) -> str | None:
    """An instant as SQLite keeps it: in UTC, and without saying so."""
    return at.astimezone(UTC).isoformat(" ").removesuffix("+00:00") if at else None


def span(time: timedelta | None) -> int | None:
    return None if time is None else duration_microseconds(time)


def prepared(values: dict[str, Any], fields: Sequence[Written]) -> list[Any]:
    """Values of ours as the database takes them."""
    return [values[name] if prepare is None else prepare(values[name]) for name, prepare in fields]
