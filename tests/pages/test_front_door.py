"""Visits that start on the front page, in a real browser."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from playwright.sync_api import expect

import games
from beanpost.play import practice
from beanpost.play.display.story import tell_story
from beanpost.play.models import Match
from beanpost.play.tickets import SignInTicket
from beanpost.players import accounts
from tests.browser import click_through
from tests.friends import NOON, seat_friends
from tests.pages.table import asked, link, move_link, play_to_the_end, press, table_link

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAX_BYTES = 100_000
MAX_REQUESTS = 9  # the icon is fetched for the page and for its tab
MAX_ELEMENTS = 1_500
MAX_SCRIPT = 30_000
ORDER = ("Your turn", "Your hand", "Your moves", "The table", "The story so far")
SHIFTS = """() => new Promise(done => new PerformanceObserver(list =>
  done(list.getEntries().reduce((sum, shift) => sum + shift.value, 0))).observe({type: 'layout-shift', buffered: true})
  || setTimeout(() => done(0), 100))"""

HEADINGS = "() => [...document.querySelectorAll('h1, h2, h3')].filter(h => h.checkVisibility()).map(h => h.innerText)"
LOADED = "() => [location.href, ...performance.getEntriesByType('resource').map(one => one.name)]"
TABBED = """() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
  .filter(one => one.checkVisibility() && !one.disabled && one.tabIndex >= 0).map(one => one.tabIndex)"""


def begin_to_try(page, live_server):
    page.goto(live_server.url)
    click_through(page.get_by_role("button", name="Try a round now"))


def test_a_first_visit_leads_to_a_round_that_is_played_to_its_end(page, live_server):
    page.set_viewport_size({"width": 360, "height": 700})
    begin_to_try(page, live_server)
    for _ in range(30):
        if page.locator("h1").first.inner_text() != "It’s your turn":
            break
        card = page.locator(".hand label.piece")
        if card.count():
            card.first.click()
            click_through(page.locator(".moves button.tap:visible").first)
        else:
            page.locator("summary", has_text="Fold").click()  # it costs something, so the page asks once more
            click_through(page.get_by_role("button", name="Fold"))
        expect(page.locator("main .envelope")).to_have_count(1)
    assert "won" in page.locator("h1").first.inner_text()
    assert Match.objects.get().phase == Match.Phase.ENDED
    page.get_by_role("link", name="See how it went").click()
    page.get_by_role("heading", name="All hands").wait_for()


def test_the_letter_of_a_turn_can_be_played_from(page, live_server, settings):
    settings.SITE_URL = live_server.url
    begin_to_try(page, live_server)
    page.locator("summary", has_text="See this turn’s letter").click()
    click_through(page.locator(".envelope .moves a.button, .envelope a.button").first)
    click_through(page.locator("button.big"))
    page.wait_for_url("**/try/")
    assert Match.objects.get().events.filter(origin="player").count() == 1


def test_a_match_can_be_stepped_through_with_the_arrow_keys(page, live_server):
    match = play_to_the_end(seat_friends())
    story = [line.text for line in tell_story(match, None)]
    page.goto(live_server.url + reverse("match", args=[match.code]))
    page.get_by_role("link", name="Step through the match").click()
    page.get_by_role("heading", level=1, name=story[0], exact=True).wait_for()
    for text in story[1:]:
        page.wait_for_load_state()
        page.keyboard.press("ArrowRight")
        page.get_by_role("heading", level=1, name=text, exact=True).wait_for()
    page.wait_for_load_state()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", level=1, name=story[-2], exact=True).wait_for()
    page.get_by_role("link", name="Verify this match").click()
    page.get_by_text("every move check out.").wait_for()


def test_a_signed_in_player_starts_a_match_and_plays_it(page, live_server):
    ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    page.goto(live_server.url + link("enter", SignInTicket(ann.pk, ann.visits)))
    click_through(page.locator("main form button").first)
    page.get_by_role("link", name="Start a match").click()
    page.get_by_role("navigation", name="Choose a game").get_by_role("link", name="Fagioli").click()
    page.get_by_label("Bots").fill("2")
    click_through(page.get_by_role("button", name="Open the match"))
    page.get_by_role("link", name="My games").click()
    click_through(page.locator("#asked + ul a.button").first)
    click_through(page.locator(".moves button:visible").first)
    assert page.get_by_role("heading", level=1).inner_text().startswith("You play")


def test_changed_letter_settings_take_effect_at_once(page, live_server):
    ann = accounts.get_or_create_player("ann@example.org", name="Ann", now=NOON)
    page.goto(live_server.url + link("enter", SignInTicket(ann.pk, ann.visits)))
    click_through(page.locator("main form button").first)
    page.get_by_role("link", name="Letter settings").click()
    page.get_by_label("How often we write").select_option("daily")
    page.get_by_label("Time zone").select_option("Europe/Paris")
    page.get_by_label("Language").select_option("fr")
    page.get_by_label("Plain-text letters only").check()
    click_through(page.get_by_role("button", name="Save"))
    assert page.locator("html").get_attribute("lang") == "fr"
    ann.refresh_from_db()
    assert (ann.how_often, ann.zone, ann.language, ann.text_only) == ("daily", "Europe/Paris", "fr", True)
    page.goto(live_server.url + reverse("my-games"))
    page.get_by_role("heading", level=1, name="Vos parties").wait_for()


def test_the_second_of_two_people_who_press_is_told_that_it_is_played(new_context, live_server):
    match = seat_friends()
    address = live_server.url + move_link(match, "play")
    first, second = (new_context().new_page() for _ in range(2))
    for page in (first, second):
        page.goto(address)
    for page in (first, second):
        click_through(page.locator("button.big"))
    assert first.get_by_role("heading", level=1).inner_text().startswith("You play")
    assert second.get_by_role("heading", level=1).inner_text() == "Already played"
    assert match.events.filter(origin="player").count() == 1


@pytest.mark.parametrize("slug", games.GAMES)
def test_a_table_page_is_small_stable_and_loads_nothing_from_elsewhere(slug, page, live_server):
    match = seat_friends(slug, games.get(slug).variants[0])
    for _ in range(4):
        press(match)
    responses = []
    page.on("response", lambda response: responses.append(response))
    page.goto(live_server.url + table_link(match), wait_until="networkidle")
    assert {response.url.startswith((live_server.url, "data:")) for response in responses} == {True}
    assert len(responses) <= MAX_REQUESTS
    assert sum(len(response.body()) for response in responses) < MAX_BYTES
    assert page.evaluate("document.querySelectorAll('*').length") < MAX_ELEMENTS
    assert page.evaluate(SHIFTS) < 0.1


@pytest.mark.parametrize("slug", practice.find_offered_games())
def test_a_practice_page_with_its_letter_is_small_too(slug, page, live_server):
    page.goto(live_server.url + reverse("try"))
    click_through(page.locator(f"button[value={slug}]"))
    page.wait_for_load_state("networkidle")
    loaded = set(page.evaluate(LOADED))
    assert sum(len(page.request.get(address).body()) for address in loaded) < MAX_BYTES


def test_all_scripts_together_are_small():
    folder = Path(finders.find("beanpost/site.js")).parent
    assert sum(script.stat().st_size for script in folder.glob("*.js")) < MAX_SCRIPT


@pytest.mark.parametrize("slug", games.GAMES)
def test_a_screen_reader_reads_the_turn_the_hand_the_moves_the_table_and_the_log_in_order(slug, page, live_server):
    match = seat_friends(slug, games.get(slug).variants[0])
    page.goto(live_server.url + table_link(match))
    headings = page.evaluate(HEADINGS)
    assert headings[0].startswith("Your turn")
    positions = [next(n for n, text in enumerate(headings) if text.startswith(part)) for part in ORDER]
    assert positions == sorted(positions)
    assert page.locator("h1").count() == 1
    assert set(page.evaluate(TABBED)) == {0}  # the tab order follows the page


@pytest.mark.parametrize("slug", ["haricots", "pas_de_haricots"])
def test_a_card_that_can_be_tapped_is_read_once(page, live_server, slug):
    match = seat_friends(slug, games.get(slug).variants[0], seats=3)
    press(match)
    page.goto(live_server.url + table_link(match))
    read = page.locator(".own .hand").first.aria_snapshot().splitlines()
    assert read
    assert all(line.startswith("- radio ") for line in read)


def test_the_sample_letter_is_seen_and_cannot_be_pressed(page, live_server):
    page.goto(live_server.url)
    frame = page.frame_locator(".sample iframe")
    expect(frame.get_by_role("heading", name="Your turn, Ann", include_hidden=True)).to_be_visible()
    colour = frame.locator("a.button, .button a").first.evaluate("one => getComputedStyle(one).textDecorationLine")
    assert colour == "none"  # its own style is allowed
    assert page.get_by_role("img", name="A letter").count() == 1


def test_a_note_between_moves_reaches_the_others(page, live_server):
    match = seat_friends("haricots", "basic")
    press(match, "play")
    place = match.places.select_related("player").exclude(seat=asked(match).reader)[0]
    page.goto(live_server.url + link("enter", SignInTicket(place.player.pk, place.player.visits)))
    click_through(page.locator("main form button").first)
    page.goto(live_server.url + reverse("match", args=[match.code]))
    page.get_by_text("Write a note to the table").click()
    page.get_by_label("Message to the table").fill("Good evening, beans.")
    click_through(page.get_by_role("button", name="Send the note"))
    page.get_by_text("You wrote: “Good evening, beans.”").wait_for()
