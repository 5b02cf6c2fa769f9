"""Fixtures and settings for every test: a browser, and the database in use."""

import gc
import os

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.postgresql.operations import DatabaseOperations as PostgresOperations
from django.test import override_settings
from django.utils import translation
from playwright.sync_api import expect

from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.log import guards
from beanpost.site.static_files import StaticFilesMiddleware
from tests import restored
from tests.browser import Browser
from tests.chance import CHANCE, seeded
from tools import chromium

QUIET = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


TIMEOUT = 120_000  # milliseconds, for everything a browser waits for


# The speed of a machine proves nothing. The suite tries the same examples in every run; `make fuzz` tries new ones.
hypothesis.settings.register_profile(
    "beanpost",
    parent=hypothesis.settings(database=None),
    deadline=None,
    derandomize="FUZZ" not in os.environ,
    print_blob=True,
    suppress_health_check=[*hypothesis.settings().suppress_health_check, hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("beanpost")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Seed a test's chance by its name, and print the seed if it fails."""
    item.add_report_section(
        "setup", "chance", f"CHANCE={CHANCE} and the test's name seed its secrets, codes and draws."
    )
    with seeded(item.nodeid):
        return (yield)


@pytest.fixture
def client():
    return Browser()


@pytest.fixture(autouse=True)
def database_has_our_clock(monkeypatch):
    """Let the database agree with our clock, which tests move."""
    monkeypatch.setattr(outages, "read_database_time", lambda: clock.now())


@pytest.fixture(autouse=True)
def reset_language():
    """Reset the language: one test's French would leak into the next, in whatever order they run."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def begin_with_nothing_built():
    """Let a test's first rows be restored from memory, if an earlier test has built the same ones."""
    restored.begin_test()
    yield
    restored.end_test()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's Chromium, without background requests."""
    unboxed = ["--no-sandbox"] if os.geteuid() == 0 else []  # its sandbox refuses to run as root
    return browser_type_launch_args | {"executable_path": chromium.find(), "args": QUIET + unboxed}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, request, tmp_path_factory):
    """Other threads answer a browser's requests. With an in-memory database they would share the test's one
    connection, and each would end the other's transactions; with a file each has its own connection, as in production.
    """
    if is_sqlite() and any(item.get_closest_marker("browser") for item in request.session.items):
        file = tmp_path_factory.mktemp("database") / "beanpost.sqlite3"
        database = settings.DATABASES["default"]
        database.setdefault("TEST", {})["NAME"] = str(file)
        # Nothing here outlives the tests, so no transaction needs to wait for the disk.
        database["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"


@pytest.fixture(scope="session")
def playwright(playwright):
    """Playwright keeps an event loop running in our thread, and Django refuses queries in such a thread."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=TIMEOUT)
        yield playwright


@pytest.fixture
def new_context(new_context):
    """A browser page with a timeout for slow machines."""

    def patient(**options):
        context = new_context(**options)
        context.set_default_timeout(TIMEOUT)
        return context

    return patient


@pytest.fixture(scope="session", autouse=True)
def use_fast_password_hasher():
    """Use a fast hasher: real ones are slow by design and cost each organiser's test a third of a second."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def scan_static_files_once():
    """Scan the static files once: otherwise each new test client scans them all, which takes as long as a page."""
    files = StaticFilesMiddleware().files
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesMiddleware, "add_files_from_finders", lambda shelf: shelf.files.update(files))
        yield


@pytest.fixture(scope="session", autouse=True)
def allow_emptying_the_log():
    """Drop the log's triggers while a transactional test empties every table: they would refuse it."""
    empty = BaseDatabaseOperations.execute_sql_flush

    def lift_empty_and_restore(operations, statements):
        guards.lift(operations.connection)
        empty(operations, statements)
        guards.set_up(operations.connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", lift_empty_and_restore)
        patch.setattr(PostgresOperations, "sql_flush", deletions)
        yield


def deletions(operations, style, tables, **options):
    """Use DELETE in place of PostgreSQL's TRUNCATE, which makes new files even for empty tables."""
    return [f"DELETE FROM {operations.quote_name(table)}" for table in tables]


@pytest.fixture(scope="session")
def migrated_database(django_db_setup, django_db_blocker):
    """A migrated database without rows, for the folders of servers under test; migrating takes seconds."""
    with django_db_blocker.unblock():
        connection.ensure_connection()
        return connection.connection.serialize()


@pytest.fixture(name="migrated")
def migrated_folder(migrated_database, tmp_path):
    """Put a migrated database into the folder of a server under test."""
    (tmp_path / "beanpost.sqlite3").write_bytes(migrated_database)


def is_sqlite():
    return settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


def pytest_collection_modifyitems(items):
    # Tests that start a server take longest: if they came last, one worker would wait for another.
    items.sort(key=lambda item: item.get_closest_marker("own_process") is None)
    if is_sqlite():
        for item in items:
            if item.get_closest_marker("postgres"):
                item.add_marker(pytest.mark.skip(reason="needs PostgreSQL: its pass of make test runs this"))


def pytest_collection_finish():
    """Freeze imported modules: collecting garbage among them again and again takes a tenth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_terminal_summary(terminalreporter):
    """Print which tests `make test` left out just above pytest's last line, where nobody can miss it."""
    if left_out := os.environ.get("BEANPOST_LEFT_OUT"):
        terminalreporter.section("LEFT OUT", sep="!", red=True)
        terminalreporter.line(left_out)
