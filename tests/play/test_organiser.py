"""The host creates the first organiser on the command line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db
PASSWORD = "broad-beans-in-april"


def make(address: str, password: str = PASSWORD) -> str:
    out = StringIO()
    call_command("organiser", address, password=password, stdout=out)
    return out.getvalue()


def test_an_organiser_may_do_everything_in_the_admin(client, django_user_model):
    assert make("Olga@Example.org ") == "olga@example.org can now sign in at /admin/.\n"
    assert django_user_model.objects.get().is_superuser
    client.post("/admin/login/", {"username": "olga@example.org", "password": PASSWORD})
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize(
    ("address", "password", "why"),
    [
        ("olga", PASSWORD, "isn’t an email address"),
        ("olga@example.org", "a", "too short"),
        ("olga@example.org", "olga@example.org", "too similar"),
    ],
)
def test_an_invalid_address_or_a_weak_password_gets_a_sentence(django_user_model, address, password, why):
    with pytest.raises(CommandError, match=why):
        make(address, password)
    assert not django_user_model.objects.exists()


def test_an_existing_organiser_is_not_created_again():
    make("olga@example.org")
    with pytest.raises(CommandError, match="already"):
        make("olga@example.org")


def test_the_command_without_a_terminal_says_what_it_needs(monkeypatch, django_user_model):
    def nobody_types(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("beanpost.play.management.commands.organiser.getpass", nobody_types)
    with pytest.raises(CommandError, match="with --password"):
        make("olga@example.org", password="")
    assert not django_user_model.objects.exists()
