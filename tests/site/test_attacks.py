"""Attacks that no other file covers; docs/attacks.md lists all of them."""

import re

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from beanpost.leagues import organiser_accounts
from tests.friends import NOON

pytestmark = pytest.mark.django_db


def test_guessing_a_password_too_often_locks_the_account(settings):
    get_user_model().objects.create_superuser("olga", password="the-right-one")
    client, login = Client(), reverse("admin:login")
    for n in range(settings.AXES_FAILURE_LIMIT):
        client.post(login, {"username": "olga", "password": f"guess {n}"})
    answer = client.post(login, {"username": "olga", "password": "the-right-one"})
    assert answer.status_code in (403, 429)
    assert "_auth_user_id" not in client.session


def test_no_action_of_the_list_of_guesses_fails(admin_client):
    admin_client.post(reverse("admin:login"), {"username": "olga", "password": "a guess"})
    guess, page = AccessAttempt.objects.get(), reverse("admin:axes_accessattempt_changelist")
    actions = re.findall(r'<option value="(\w+)"', admin_client.get(page).text)
    assert "delete_selected" in actions
    for action in {*actions, "cleanup_expired_attempts"}:
        data = {"action": action, "_selected_action": [guess.pk]}
        assert admin_client.post(page, data).status_code in (200, 302), action


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_no_redirect_leads_to_another_site(elsewhere):
    olga = get_user_model().objects.create_superuser("olga", password="beans")
    organiser_accounts.record_no(olga, now=NOON)
    client = Client()
    address = reverse("admin:login")
    answer = client.post(f"{address}?next={elsewhere}", {"username": "olga", "password": "beans", "next": elsewhere})
    assert answer.headers["Location"] == reverse("admin:index")
    for name in ("home", "sign-in", "lost", "start", "my-games"):
        answer = client.get(reverse(name), {"next": elsewhere, "url": elsewhere})
        assert "evil" not in answer.headers.get("Location", "")


@pytest.mark.parametrize("host", ["evil.example", "beans.example.evil.example", "evil.example:80", "[::1]"])
def test_an_unknown_host_header_is_refused(host, settings):
    settings.ALLOWED_HOSTS = ["beans.example"]
    assert Client().get("/", headers={"host": host}).status_code == 400
