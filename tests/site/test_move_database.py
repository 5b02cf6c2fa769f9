"""manage.py move_database: from a SQLite file with rows of every model to PostgreSQL."""

import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from psycopg import sql

from beanpost.database import copying
from beanpost.environment import parse_database_url
from beanpost.play.log.guards import REFUSAL

pytestmark = pytest.mark.postgres
ROOT = Path(__file__).parents[2]
TIMEOUT = 300  # seconds: generous, for a busy machine
FILE = "beanpost.sqlite3"
ENV = {
    **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
    "DJANGO_SETTINGS_MODULE": "beanpost.settings",
    "SECRET_KEY": "a-key-of-more-than-fifty-characters-that-opens-no-door-anywhere",
    "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend",
    "INBOUND_DOMAIN": "in.beans.example",
    "LOG_LEVEL": "ERROR",
    "PYTHONHASHSEED": "0",  # unfold prints sets
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> Path:
    """A SQLite file with a row of every model."""
    folder = tmp_path_factory.mktemp("filled")
    run_python("-m", "tests.site.moving", "fill", folder=folder)
    return folder / FILE


@pytest.fixture
def folder(filled, tmp_path, settings, django_db_blocker) -> Iterator[Path]:
    """The data folder of a site that has stopped, with its file as the default database."""
    (tmp_path / FILE).write_bytes(filled.read_bytes())
    settings.VAR = tmp_path
    usual = connections["default"]
    on_a_file = usual.settings_dict | parse_database_url(f"sqlite:///{tmp_path / FILE}") | {"OPTIONS": {}}
    connections["default"] = DatabaseWrapper(on_a_file)
    with django_db_blocker.unblock():
        yield tmp_path
    connections["default"].close()
    connections["default"] = usual


@pytest.fixture
def to() -> Iterator[str]:
    """The address of a new, empty database."""
    name = f"move_{os.getpid()}"
    with psycopg.connect(address("postgres"), autocommit=True) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield address(name)
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def address(name: str) -> str:
    """Return the address of a database on the server of the tests."""
    ours = settings.DATABASES["default"]
    who = f"{ours['USER']}:{ours['PASSWORD']}@" if ours["PASSWORD"] else f"{ours['USER']}@"
    if str(ours["HOST"]).startswith("/"):
        return f"postgres://{who}/{name}?host={ours['HOST']}"
    return f"postgres://{who}{ours['HOST']}:{ours['PORT'] or 5432}/{name}"


def run_python(*words: str, folder: Path, url: str = "") -> str:
    env = ENV | {"BEANPOST_VAR": str(folder), "DATABASE_URL": url}
    words = (sys.executable, *words)
    done = subprocess.run(words, env=env, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def move(to: str, *words: str) -> tuple[str, str]:
    """Return what the command printed, and the sentence with which it refused."""
    printed, refusal = StringIO(), ""
    try:
        call_command("move_database", to, *(words or ("--yes",)), stdout=printed)
    except CommandError as fault:
        refusal = str(fault)
    finally:
        with suppress(AttributeError):  # it was refused before it connected
            del connections[copying.TARGET]
        connections.databases.pop(copying.TARGET, None)
    return printed.getvalue(), refusal


def dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as database:
        return list(database.iterdump())


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_rows_exports_seals_and_pages_are_the_same_afterwards(folder, to):
    before = dump(folder / FILE)
    told, refusal = move(to)
    assert refusal == ""
    assert "0 differ" in told
    assert f"set DATABASE_URL to the address you have just given, in place of {folder / FILE}" in told
    assert dump(folder / FILE) == before
    check_guards_and_numbers(folder, to)
    _told, refusal = move(to)
    assert "The new database is not empty" in refusal
    shown = [json.loads(run_python("-m", "tests.site.moving", "show", folder=folder, url=url)) for url in ("", to)]
    assert [name for name in shown[0] if shown[0][name] != shown[1][name]] == []
    empty = [model._meta.label for model in apps.get_models(include_auto_created=True) if not has_row(model, shown[0])]
    assert empty == [], "tests/site/moving.py gives these models no row"


def has_row(model, shown):
    return model._meta.proxy or shown[f"rows of {model._meta.label}"]


def check_guards_and_numbers(folder: Path, to: str) -> None:
    """The log cannot be changed, and nothing gets the number of a row that was deleted."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        last = dict(database.execute("SELECT name, seq FROM sqlite_sequence"))
        assert last["play_match"] > database.execute("SELECT max(id) FROM play_match").fetchone()[0]
    with psycopg.connect(to, autocommit=True) as database:
        for statement in ("UPDATE play_event SET seat = 0", "DELETE FROM play_event", "TRUNCATE play_event CASCADE"):
            with pytest.raises(psycopg.errors.RaiseException, match=REFUSAL):
                database.execute(statement)
        for table in ("play_match", "play_event", "post_letter", "auth_user"):
            question = "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, 'id')::regclass)"
            assert database.execute(question, [table]).fetchone() == (last[table],)


def test_a_killed_copy_leaves_the_file_as_it_was_and_the_next_one_succeeds(folder, to):
    before = dump(folder / FILE)
    assert move_with(folder, to, "UPDATE play_note SET text = 'a' || char(0)")[1]  # it migrates, and copies nothing
    with psycopg.connect(to) as locking, psycopg.connect(to, autocommit=True) as watching:
        locking.execute("LOCK TABLE play_event")  # after most of the tables
        words = [sys.executable, "manage.py", "move_database", to, "--yes"]
        copy = subprocess.Popen(words, env=ENV | {"BEANPOST_VAR": str(folder)}, cwd=ROOT)
        wait_until(watching, f"SELECT count(*) = 1 {SESSIONS} AND wait_event_type = 'Lock'")
        copy.send_signal(signal.SIGKILL)
        copy.wait()
        locking.rollback()
        wait_until(watching, f"SELECT count(*) = 2 {SESSIONS}")
        assert watching.execute("SELECT count(*) FROM play_match").fetchone() == (0,)
    assert dump(folder / FILE) == before
    assert move(to)[1] == ""


SESSIONS = "FROM pg_stat_activity WHERE datname = current_database()"


def wait_until(database: psycopg.Connection, question: str) -> None:
    end = time.monotonic() + TIMEOUT
    while database.execute(question).fetchone() != (True,):
        assert time.monotonic() < end
        time.sleep(0.1)


def move_with(folder: Path, to: str, *statements: str) -> tuple[str, str]:
    """Move a site after changing its file, and change it back."""
    kept = (folder / FILE).read_bytes()
    change(folder, *statements)
    try:
        return move(to)
    finally:
        (folder / FILE).write_bytes(kept)


BROKEN_ROWS = {
    "UPDATE play_note SET text = 'secret' || char(0)": (
        "Row 1 of play_note cannot be copied: its column text contains a NUL character. Nothing is copied"
    ),
    "UPDATE players_player SET name = substr('secret' || hex(zeroblob(5000)), 1, 5000) WHERE id = 2": (
        "Row 2 of players_player cannot be copied: its column name is longer than"
    ),
    'UPDATE post_letter SET "values" = \'{"secret": "\\u0000"}\' WHERE id = 3': (
        "Row 3 of post_letter cannot be copied: PostgreSQL refuses it (UntranslatableCharacter)"
    ),
    "UPDATE post_letter SET subject = CAST(x'736563726574ff' AS TEXT) WHERE id = 2": (
        "Row 2 of post_letter cannot be copied: a value in it cannot be read (OperationalError)"
    ),
    "UPDATE play_match SET ended_at = 'secret' WHERE id = 2": "play_match is not complete in the copy.",
    "UPDATE django_session SET session_data = 'secret' || char(0)": (
        "Row 1 of django_session, in the order of its keys, cannot be copied: its column session_data contains a NUL"
    ),
    "UPDATE play_place SET match_id = 99999 WHERE id = 2": "A row of the SQLite file refers to one that does not",
}


def test_a_row_that_cannot_be_copied_is_named_without_its_content(folder, to):
    for statement, sentence in BROKEN_ROWS.items():
        _told, refusal = move_with(
            folder, to, "PRAGMA foreign_keys = OFF", "PRAGMA ignore_check_constraints = ON", statement
        )
        assert sentence in refusal
        assert "secret" not in refusal
        assert "\n" not in refusal


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    with (folder / "serve.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def open_file(folder: Path) -> Iterator[None]:
    """Another process, such as a worker between two tasks."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("SELECT count(*) FROM play_match").fetchone()
        yield


@pytest.mark.parametrize(
    ("running", "sentence"), [(locked_folder, "already using the folder"), (open_file, "Another process has")]
)
def test_a_running_site_is_not_moved(running, sentence, folder, to):
    with running(folder):
        assert sentence in move(to)[1]


def test_a_site_is_moved_only_after_a_backup(folder, to, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda _question: "no")
    assert move(to, "--traceback") == ("", "Nothing has happened.")


def test_a_site_of_another_version_is_not_moved(folder, to):
    sentence = "The SQLite file is of another version."
    assert sentence in move_with(folder, to, "DELETE FROM django_migrations WHERE app = 'play'")[1]
    newer = "INSERT INTO django_migrations (app, name, applied) VALUES ('play', '9999_later', '2026-11-16')"
    assert sentence in move_with(folder, to, newer)[1]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("CREATE TABLE somebody_elses (id int)", "is not empty: it has tables such as somebody_elses"),
        (
            "CREATE TABLE django_migrations (id int, app text, name text, applied timestamptz);"
            "INSERT INTO django_migrations VALUES (1, 'play', '9999_later', now())",
            "is of another version",
        ),
    ],
)
def test_a_database_that_is_not_empty_or_of_another_version_is_refused(statement, sentence, folder, to):
    with psycopg.connect(to) as database:
        database.execute(statement)
    assert sentence in move(to)[1]


def test_an_address_that_leads_to_no_database_gets_a_sentence(folder):
    assert move("sqlite:////tmp/other")[1].startswith("TO must be like postgres://")
    for wrong in (address("no_such_database"), "postgres://somebody:password@127.0.0.1:1/name"):
        refusal = move(wrong)[1]
        assert refusal.startswith("The new database cannot be used:")
        assert ":password@" not in refusal


def test_a_site_on_postgresql_is_not_moved():
    assert move(address("any"))[1].startswith("The site is on PostgreSQL already.")
