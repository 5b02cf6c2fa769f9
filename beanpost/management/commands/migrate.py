"""Django's `migrate`, which refuses a database that an unreleased version made, and never stops play."""

import time
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg.errors import LockNotAvailable

PATIENCE = 2  # seconds to wait for a table that a dump reads: meanwhile every other query waits behind us
TRIES = 150  # ten minutes; migrations that are done stay


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if has_other_migrations(connection):
            name, host = (connection.settings_dict[part] for part in ("NAME", "HOST"))
            where = f"{name} on {host}" if host else str(name)
            raise CommandError(
                f"This database was made by an unreleased version of Beanpost: {where}. Start with a new one."
            )
        if connection.vendor == "postgresql" and not settings.DATABASE_BEHIND_POOLER:
            with connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = '{PATIENCE}s'")
        for tries_left in reversed(range(TRIES)):
            try:
                super().handle(*args, **options)
                break
            except OperationalError as error:
                if not tries_left or not isinstance(error.__cause__, LockNotAvailable):
                    raise
                self.stderr.write("Another process, such as a dump, holds a table. We’ll try again.")
                time.sleep(PATIENCE)


def has_other_migrations(connection: BaseDatabaseWrapper) -> bool:
    """Return whether one of our apps began with another migration: until 0.1.0 they are remade with the models."""
    applied = set(MigrationRecorder(connection).applied_migrations())
    graph = MigrationLoader(None).graph
    for app in apps.get_app_configs():
        ours = {key for key in applied if key[0] == app.label and app.name.startswith("beanpost.")}
        if ours and not ours.issuperset(graph.root_nodes(app.label)):
            return True
    return False
