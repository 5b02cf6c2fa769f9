"""Check that the previous release still runs on the new schema, so that an upgrade needs no stop.

A rolling upgrade migrates first and restarts processes one by one, and a rollback starts the old version on the new
tables. So a migration may only add. Removing, renaming and requiring come a release later, once no code needs the old
form; such a migration says so:

    SECOND_STEP = "0.2.0 no longer reads this column."

`released-migrations.txt` lists the migrations of the last release; `--release` writes it anew. The check begins with
the first release. Until then `--remake` writes each app's first migration anew from its models. The name says when, so
that `migrate` knows a database made with others.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import django
from django.core.management import call_command
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED

ROOT = Path(__file__).parents[1]
CHANGELOG = ROOT / "CHANGELOG.md"
TRIGGERS = ROOT / "beanpost/play/migrations/0002_triggers.py"  # written by hand, and kept
RELEASED = Path(__file__).with_name("released-migrations.txt")
OURS = "beanpost."
REMOVES = (migrations.RemoveField, migrations.DeleteModel)
RENAMES = (migrations.RenameField, migrations.RenameModel, migrations.AlterModelTable)
ADVICE = (
    "Add it with null=True or db_default, remove it a release later, "
    "or explain it in SECOND_STEP (tools/migrations.py)."
)


def find_faults(operations: Iterable[Operation], app: str, before: ProjectState) -> Iterator[str]:
    """Yield changes that would break the previous release. `before` is the state before the first operation."""
    state = before.clone()
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from find_faults(operation.database_operations, app, state)
        elif not is_in_new_table(operation, app, before):
            yield from check_operation(operation, app, state)
        operation.state_forwards(app, state)


def is_in_new_table(operation: Operation, app: str, before: ProjectState) -> bool:
    """Return whether the operation changes a table that this migration creates: no older release knows it."""
    table = getattr(operation, "model_name_lower", None)
    return table is not None and (app, table) not in before.models


def check_operation(operation: Operation, app: str, state: ProjectState) -> Iterator[str]:
    if isinstance(operation, REMOVES):
        yield f"{operation.describe()}: the previous release still uses it"
    elif isinstance(operation, RENAMES):
        yield f"{operation.describe()}: the previous release knows the old name"
    elif isinstance(operation, migrations.AddField):
        if is_required(operation.field):
            yield f"{operation.describe()}: the previous release inserts rows without it"
    elif isinstance(operation, migrations.AlterField):
        old = state.models[app, operation.model_name_lower].fields[operation.name]
        if old.null and is_required(operation.field):
            yield f"{operation.describe()}: the previous release leaves it empty"


def is_required(field: models.Field) -> bool:  # type: ignore[type-arg]
    """Return whether an INSERT must name the column. Django's `default` does not help: it is not in the schema."""
    return not (field.many_to_many or field.null or field.db_default is not NOT_PROVIDED)


def list_own_migrations() -> dict[str, tuple[migrations.Migration, ProjectState]]:
    """Return our migrations by name, such as `play.0001_initial`, each with the state before it."""
    loader = MigrationLoader(None)
    found = {}
    for app, name in sorted(loader.disk_migrations):
        migration = loader.disk_migrations[app, name]
        if migration.__module__.startswith(OURS):
            found[f"{app}.{name}"] = migration, loader.project_state((app, name), at_end=False)
    return found


def check_migrations(released: set[str]) -> list[str]:
    """Return a sentence for every migration since the release that would break the previous version."""
    return [
        f"{name}: {fault}. {ADVICE}"
        for name, (migration, before) in list_own_migrations().items()
        if name not in released and not hasattr(sys.modules[migration.__module__], "SECOND_STEP")
        for fault in find_faults(migration.operations, migration.app_label, before)
    ]


def remake() -> None:
    """Replace the migrations by one an app, and let the triggers follow theirs."""
    if is_released():
        sys.exit("Released migrations stay: people have databases made with them. Add one with makemigrations.")
    triggers = TRIGGERS.read_text()
    for file in ROOT.glob("beanpost/*/migrations/0*.py"):
        file.unlink()
    name = f"initial_{datetime.now(UTC):%Y%m%d_%H%M}"
    call_command("makemigrations", name=name, include_header=False)
    TRIGGERS.write_text(re.sub(r"0001_\w+", f"0001_{name}", triggers))


def is_released() -> bool:
    """Return whether the changelog has a version with a date. Before the first one there is nothing to upgrade from."""
    return re.search(r"^## \[[\d.]+\] - \d", CHANGELOG.read_text(), re.MULTILINE) is not None


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")
    django.setup()
    if "--remake" in sys.argv:
        remake()
        return
    if "--release" in sys.argv:
        RELEASED.write_text("".join(f"{name}\n" for name in list_own_migrations()))
        print(f"Recorded the migrations of this release in {RELEASED.name}.")
        return
    if not is_released():
        print("Nothing is released yet, so no older version has to run on the new schema.")
        return
    found = check_migrations(set(RELEASED.read_text().split()))
    print("\n".join(found) or "The previous release can run on the new schema.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
