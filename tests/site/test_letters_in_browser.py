"""Every letter of the gallery in a browser: it fits every screen, shows its first move on the first
screen of a phone, and can be read in light and dark mode."""

import re

import pytest
from django.conf import settings
from django.db import transaction
from django.test import override_settings
from django.utils.html import strip_tags

from tests.pages.test_every_page import COLOURS_AT, INSPECT, MACHINE_WORDS, SMALLEST, show_at_every_width
from tests.post.gallery import weigh
from tools import letters

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST_SCREEN = 640  # height in pixels at the smallest width
HEAVIEST = 100_000  # bytes of HTML and pictures
ADDRESS = re.compile(r"https?://\S+|<[^<>@\s]+@[^<>\s]+>")
BUTTON = '<a class="button"'
# Outlook for Windows ignores a link's padding, but not that of its table cell.
PADDED_BUTTON = re.compile(
    r'<td class="move[^"]*"[^>]*\sstyle="[^"]*background-color: #[^"]*mso-padding-alt: [^"]*">\s*' + BUTTON
)
NEWER_STYLES = re.compile(r"transform|position:|float:|display: (?:flex|grid)|var\(")  # Outlook ignores these
LATER = {"answer-bohnanza": 60, "digest-bohnanza": 75}  # pixels: a suggested trade in a market has four lines
ASKING = {"turn", "reminder", "excused", "answer", "digest", "which"}  # kinds with moves

LOOK = """() => ({
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    answers: [...document.querySelectorAll(".answers a.button")].map(move => move.getBoundingClientRect().bottom),
    buttons: [...document.querySelectorAll("a.button:not([href*='/less/'])")]  // an offer below the letter asks nothing
        .map(button => button.getBoundingClientRect().bottom),
    cards: [...document.querySelectorAll(".cards .card")].map(card => card.offsetHeight),
})"""


@pytest.fixture(scope="module", params=dict(settings.LANGUAGES))
def gallery(request, django_db_setup, django_db_blocker):
    answerable = override_settings(INBOUND_DOMAIN="in.beans.example")  # with numbers, and a line to reply above
    with django_db_blocker.unblock(), answerable, transaction.atomic():
        every = letters.write_every_kind(request.param) | letters.write_every_game(request.param)
        written = {kind: (letter.html, letter.text, weigh(letter)) for kind, letter in every.items()}
        transaction.set_rollback(True)
    return request.param, written


def test_every_letter_fits_every_screen_shows_its_first_move_at_once_and_is_readable(page, gallery):
    language, letters_by_kind = gallery
    faults = {}
    for kind, (html, _, _) in letters_by_kind.items():
        page.set_content(html)
        widths = show_at_every_width(page)
        faults[kind] = [fault for width in widths for fault in find_faults(page, kind, language, width)]
    assert {kind: wrong for kind, wrong in faults.items() if wrong} == {}


def find_faults(page, kind, language, width):
    seen = page.evaluate(LOOK)
    if seen["wide"]:
        yield f"is {seen['wide']} pixels too wide at {width} pixels"
    if kind.partition("-")[0] in ASKING and not seen["answers"]:
        yield "asks nothing"
    if kind.startswith("turn-") and len(heights := set(seen["cards"])) != 1:
        yield f"shows cards of these heights: {heights}"
    most = FIRST_SCREEN + LATER.get(kind, 0)
    if width == SMALLEST and seen["buttons"] and (first := min(seen["answers"] or seen["buttons"])) > most:
        yield f"shows its first move at {first} pixels"
    for scheme in ("light", "dark") if width == COLOURS_AT[language] else ():
        page.emulate_media(color_scheme=scheme)
        yield from page.evaluate(INSPECT, "colours")


def test_no_letter_is_heavy_or_shows_machine_words(gallery):
    _language, letters_by_kind = gallery
    for kind, (html, text, weight) in letters_by_kind.items():
        assert weight < HEAVIEST, kind
        for part in (strip_tags(re.sub(r"<(head|style)\b.*?</\1>", "", html, flags=re.DOTALL)), ADDRESS.sub("", text)):
            assert MACHINE_WORDS.findall(part) == [], kind


def test_every_button_gets_its_padding_and_colour_from_a_table_cell_for_outlook(gallery):
    _language, letters_by_kind = gallery
    for kind, (html, _, _) in letters_by_kind.items():
        assert html.count(BUTTON) == len(PADDED_BUTTON.findall(html)), kind
        assert NEWER_STYLES.findall(html) == [], kind
