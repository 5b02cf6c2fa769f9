"""Every letter of the gallery in a browser: it fits every screen, its first move is on the first one of a telephone,
and it can be read in light and dark mode."""

import re
from pathlib import Path

import pytest
from django.db import transaction
from django.test import override_settings
from django.utils.html import strip_tags

from tests.pages.test_plain_words import MACHINE_WORDS
from tools import letters

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW = 320
VIEWS = [(320, "light"), (320, "dark"), (390, "dark"), (1280, "dark"), (1280, "light")]  # one thing changes at a time
INSPECT = (Path(__file__).parents[1] / "pages/inspect.js").read_text()
FIRST_SCREEN = 640  # pixels
HEAVIEST = 100_000  # bytes of a whole mail
ADDRESS = re.compile(r"https?://\S+|<[^<>@\s]+@[^<>\s]+>")
ASKING = {"turn", "reminder", "excused", "answer", "digest", "which"}  # kinds with moves

LOOK = """() => ({
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    answers: [...document.querySelectorAll(".answers a.button")].map(move => move.getBoundingClientRect().bottom),
    buttons: [...document.querySelectorAll("a.button:not([href*='/less/'])")]  // an offer below the letter asks nothing
        .map(button => button.getBoundingClientRect().bottom),
})"""


@pytest.fixture(scope="module", params=["en", "fr"])
def gallery(request, django_db_setup, django_db_blocker):
    answerable = override_settings(INBOUND_DOMAIN="in.beans.example")  # with numbers, and a line to reply above
    with django_db_blocker.unblock(), answerable, transaction.atomic():
        every = letters.write_every_kind(request.param) | letters.write_every_game(request.param)
        written = {kind: (letter.html, letter.text, len(letter.source)) for kind, letter in every.items()}
        transaction.set_rollback(True)
    return written


def test_the_first_move_is_on_the_first_screen_of_every_letter(page, gallery):
    page.set_viewport_size({"width": NARROW, "height": FIRST_SCREEN})
    first, unasked = {}, []
    for kind, (html, _, _) in gallery.items():
        page.set_content(html)
        seen = page.evaluate(LOOK)
        if kind.partition("-")[0] in ASKING and not seen["answers"]:
            unasked.append(kind)
        first |= {kind: min(seen["answers"] or seen["buttons"])} if seen["buttons"] else {}
    assert unasked == []
    assert {kind: bottom for kind, bottom in first.items() if bottom > FIRST_SCREEN} == {}


def test_every_letter_fits_and_is_readable_on_every_screen(page, gallery):
    faults = {}
    for kind, (html, _, _) in gallery.items():
        page.set_content(html)
        for width, light in VIEWS:
            page.set_viewport_size({"width": width, "height": FIRST_SCREEN})
            page.emulate_media(color_scheme=light)
            wrong = [fault for fault in page.evaluate(INSPECT) if "too wide" in fault or "hard to read" in fault]
            faults |= {(kind, width, light): wrong} if wrong else {}
    assert faults == {}


def test_no_letter_is_heavy_or_shows_machine_words(gallery):
    for kind, (html, text, weight) in gallery.items():
        assert weight < HEAVIEST, kind
        for part in (strip_tags(re.sub(r"<(head|style)\b.*?</\1>", "", html, flags=re.DOTALL)), ADDRESS.sub("", text)):
            assert MACHINE_WORDS.findall(part) == [], kind
