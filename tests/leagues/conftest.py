"""Two leagues with one organiser each, who sign in to the admin; and a clock that stands still."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from beanpost.play import clock
from tests.leagues.office import LATER, found_league
from tests.restored import restored


@restored
def organiser(name: str) -> Any:
    return get_user_model().objects.create_user(name, email=f"{name}@example.org", password="beans", is_staff=True)


@pytest.fixture
def in_the_afternoon(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: LATER)


@pytest.fixture
def olga(db):
    return organiser("olga")


@pytest.fixture
def otto(db):
    return organiser("otto")


@pytest.fixture
def league(olga):
    return found_league("Bean League", olga)


@pytest.fixture
def other_league(otto):
    return found_league("Pea League", otto)


def signed_in(user: Any) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = start_session(user)
    return client


@restored
def start_session(user: Any) -> str:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client.session.session_key


@pytest.fixture
def at_olgas(olga):
    return signed_in(olga)


@pytest.fixture
def at_ottos(otto):
    return signed_in(otto)
