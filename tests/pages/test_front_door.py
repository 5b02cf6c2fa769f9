"""Visits that start on the front page, in a real browser."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from playwright.sync_api import expect

import games
from beanpost.play.display.story import tell_story
from beanpost.play.models import Match
from beanpost.play.tickets import SignInTicket
from beanpost.players import accounts
from tests.browser import click_through
from tests.friends import NOON, seat_friends
from tests.pages.table import link, play_to_the_end, press, table_link

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAX_SCRIPT = 30_000  # bytes


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
    for key, line in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.wait_for_load_state()
        page.keyboard.press(key)
        page.get_by_role("heading", level=1, name=story[line], exact=True).wait_for()
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


def test_all_scripts_together_are_small():
    folder = Path(finders.find("beanpost/site.js")).parent
    assert sum(script.stat().st_size for script in folder.glob("*.js")) < MAX_SCRIPT


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
