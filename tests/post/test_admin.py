"""Letters in the office: the envelope, and never what is in it."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from beanpost.post.models import Letter
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(client):
    """The office, entered by somebody who may do everything."""
    client.force_login(get_user_model().objects.create_superuser("chief"))
    return client


@pytest.fixture
def letter(match):
    deliver()
    return Letter.objects.get(kind="turn")


LIST = "admin:post_letter_changelist"
ONE = "admin:post_letter_change"


@pytest.mark.parametrize("query", ["", "?q=bob", "?state__exact=sent", "?q=Play"])
def test_the_list_shows_envelopes_only(office, letter, query):
    assert_nothing_is_told(office.get(reverse(LIST) + query), letter)


def test_a_letter_shows_its_envelope_only(office, letter):
    page = office.get(reverse(ONE, args=[letter.pk]))
    assert_nothing_is_told(page, letter)
    assert "bob@example.org" in page.content.decode()


def assert_nothing_is_told(page, letter):
    shown = page.content.decode()
    assert page.status_code == 200
    assert letter.options[0]["label"] not in shown
    assert letter.message_id not in shown
    assert "/m/" not in shown
    assert "It is your turn" not in shown
    assert letter.match.head not in shown


def test_nobody_finds_a_letter_by_what_is_in_it(office, letter):
    assert row(letter) in office.get(reverse(LIST) + "?q=bob@example.org").content.decode()
    assert row(letter) not in office.get(reverse(LIST) + "?q=It is your turn").content.decode()


@pytest.mark.parametrize("field", ["text", "html", "source", "options", "values", "subject", "recipient__places__word"])
def test_nobody_asks_the_address_line_what_stands_in_a_letter(office, letter, field):
    assert office.get(f"{reverse(LIST)}?{field}__contains=Bob").status_code == 400
    assert office.get(f"{reverse(LIST)}?created_at__year=2026&state__exact=sent").status_code == 200


def row(letter):
    return reverse(ONE, args=[letter.pk])


@pytest.mark.parametrize("door", ["add", "delete", "history"])
def test_nothing_can_be_changed(office, letter, door):
    args = [] if door == "add" else [letter.pk]
    page = office.get(reverse(f"admin:post_letter_{door}", args=args))
    assert page.status_code == (200 if door == "history" else 403)
    assert office.post(reverse(ONE, args=[letter.pk]), {"state": "queued"}).status_code == 403


def test_a_letter_can_be_sent_again_without_a_look_inside(office, letter):
    source = bytes(letter.source)
    answer = office.post(reverse(LIST), {"action": "resend", "_selected_action": [letter.pk]}, follow=True)
    assert "One letter is on its way again." in answer.content.decode()
    letter.refresh_from_db()
    assert letter.state == Letter.State.RETRY
    assert bytes(letter.source) == source
