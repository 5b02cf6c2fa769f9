"""Letters in the admin: the envelope, and never the contents."""

import html
import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.post.compose.headers import make_message_id
from beanpost.post.models import Letter
from beanpost.post.outbox import retention
from tests.copies import multiply
from tests.post.answering import address, answer, bobs_first_letter, with_replies
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(client):
    """The admin, opened by a superuser."""
    client.force_login(get_user_model().objects.create_superuser("chief", email="chief@example.org"))
    return client


@pytest.fixture
def letter(match):
    deliver()
    return Letter.objects.get(kind="turn")


LIST = "admin:post_letter_changelist"
ONE = "admin:post_letter_change"


@pytest.mark.parametrize("query", ["", "?q=bob", "?state__exact=sent", "?q=Play"])
def test_the_list_shows_envelopes_only(office, letter, query):
    assert_no_contents_are_shown(office.get(reverse(LIST) + query), letter)


def test_a_letter_shows_its_envelope_only(office, letter):
    page = office.get(reverse(ONE, args=[letter.pk]))
    assert_no_contents_are_shown(page, letter)
    assert "bob@example.org" in page.content.decode()


def test_kinds_of_letters_are_shown_and_filtered_by_name(office, letter):
    shown = office.get(reverse(LIST)).content.decode()
    assert ">Your turn<" in shown
    assert ">turn<" not in shown
    assert "Your turn, letter" in office.get(reverse(ONE, args=[letter.pk])).content.decode()
    [together] = re.findall(r'href="\?([^"]*)"[^>]*>\s*About your reply', shown)  # four kinds have that name
    wanted = reverse(LIST) + "?" + html.unescape(together)
    assert row(letter) not in office.get(wanted).content.decode()
    for kind in ("answer", "unheard", "which", "links_only"):
        Letter.objects.filter(pk=letter.pk).update(kind=kind)
        assert row(letter) in office.get(wanted).content.decode()


def test_the_lists_leaf_through_pages_without_counting_rows(office, letter):
    multiply(letter, 150, key="'copy-' || n")
    with CaptureQueriesContext(connection) as queries:
        first = office.get(reverse(LIST)).content.decode()
    assert [query["sql"] for query in queries if "COUNT(" in query["sql"] and "post_letter" in query["sql"]] == []
    assert row(letter) not in first  # the newest hundred are on the first page
    [following] = re.findall(r'href="(\?[^"]*p=2[^"]*)"', first)
    assert row(letter) in office.get(reverse(LIST) + html.unescape(following)).content.decode()


def assert_no_contents_are_shown(page, letter):
    shown = page.content.decode()
    assert page.status_code == 200
    assert letter.options[0]["label"] not in shown
    assert make_message_id(letter) not in shown
    assert "/move/" not in shown
    assert "Your turn, Bob" not in shown
    assert letter.match.head not in shown


def test_a_search_does_not_find_a_letter_by_its_contents(office, letter):
    assert row(letter) in office.get(reverse(LIST) + "?q=bob@example.org").content.decode()
    assert row(letter) not in office.get(reverse(LIST) + "?q=Your turn").content.decode()


@pytest.mark.parametrize("field", ["body__packed", "options", "values", "subject", "recipient__places__word"])
def test_a_filter_in_the_url_cannot_read_a_letters_contents(office, letter, field):
    assert office.get(f"{reverse(LIST)}?{field}__contains=Bob").status_code == 400
    assert office.get(f"{reverse(LIST)}?state__exact=sent").status_code == 200


def row(letter):
    return reverse(ONE, args=[letter.pk])


@pytest.mark.parametrize("door", ["add", "delete", "history"])
def test_letters_cannot_be_changed(office, letter, door):
    args = [] if door == "add" else [letter.pk]
    page = office.get(reverse(f"admin:post_letter_{door}", args=args))
    assert page.status_code == (200 if door == "history" else 403)
    assert office.post(reverse(ONE, args=[letter.pk]), {"state": "queued"}).status_code == 403


def test_a_letter_can_be_resent_without_showing_its_contents(office, letter):
    source = bytes(letter.source)
    answer = office.post(reverse(LIST), {"action": "resend", "_selected_action": [letter.pk]}, follow=True)
    assert "One letter has been sent again." in answer.content.decode()
    letter.refresh_from_db()
    assert letter.state == Letter.State.RETRY
    assert bytes(letter.source) == source


def test_a_letter_whose_body_was_deleted_cannot_be_resent_and_the_admin_says_so(office, letter):
    Match.objects.filter(pk=letter.match_id).update(ended_at=clock.now() - timedelta(days=31))
    retention.erase_contents(clock.now())
    answer = office.post(reverse(LIST), {"action": "resend", "_selected_action": [letter.pk]}, follow=True)
    shown = answer.content.decode()
    assert "One letter can’t be sent again: its contents have been deleted." in shown
    assert "been sent again" not in shown
    letter.refresh_from_db()
    assert letter.state == Letter.State.SENT


# ── replies ──


@pytest.fixture
def reply():
    """A reply by Bob that could not be read."""
    with with_replies():
        return answer(bobs_first_letter(), "See you on Saturday.")


@pytest.mark.parametrize("query", ["", "?q=bob", "?finding__exact=unread", "?q=Saturday"])
def test_replies_are_listed_by_their_envelope(office, reply, query):
    shown = office.get(reverse("admin:post_reply_changelist") + query)
    assert shown.status_code == 200
    assert_nothing_is_betrayed(shown.content.decode(), reply)
    assert ("no move we could read" in shown.content.decode()) or "Saturday" in query


def test_a_reply_shows_its_envelope_only(office, reply):
    shown = office.get(reverse("admin:post_reply_change", args=[reply.pk])).content.decode()
    assert "bob@example.org" in shown
    assert_nothing_is_betrayed(shown, reply)


def assert_nothing_is_betrayed(shown: str, reply) -> None:
    assert "See you on" not in shown
    assert reply.fingerprint not in shown
    assert address(reply.letter).partition("@")[0] not in shown


@pytest.mark.parametrize("field", ["source", "fingerprint", "letter__body__packed", "letter__values"])
def test_a_filter_in_the_url_cannot_read_a_replys_contents(office, reply, field):
    assert office.get(f"{reverse('admin:post_reply_changelist')}?{field}__contains=a").status_code == 400
