"""What every test may lean on: a browser, and the knowledge of which database is beneath."""

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

from beanpost.play import guards
from beanpost.static import Shelf
from tests import friends
from tests.browser import Browser
from tools import chromium

QUIET = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


PATIENCE = 120_000  # milliseconds for whatever a browser waits for


# How fast a machine is proves nothing. All else stays as Hypothesis has it, here or in CI.
hypothesis.settings.register_profile(
    "house",
    parent=hypothesis.settings(),
    deadline=None,
    suppress_health_check=[*hypothesis.settings().suppress_health_check, hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("house")


@pytest.fixture
def client():
    return Browser()


@pytest.fixture(autouse=True)
def nobody_speaks_french_yet():
    """Whoever was last answered in French would leave it to the test that comes next, in whatever order they come."""
    translation.deactivate()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's Chromium, which calls nobody on its own account."""
    unboxed = ["--no-sandbox"] if os.geteuid() == 0 else []  # its sandbox refuses root
    return browser_type_launch_args | {"executable_path": chromium.find(), "args": QUIET + unboxed}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, request, tmp_path_factory):
    """What a browser asks for is answered by other threads. In memory they would share the test's one connection,
    so that each ends the other's transactions; in a file each has a connection of its own, as in any house.
    """
    if is_sqlite() and any(item.get_closest_marker("browser") for item in request.session.items):
        file = tmp_path_factory.mktemp("database") / "beanpost.sqlite3"
        database = settings.DATABASES["default"]
        database.setdefault("TEST", {})["NAME"] = str(file)
        # Nothing here outlives the tests, so no move need wait until it is on the disk.
        database["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        friends.remember_the_usual()


@pytest.fixture(scope="session")
def playwright(playwright):
    """Playwright keeps an event loop running in our thread, where Django would then refuse every query."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=PATIENCE)
        yield playwright


@pytest.fixture
def new_context(new_context):
    """A browser that waits for a slow machine."""

    def patient(**options):
        context = new_context(**options)
        context.set_default_timeout(PATIENCE)
        return context

    return patient


@pytest.fixture(scope="session", autouse=True)
def passwords_are_soon_checked():
    """They are made slow to guess, which costs each organiser's test a third of a second."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def files_are_looked_for_once():
    """Each new browser would look through all stylesheets and pictures again, which takes as long as its page."""
    files = Shelf().files
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Shelf, "add_files_from_finders", lambda shelf: shelf.files.update(files))
        yield


@pytest.fixture(scope="session", autouse=True)
def the_log_is_emptied_between_tests():
    """Transactional tests empty every table, which the log's guards refuse: lift them for that moment alone."""
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
    """What PostgreSQL would otherwise TRUNCATE: it makes new files for every table and index, empty or not."""
    return [f"DELETE FROM {operations.quote_name(table)}" for table in tables]


@pytest.fixture
def migrated(db, tmp_path):
    """In its folder a house of its own finds a database with nothing left to migrate, which takes seconds."""
    (tmp_path / "beanpost.sqlite3").write_bytes(connection.connection.serialize())


def is_sqlite():
    return settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


def pytest_collection_modifyitems(items):
    # Houses of their own take longest: in the end one worker would wait for another that opens them.
    items.sort(key=lambda item: item.get_closest_marker("own_house") is None)
    if is_sqlite():
        for item in items:
            if item.get_closest_marker("postgres"):
                item.add_marker(pytest.mark.skip(reason="tells only on PostgreSQL"))


def pytest_collection_finish():
    """What was imported stays: to look through it for garbage again and again takes a tenth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_terminal_summary(terminalreporter):
    """Say what `make test` had to leave out, where nobody can miss it: above pytest's last line."""
    if left_out := os.environ.get("BEANPOST_LEFT_OUT"):
        terminalreporter.section("LEFT OUT", sep="!", red=True)
        terminalreporter.line(left_out)
