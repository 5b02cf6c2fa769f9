"""Every letter of the gallery in a browser: it fits a telephone, and its first move is on the first screen."""

import pytest
from django.db import transaction
from django.test import override_settings

from tools import letters

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW, WIDTHS = 320, (320, 390)
FIRST_SCREEN = 640  # pixels
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
        every = letters.every_kind(request.param) | letters.every_game(request.param)
        written = {kind: letter.html for kind, letter in every.items()}
        transaction.set_rollback(True)
    return written


def test_the_first_move_is_on_the_first_screen_of_every_letter(page, gallery):
    page.set_viewport_size({"width": NARROW, "height": FIRST_SCREEN})
    first, unasked = {}, []
    for kind, html in gallery.items():
        page.set_content(html)
        seen = page.evaluate(LOOK)
        if kind.partition("-")[0] in ASKING and not seen["answers"]:
            unasked.append(kind)
        first |= {kind: min(seen["answers"] or seen["buttons"])} if seen["buttons"] else {}
    assert unasked == []
    assert {kind: bottom for kind, bottom in first.items() if bottom > FIRST_SCREEN} == {}


def test_no_letter_is_wider_than_a_telephone(page, gallery):
    wide = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": FIRST_SCREEN})
        for kind, html in gallery.items():
            page.set_content(html)
            wide |= {(kind, width): over} if (over := page.evaluate(LOOK)["wide"]) else {}
    assert wide == {}
