"""Rows that tests begin with are built once per process; later tests restore them from memory.

Seating friends takes some sixty queries and a season several hundred, and most tests begin with the same ones.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.color import no_style
from django.db import connection
from django.db.models import Model
from django.utils.translation import get_language

from beanpost.leagues.models import League
from beanpost.play import clock
from beanpost.players.models import Player
from tests.chance import seeded

P = ParamSpec("P")
T = TypeVar("T")
Step = tuple[object, ...]  # a function, its arguments, and what else its rows depend on
Past = tuple[Step, ...]  # all steps since the test began with an empty database
Rows = dict[type[Model], dict[Any, dict[str, Any]]]

CALLED: dict[str, str] = {}  # other names for the players, for tests that need hostile ones
FIRST = (Player, get_user_model(), League)  # a test that has written any row has written one of these
FILLED_BY_MIGRATIONS = ("contenttypes.contenttype", "auth.permission")


class Recorded(NamedTuple):
    """The rows that a step adds, changes and deletes, and what it returns."""

    added: dict[type[Model], list[Model]]
    changed: list[tuple[type[Model], Any, dict[str, Any]]]
    deleted: dict[type[Model], set[Any]]
    value: object


class Row(NamedTuple):
    """A row in what a step takes or returns."""

    model: type[Model]
    pk: Any


class Test:
    """What the running test has built so far, and the count of changes at that moment: more changes end its past."""

    past: Past = ()
    changes: int | None = None


MEMORY: dict[Past, Recorded] = {}


def begin_test() -> None:
    """Begin with nothing built. On PostgreSQL a query would have to ask for the count, and not every test makes any."""
    knows = connection.vendor == "sqlite" and connection.connection
    Test.past, Test.changes = (), count_changes() if knows else None


def end_test() -> None:
    Test.past, Test.changes = (), None


def restored(build: Callable[P, T]) -> Callable[P, T]:
    """Let a function that writes rows restore them, where nothing else has happened since the database was empty."""

    @functools.wraps(build)
    def build_or_restore(*args: P.args, **wishes: P.kwargs) -> T:
        past = find_past()
        if past is None:
            return build(*args, **wishes)
        past = (*past, describe_step(build, args, wishes))
        if past in MEMORY:
            restore(MEMORY[past])
        else:
            MEMORY[past] = record(past, lambda: build(*args, **wishes))
        value = cast(T, fetch(MEMORY[past].value))
        Test.past, Test.changes = past, count_changes()
        return value

    return build_or_restore


def find_past() -> Past | None:
    """Return the steps that led to the rows in the database, or None if it holds others."""
    if not connection.in_atomic_block:  # nothing rolls the rows back, and the wake-up would stay pending
        return None
    if Test.changes is None:
        return None if any(model._base_manager.exists() for model in FIRST) else ()
    return Test.past if Test.changes == count_changes() else None


def count_changes() -> int:
    """Return how many rows have changed so far: on this connection of SQLite, in this transaction of PostgreSQL."""
    if connection.vendor == "sqlite":
        return connection.connection.total_changes
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables")
        return int(cursor.fetchone()[0])


def describe_step(build: Callable[..., object], args: Iterable[object], wishes: dict[str, object]) -> Step:
    now = clock.now()
    deciding = (settings.DEMO, settings.SECRET_KEY, settings.INBOUND_DOMAIN, get_language(), f"{now:%F %H}")
    return (build.__qualname__, repr(refer(args)), repr(refer(wishes)), repr(CALLED), *deciding)


def record(past: Past, build: Callable[[], object]) -> Recorded:
    before = find_rows()
    with seeded(repr(past)):  # not by the name of the test that happens to be the first
        value = build()
    recorded = Recorded({}, [], {}, refer(value))
    for model, rows in find_rows().items():
        earlier = before[model]
        if added := [model(**row) for pk, row in rows.items() if pk not in earlier]:
            recorded.added[model] = added
        if deleted := earlier.keys() - rows.keys():
            recorded.deleted[model] = deleted
        changed = [(model, pk, row) for pk, row in rows.items() if earlier.get(pk, row) != row]
        recorded.changed.extend(changed)
    return recorded


def restore(recorded: Recorded) -> None:
    for model, numbers in recorded.deleted.items():
        model._base_manager.filter(pk__in=numbers).delete()
    for model, rows in recorded.added.items():
        model._base_manager.bulk_create(rows)
    for model, pk, row in recorded.changed:
        model._base_manager.filter(pk=pk).update(**row)
    number_on(recorded.added)


def number_on(models: Iterable[type[Model]]) -> None:
    """Advance PostgreSQL's sequences, which do not notice rows inserted with their own ids."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)


def find_rows() -> Rows:
    models = (one for one in apps.get_models(include_auto_created=True) if one._meta.managed and not one._meta.proxy)
    kept = (one for one in models if one._meta.label_lower not in FILLED_BY_MIGRATIONS)
    return {model: {row[model._meta.pk.attname]: row for row in model._base_manager.values()} for model in kept}


def refer(value: Any) -> Any:
    """Replace each row in a value by its number."""
    if isinstance(value, Model):
        return Row(type(value), value.pk)
    if isinstance(value, dict):
        return {key: refer(one) for key, one in value.items()}
    return tuple(refer(one) for one in value) if isinstance(value, tuple | list) else value


def fetch(value: Any) -> Any:
    if isinstance(value, Row):
        return value.model._base_manager.get(pk=value.pk)
    if isinstance(value, dict):
        return {key: fetch(one) for key, one in value.items()}
    return tuple(map(fetch, value)) if isinstance(value, tuple) else value
