"""Move the site from its SQLite file to PostgreSQL: manage.py move_database postgres://user:password@host/name."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError, Error, IntegrityError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from beanpost.database import copying
from beanpost.database.copying import SOURCE, TARGET
from beanpost.environment import parse_database_url
from beanpost.management.commands.serve import LOCK, lock_database, lock_folder
from beanpost.play.log import audit, storage
from beanpost.play.models import Match
from games.contract.errors import NotInstalled

BACKUP = """This copies {file} to PostgreSQL. Stop Beanpost first, and make a backup:
    sqlite3 {file} "VACUUM INTO 'copy.sqlite3'"
Have you stopped it, and do you have the backup? Type yes to go on: """
NEXT = """Everything is copied, and the copy is checked. Now:
1. In the settings, set DATABASE_URL to the address you have just given, in place of {file}.
   The compose file sets it itself; there, POSTGRES_PASSWORD in .env is enough.
2. Keep SECRET_KEY{key} and SECRET_KEY_FALLBACKS as they are: they sign the links in letters already sent.
3. Take your own texts and pictures along: {folder}. For the compose file, it is the folder site/ beside it.
4. {var} has nothing else to keep. Start Beanpost, run manage.py audit, and keep the SQLite file until you trust it.
Never start Beanpost on both databases: each would send the waiting letters."""
PAUSE = 10  # seconds between two lines of progress in a file


class Command(BaseCommand):
    help = "Copy a stopped site from its SQLite file to an empty PostgreSQL database, and check the copy."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("to", metavar="TO", help="such as postgres://user:password@host/name")
        parser.add_argument("--yes", action="store_true", help="there is a backup: don't ask")

    def handle(self, *args: Any, to: str, yes: bool, **options: Any) -> None:
        file = find_file()
        if not yes:
            ask_for_backup(file)
        configure_target(to)
        with lock_folder(), lock_database(), lock_source():
            check_source()
            with explain_errors_of_target():
                check_target()
                self.stdout.write("Creating the tables.")
                call_command("migrate", database=TARGET, verbosity=0, interactive=False)
                with transaction.atomic(using=TARGET):  # all or nothing, whatever stops us
                    lock_target()
                    self.copy()
                    self.check_copy()
                with connections[TARGET].cursor() as cursor:
                    cursor.execute("ANALYZE")
        key = f" (in {settings.VAR / 'secret_key'})" if settings.DEMO else ""
        folder = settings.SITE_FOLDER or "SITE_FOLDER, which is not set"
        self.stdout.write(NEXT.format(file=file, key=key, folder=folder, var=settings.VAR))

    def copy(self) -> None:
        values = copying.count_values(SOURCE)
        rows = sum(counts[model._meta.pk.attname] for model, counts in values.items())
        progress = Progress(self, "Copying", rows)
        try:
            for model, count in copying.copy_all():
                progress.add(count, model._meta.db_table)
        except copying.CannotCopy as fault:
            raise CommandError(f"{fault} Nothing is copied, and the SQLite file is as it was.") from None
        for model, counts in copying.count_values(TARGET).items():
            if counts != values[model]:  # also if a value that could not be read has become NULL
                raise CommandError(f"{model._meta.db_table} is not complete in the copy. Nothing is copied.")
        self.stdout.write(f"Copied {rows:,} rows of {len(values)} tables in {progress.took():.0f} s.")

    def check_copy(self) -> None:
        """Compute the digests of every match from the copied lines, and replay the matches that are being played."""
        begun = [Match.objects.using(alias).exclude(started_at=None).order_by("pk") for alias in (SOURCE, TARGET)]
        progress = Progress(self, "Checking", begun[0].count())
        pairs = zip(*(found.select_related("vault").iterator(copying.FETCHED) for found in begun), strict=True)
        running = 0
        for match, copied in pairs:
            for sentence in find_differences(match, copied):
                raise CommandError(f"Match {match.code}: {sentence} Nothing is copied.")
            running += match.ended_at is None
            progress.add(1, "matches")
        self.stdout.write(
            f"Checked the digests of {progress.done:,} matches, and replayed the {running:,} that are running,"
            f" in {progress.took():.0f} s: 0 differ."
        )


class Progress:
    """A bar with rows a second and the time left. In a file, a line every ten seconds."""

    def __init__(self, command: BaseCommand, what: str, total: int) -> None:
        self.command, self.what, self.total = command, what, total
        self.done, self.began, self.shown = 0, time.monotonic(), 0.0

    def add(self, count: int, of: str) -> None:
        self.done += count
        on_screen = self.command.stdout.isatty()
        if self.took() - self.shown < (0.5 if on_screen else PAUSE) and self.done < self.total:
            return
        self.shown = self.took()
        speed = self.done / max(self.shown, 0.001)
        bar = f"[{'#' * (30 * self.done // self.total):30}] {self.done:,} of {self.total:,}"
        line = f"{self.what} {bar}, {speed:,.0f} a second, {(self.total - self.done) / speed:.0f} s left: {of}"
        self.command.stdout.write(f"\r{line:110}" if on_screen else line, ending="" if on_screen else "\n")
        if on_screen and self.done == self.total:
            self.command.stdout.write("")
        self.command.stdout.flush()

    def took(self) -> float:
        return time.monotonic() - self.began


def find_file() -> Path:
    if connection.vendor != "sqlite":
        raise CommandError("The site is on PostgreSQL already. pg_dump and pg_restore copy it: docs/hosting/run.md.")
    file = Path(connection.settings_dict["NAME"])
    if not file.is_file():
        raise CommandError(f"There is no SQLite file {file}. Is BEANPOST_VAR or DATABASE_URL that of the site?")
    return file


def ask_for_backup(file: Path) -> None:
    try:
        answer = input(BACKUP.format(file=file))
    except EOFError:
        raise CommandError("Nobody is here to answer: ask again in a terminal, or with --yes.") from None
    if answer.strip().lower() != "yes":
        raise CommandError("Nothing has happened.")


def configure_target(url: str) -> None:
    if not url.startswith(("postgres://", "postgresql://")):
        raise CommandError("TO must be like postgres://user:password@host/name.")
    named = parse_database_url(url)
    more = {"OPTIONS": {"connect_timeout": 10} | named.get("OPTIONS", {}), "DISABLE_SERVER_SIDE_CURSORS": False}
    connections.databases[TARGET] = connection.settings_dict | named | more


@contextmanager
def lock_source() -> Iterator[None]:
    """Open the SQLite file only to read, and refuse if another process has it open."""
    connection.close()
    kept = connection.settings_dict["OPTIONS"]
    connection.settings_dict["OPTIONS"] = {"timeout": 2, "init_command": "PRAGMA locking_mode=EXCLUSIVE"}
    try:
        open_alone()
        yield
    finally:
        connection.close()
        connection.settings_dict["OPTIONS"] = kept


def open_alone() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only=ON")
            cursor.execute("SELECT count(*) FROM sqlite_master")  # takes the lock, and keeps it
    except DatabaseError as fault:
        raise CommandError(
            f"Another process has the SQLite file open, or it is damaged ({fault}). Stop it first."
        ) from None


def check_source() -> None:
    applied, ours = list_migrations(connection)
    if applied != ours:
        raise CommandError("The SQLite file is of another version. Run manage.py migrate with this one first.")
    try:
        connection.check_constraints()
    except IntegrityError as fault:  # names the row and the key, and no content
        raise CommandError(f"A row of the SQLite file refers to one that does not exist. {fault}") from None


def list_migrations(database: BaseDatabaseWrapper) -> tuple[set[Any], set[Any]]:
    """Return the migrations that a database has had, and those of this version."""
    loader = MigrationLoader(database)
    return set(loader.applied_migrations), set(loader.disk_migrations)


@contextmanager
def explain_errors_of_target() -> Iterator[None]:
    try:
        yield
    except Error as fault:
        raise CommandError(f"The new database cannot be used: {fault}".strip()) from None
    except KeyboardInterrupt:
        raise CommandError("Stopped. Nothing is copied, and the SQLite file is as it was.") from None
    finally:
        connections[TARGET].close()


def check_target() -> None:
    """Refuse a database that is not empty, or of another version. `migrate` completes one that is half migrated."""
    models = copying.list_models()
    applied, ours = list_migrations(connections[TARGET])
    if not applied <= ours:
        raise CommandError("The new database is of another version. Name an empty one.")
    own = {model._meta.db_table for model in models} | {MigrationRecorder.Migration._meta.db_table}
    found = {*connections[TARGET].introspection.table_names()}
    if found - own:
        raise CommandError(
            f"The new database is not empty: it has tables such as {min(found - own)}. Name an empty one."
        )
    check_empty([model for model in models if model._meta.db_table in found])


def lock_target() -> None:
    """Refuse a database that a `serve` or another copy uses. The lock ends with the transaction."""
    with connections[TARGET].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        if cursor.fetchone() != (True,):
            raise CommandError("Beanpost is already using the new database. Stop it first, or name another.")
    check_empty(copying.list_models())


def check_empty(models: list[Any]) -> None:
    for model in models:
        if model not in copying.MADE_BY_MIGRATE and model._base_manager.using(TARGET).exists():
            raise CommandError(f"The new database is not empty: {model._meta.db_table} has rows. Name an empty one.")


def find_differences(match: Match, copied: Match) -> Iterator[str]:
    """Yield a sentence for each thing by which a match differs from its copy, or a copy from its own log."""
    if (match.pk, match.head, match.vault.memory) != (copied.pk, copied.head, copied.vault.memory):
        yield "The copy has another head or another cached state."
    yield from audit.check_digests(copied, bytes(copied.vault.secret))
    if copied.ended_at is None:
        try:
            if storage.replay_log(copied) != storage.restore_table(copied, copied.vault):
                yield "The cached state is not the table that the log leads to."
        except NotInstalled as missing:
            yield f"{missing} Install it here first."
