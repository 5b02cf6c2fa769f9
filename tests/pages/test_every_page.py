"""Every page of the gallery in a real browser, in both languages, for a visitor from Paris: it fits every screen,
loads few bytes, is readable in light and dark mode, works with assistive technology, and shows no machine words."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from beanpost.play import practice
from beanpost.play.models import Match
from beanpost.players.models import Player
from tests.browser import click_through
from tests.pages import gallery

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.pages.demo_urls"),
    pytest.mark.usefixtures("demo"),
]

INSPECT = (Path(__file__).parent / "inspect.js").read_text()  # returns a list of sentences about a page's faults
WIDTHS = SMALLEST, PHONE, _ = (320, 390, 1280)
COLOURS_AT = {"en": 320, "fr": 1280}  # colours may depend on the width, but not on the language
SCREEN = 800  # height in pixels
LONGEST = 4_500  # height in pixels of a page at the smallest width, without moves; full rules may be longer
MAX_BYTES = 100_000  # of a page with its styles, scripts and pictures, before compression
MAX_REQUESTS = 10  # for the styles, scripts and pictures of the page of a move, at every width and in both colours
REQUESTS = "performance.getEntriesByType('resource').length"
MAX_ELEMENTS = 1_500
MAX_SHIFT = 0.1  # how far what a reader looks at may move while a page loads, in Chromium's measure
START = "#start h2"
LOWEST_START = 1.5 * 844  # pixels above the form to start a match: a screen and a half of a phone
# How a screen reader reads the page of a move.
READING_ORDER = ("Your turn", "Your hand", "Your moves", "The table", "The story so far")
HEADINGS = "() => [...document.querySelectorAll('h1, h2, h3')].filter(h => h.checkVisibility()).map(h => h.innerText)"
ALL_DATA = "my data"  # this page is as heavy as what we store about its reader
# A deal may bring any number of moves, so their list is not counted.
LENGTH = """() => [...document.querySelectorAll(".moves")].reduce(
  (length, moves) => length - moves.offsetHeight, document.documentElement.scrollHeight)"""
TOO_WIDE_WITH_LARGE_TEXT = """() => {
  const page = document.documentElement;
  page.style.fontSize = "32px";
  const pixels = page.scrollWidth - page.clientWidth;
  page.style.fontSize = "";
  return pixels;
}"""
FIRST_MOVE = """() => Math.round(
  document.querySelector('.moves button, .moves summary, button.big').getBoundingClientRect().bottom)"""
MACHINE_WORDS = re.compile(
    r"\bUTC\b|\b(?:10|[0-9JNQK])[SHDC]\b|<\w+>|%\(\w+\)|\{\w+\}"
    r"|turns the sign|\bplus line\b|nothing more|rien de plus"
)
# Lists to choose from (time zones), notation that players may type, and the check of a deal are left out of the words.
READ = """() => {
  const copy = document.body.cloneNode(true);
  for (const element of copy.querySelectorAll("script, style, select, code, pre")) element.remove();
  const loaded = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
  const shifts = new PerformanceObserver(() => {});
  shifts.observe({ type: "layout-shift", buffered: true });
  return {
    words: copy.textContent,
    language: document.documentElement.lang,
    bytes: loaded.reduce((sum, one) => sum + one.decodedBodySize, 0),
    elsewhere: loaded.map((one) => one.name).filter((name) => !name.startsWith(location.origin) && !/^data/.test(name)),
    elements: document.querySelectorAll("*").length,
    shift: shifts.takeRecords().reduce((sum, one) => sum + one.value, 0),
    holds_rules: !!document.querySelector(".long"),
  };
}"""


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return browser_context_args | {"timezone_id": "Europe/Paris"}


@pytest.fixture
def complaints(page):
    """Collect what the browser refused to load, to style or to run, except for pages that are meant to be missing."""
    errors = []

    def collect_error(message):
        if message.type == "error" and "responded with a status" not in message.text:
            errors.append(message.text)

    page.on("console", collect_error)
    return errors


@pytest.fixture
def pages(page, live_server):
    found = gallery.every_page() | gallery.tables_of_every_game() | gallery.ends_of_every_game()
    found |= gallery.in_a_league() | gallery.list_signed_in_pages()
    Player.objects.update(zone="Europe/Paris")
    found |= gallery.every_letter_page(Match.objects.filter(phase="running").latest("pk"))
    sign_in_ann(page, live_server.url)
    return {name: path for name, path in found.items() if not path.endswith((".json", "/source/", "/html/", "healthz"))}


def sign_in_ann(page, site):
    page.context.add_cookies([gallery.signed_in(Player.objects.get(address="ann@example.org"), site)])


def set_language(page, language):
    Player.objects.update(language=language)
    page.set_extra_http_headers({"Accept-Language": language})


def find_faults(page, language):
    """Inspect a loaded page at every width, without loading it again."""
    seen = page.evaluate(READ)
    faults = [f"shows “{word}”" for word in MACHINE_WORDS.findall(seen["words"])]
    if seen["language"] not in ("", language):
        faults.append(f"is in {seen['language']}")
    faults += [f"loads {address}" for address in seen["elsewhere"]]
    most = {"bytes": MAX_BYTES, "elements": MAX_ELEMENTS, "shift": MAX_SHIFT}
    faults += [f"has too many {what}: {seen[what]}" for what, limit in most.items() if seen[what] > limit]
    for width in show_at_every_width(page):
        wrong = page.evaluate(INSPECT, "layout")
        for scheme in ("light", "dark") if width == COLOURS_AT[language] else ():
            page.emulate_media(color_scheme=scheme)
            wrong += page.evaluate(INSPECT, "colours")
        if width == SMALLEST and not seen["holds_rules"] and (length := page.evaluate(LENGTH)) > LONGEST:
            wrong.append(f"is {length} pixels long: too long")
        if width == PHONE and (pixels := page.evaluate(TOO_WIDE_WITH_LARGE_TEXT)):
            wrong.append(f"is {pixels} pixels too wide with large text")
        faults += [f"{fault}, at {width} pixels" for fault in wrong]
    return faults


def show_at_every_width(page):
    """Resize the page to each width, beginning with the one it has: resizing takes longer than most inspections."""
    before = page.viewport_size["width"]
    for width in sorted(WIDTHS, key=lambda width: abs(width - before)):
        if page.viewport_size != (size := {"width": width, "height": SCREEN}):
            page.set_viewport_size(size)
        yield width


def test_every_page_fits_and_is_small_readable_and_in_plain_words(page, live_server, pages, complaints):
    faults = {}
    for language in dict(settings.LANGUAGES):
        set_language(page, language)
        for name, path in pages.items():
            page.goto(live_server.url + path)
            found = find_faults(page, language)
            if name.startswith("moves of "):
                found += find_faults_of_a_move(page, language)
            faults[name, language] = [one for one in found if name != ALL_DATA or not one.startswith("has too many")]
    assert {name: wrong for name, wrong in faults.items() if wrong} == {}
    assert complaints == []


def find_faults_of_a_move(page, language):
    """Find a page that loads much, hides its moves below the first screen, or reads its parts in another order."""
    if (requests := page.evaluate(REQUESTS)) > MAX_REQUESTS:
        yield f"makes {requests} requests"
    headings = page.evaluate(HEADINGS)
    parts = [part for heading in headings for part in READING_ORDER if heading.startswith(part)]
    if language == "en" and parts != [*READING_ORDER]:
        yield f"reads {headings}"
    yield from (
        f"shows its first move at {bottom}, at {width} pixels" for width, bottom in find_low_moves(page).items()
    )


def test_the_front_page_of_a_visitor_has_no_faults_and_begins_with_starting_a_match(page, live_server, complaints):
    for language in dict(settings.LANGUAGES):
        set_language(page, language)
        page.goto(live_server.url)
        assert find_faults(page, language) == []
        page.set_viewport_size({"width": PHONE, "height": SCREEN})
        assert page.locator(START).bounding_box()["y"] < LOWEST_START
    assert complaints == []


@pytest.mark.parametrize("slug", practice.find_offered_games())
def test_a_practice_round_has_no_faults_and_shows_a_move_on_the_first_screen(page, live_server, complaints, slug):
    for language in dict(settings.LANGUAGES):
        set_language(page, language)
        page.goto(live_server.url + reverse("try"))
        click_through(page.locator(f"button[value={slug}]"))
        page.locator(".desk").wait_for()
        assert find_faults(page, language) == []
        assert find_low_moves(page) == {}
    assert complaints == []


@pytest.mark.parametrize("presses", [0, 9])
def test_the_first_move_of_every_game_is_within_the_first_screen(page, live_server, presses):
    low = {}
    for name, path in gallery.questions_of_every_game(presses).items():
        for language in dict(settings.LANGUAGES):
            Player.objects.update(language=language)
            page.goto(live_server.url + path)
            low |= {(name, language, width): bottom for width, bottom in find_low_moves(page).items()}
    assert low == {}


def find_low_moves(page):
    """Return the widths at which the first move of a page ends below the first screen, and where."""
    bottoms = {width: page.evaluate(FIRST_MOVE) for width in show_at_every_width(page)}
    return {width: bottom for width, bottom in bottoms.items() if bottom > SCREEN}


BAD = """<html><h1>One</h1><h1 id=a>Two</h1><h3 id=a>Three</h3><input name=bare aria-describedby=gone><img src="data:,">
<button style="height: 20px" tabindex=3>small</button><p style="color: #aaa; background: #fff">pale</p>
<div><template shadowrootmode=open><h1>Four</h1></template></div>
<div style="width: 9999px">.</div><p class=card style="width: 9px">overflowing</p><main><aside>within</aside></main>
<p style="height: 9999px">At 12:00 UTC %(name)s takes KD, which turns the sign: stack &lt;dice>, {card}"""


PUSH_DOWN = """() => new Promise((done) => {
  document.querySelector("h1").style.marginTop = "300px";
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""


def test_the_inspection_finds_faults(page):
    page.set_content(BAD + "<i></i>" * MAX_ELEMENTS)
    page.evaluate(PUSH_DOWN)
    found = " · ".join(find_faults(page, "en"))
    for fault in ("too wide", "too long", "no language", "no title", "3 of h1", "0 of footer", "skips a heading"):
        assert fault in found
    for fault in ("two of #a", "#gone, which is not there", "does not label", "without a text", "small target"):
        assert fault in found
    for fault in ("hides a landmark", "more on a card than fits", "hard to read", "too wide with large text"):
        assert fault in found
    for fault in ("many elements", "many shift", "loads about:blank", "tab order"):
        assert fault in found
    assert found.count("shows “") == 6  # machine words
