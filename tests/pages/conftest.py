"""Fixtures for the tests of the pages."""

import hashlib

import pytest
import time_machine
from django.apps import apps
from django.db import connection

from tests.friends import NOON


@pytest.fixture
def at_noon():
    """Pages read the clock: set it to the hour at which these matches are opened."""
    with time_machine.travel(NOON, tick=True):
        yield


@pytest.fixture
def everything():
    """A function that returns a digest of the rows of every table, to check that nothing, or only one thing, has
    changed."""

    def rows():
        return {table: find_digest(table) for table in tables}

    def find_digest(table):
        with connection.cursor() as cursor:  # without the ORM, which takes three times as long
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            return hashlib.sha256(repr(sorted(map(repr, cursor.fetchall()))).encode()).hexdigest()

    tables = [model._meta.db_table for model in apps.get_models()]
    return rows


@pytest.fixture
def demo(settings):
    """The demo's own pages, linked from the others. The test's urls must be tests.pages.demo_urls."""
    settings.DEMO = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
