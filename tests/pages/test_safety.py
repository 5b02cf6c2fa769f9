"""Rules for every page: GET changes nothing, nothing is cached or indexed, and no nonsense breaks it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from beanpost.play.tickets import (
    AddressTicket,
    EraseTicket,
    LetterSettingsTicket,
    NeverTicket,
    PlayerTicket,
    SettingsTicket,
    SignInTicket,
)
from beanpost.players import accounts
from tests.friends import NOON, gather, seat_friends
from tests.pages.gallery import every_letter_page, every_page, plan
from tests.pages.table import link, move_link, play_to_the_end, seat_link, table_link

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]

STATUSES = {
    "nothing": 404,
    "torn link": 404,
    "not yours": 410,
    "forgotten": 410,
    "way in that was used": 410,
    "how we write, void": 410,
    "too late": 409,
    "move before the match": 409,
    "not over yet": 409,
    "address letter that lapsed": 409,
}
PUBLIC = {"front page", "choosing a game", "health", "nothing", "sign in", "rulebook"}
MAX_QUERIES = 21  # two loadings of a match, of nine queries each, for a link that is too late; one elsewhere
OUTSIDE = rb"<script(?! src=./static/)|<style|\sstyle=|\son\w+=|https?://(?!testserver/(?:match|static)/)"


def test_opening_any_page_changes_nothing_and_signs_nobody_in(client, everything):
    pages = every_page()
    before = everything()
    for name, address in pages.items():
        assert client.get(address).status_code == STATUSES.get(name, 200), name
        head = client.head(address)
        assert (head.status_code, head.content) == (STATUSES.get(name, 200), b""), name
    assert everything() == before
    assert set(client.cookies) == {"csrftoken"}


def test_every_page_is_private_strict_and_makes_few_queries(client, django_assert_max_num_queries):
    for name, address in every_page().items():
        with django_assert_max_num_queries(MAX_QUERIES):
            page = client.get(address)
        assert is_private(page) != (name in PUBLIC or name.startswith("rules of")), name
        assert "'unsafe" not in page.headers["Content-Security-Policy"], name
        assert not re.search(OUTSIDE, page.content), name


def is_private(page):
    """Return whether the page is neither cached nor indexed."""
    return (page.headers.get("Cache-Control"), page.headers.get("X-Robots-Tag")) == ("no-store", "noindex")


@pytest.mark.urls("tests.pages.demo_urls")
@pytest.mark.usefixtures("demo")
def test_the_demos_pages_make_few_queries_too(client, django_assert_max_num_queries):
    for address in every_letter_page(seat_friends()).values():
        with django_assert_max_num_queries(MAX_QUERIES):
            assert client.get(address).status_code == 200


def test_the_number_of_queries_does_not_grow_with_the_log(client, django_assert_max_num_queries):
    match = play_to_the_end(seat_friends("haricots", "advanced", seats=5))
    assert match.length > 10
    with django_assert_max_num_queries(MAX_QUERIES):
        client.get(reverse("match", args=[match.code]))


# ── forms ──


@pytest.fixture
def forms():
    """Return every form by its URL, with valid values for its fields."""
    running, waiting = seat_friends(), gather()
    ann, ended = running.keeper, play_to_the_end(seat_friends("haricots", "sprint"))
    open_table = gather(variant="basic")
    wish = {"name": "Ann", "address": "a@example.org", "game": "haricots/sprint", "seats": "3", "pace": "daily"}
    return {
        reverse("open"): wish | {"guests": "b@example.org c@example.org", "bots": "0", "open_to_all": "on"},
        reverse("lost"): {"address": "ann@example.org"},
        reverse("join", args=[open_table.code]): {"name": "Dora", "address": "dora@example.org"},
        link("opening", plan(ann)): {},
        seat_link("ready", waiting.places.get(seat=1)): {"name": "Bob", "word": "broad", "decline": "1"},
        seat_link("keep", waiting.places.get(seat=0)): {"address": "dora@example.org", "call_off": "1"},
        table_link(running): {"line": "pass", "note": "Beans."},
        move_link(running): {"note": "Beans."},
        move_link(running) + "letter/": {},
        seat_link("notes", running.places.get(seat=1)): {"report": "1", "mute": "1", "hear": "1"},
        seat_link("renew", running.places.get(seat=2)): {},
        seat_link("again", ended.places.get(seat=0)): {},
        link("renew-all", LetterSettingsTicket(ann.pk, ann.sessions)): {},
        reverse("sign-in"): {"address": "ann@example.org"},
        link("enter", SignInTicket(ann.pk, ann.visits)): {},
        reverse("sign-out"): {"everywhere": "1"},
        link("never", NeverTicket(ann.pk, ann.sessions)): {},
        link("me", PlayerTicket(ann.pk)): {},
        link("erase", EraseTicket(ann.pk, ann.sessions)): {"sure": "on"},
        link("settings", SettingsTicket(ann.pk, ann.sessions)): {
            "name": "Anne",
            "language": "fr",
            "zone": "UTC",
            "how_often": "daily",
            "digest_hour": "8",
            "text_only": "on",
            "address": "x@y.zz",
            "renew_feed": "1",
        },
        link("wishes", LetterSettingsTicket(ann.pk, ann.sessions)): {
            "how_often": "reminders",
            "digest_hour": "8",
            "language": "fr",
            "zone": "UTC",
            "calendar": "on",
        },
        link("address", AddressTicket(ann.pk, ann.sessions, ann.address, "anne@beans.example")): {},
    }


def test_a_post_from_another_site_does_nothing(forms, everything):
    stranger = Client(enforce_csrf_checks=True)
    before = everything()
    never = next(address for address in forms if address.startswith("/never/"))
    del forms[never]  # mail programs post to it too (RFC 8058): its ticket alone decides
    for address, fields in forms.items():
        page = stranger.post(address, fields)
        assert page.status_code == 403
        assert "Please press the button again" in page.content.decode()
    assert everything() == before


JUNK = [
    "x" * 10_000,
    "9" * 10_000,
    "<script>alert(1)</script>" * 400,
    "a\0b",
    "\ufffe\ufffd\u202e",
    "' OR 1=1 --",
    "\r\nBcc: everybody@example.org",
]


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_junk_in_any_field_gets_a_clear_page(junk, client, forms):
    for address, fields in forms.items():
        for field in fields:
            page = client.post(address, fields | {field: junk})
            assert page.status_code in (200, 400, 404, 409, 410, 422), (address, field)
            assert b"<script>" not in page.content
            assert b"<h1>" in page.content


def test_invalid_utf_8_breaks_nothing(client, forms):
    for address in forms:
        page = client.generic("POST", address, b"name=\xff\xfe&line=%FF%00", "application/x-www-form-urlencoded")
        assert page.status_code in (200, 302, 303, 400, 404, 409, 410, 422)


def test_names_are_escaped_wherever_they_are_shown(client):
    rogue = "<b>Ann</b>&\"'"
    accounts.get_or_create_player("ann@example.org", name=rogue, now=NOON)
    match = seat_friends()
    assert match.places.get(seat=0).name == rogue
    for address in (reverse("match", args=[match.code]), table_link(match), move_link(match)):
        page = client.get(address).content.decode()
        assert "<b>Ann" not in page
        assert "&lt;b&gt;Ann&lt;/b&gt;&amp;&#34;&#39;" in page


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options", "trace"])
def test_other_methods_are_refused(method, client):
    match = seat_friends()
    for address in ("/", "/open/", move_link(match), reverse("match", args=[match.code])):
        assert getattr(client, method)(address).status_code == 405


def test_the_health_check_passes_when_the_database_answers(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
