"""What tests of the pages lean on."""

import hashlib

import pytest
import time_machine
from django.apps import apps

from tests.friends import NOON


@pytest.fixture
def at_noon():
    """Pages look at the clock: let it show the hour at which tables are opened here."""
    with time_machine.travel(NOON, tick=True):
        yield


@pytest.fixture
def everything():
    """All rows of all tables, by table: to see that nothing, or only one thing, has changed."""

    def rows():
        return {
            model._meta.db_table: hashlib.sha256(
                repr(list(model._default_manager.order_by("pk").values_list())).encode()
            ).hexdigest()
            for model in apps.get_models()
        }

    return rows


@pytest.fixture
def demo(settings):
    """The demo's own pages are there, and the others know it. The test's urls must be tests.pages.demo_urls."""
    settings.DEMO = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
