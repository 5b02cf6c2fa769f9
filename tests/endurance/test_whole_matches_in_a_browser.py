"""A whole match of every game in a real browser on a phone: a guest against bots, and friends from their letters.
BROWSER_GAMES sets how many of the games; CI plays one."""

import os
import random

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

import games
from beanpost.play import clock, practice
from beanpost.play.models import Match
from beanpost.post.models import Letter
from tests.browser import click_through
from tests.post.gallery import deliver
from tests.site.playing import play_to_the_end
from tests.site.reading import follow, newest, open_letter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAX_PRESSES = 400  # presses
GAMES = int(os.environ.get("BROWSER_GAMES", len(games.GAMES)))
SHORTEST = {
    "haricots": "sprint",
    "bohnanza": "standard",
    "pas_de_haricots": "one",
    "fagioli": "standard",
    "haricot_magique": "base",
}


@pytest.fixture
def phone(page):
    page.set_viewport_size({"width": 360, "height": 700})
    return page


@pytest.mark.parametrize("slug", [*practice.find_offered_games()][:GAMES])
def test_a_guest_plays_a_whole_match(slug, phone, live_server):
    chance, address = random.Random(slug), live_server.url + reverse("try")
    phone.goto(address)
    click_through(phone.get_by_role("button", name=games.get(slug).title, exact=True))
    for _ in range(MAX_PRESSES):
        if Match.objects.get().phase == Match.Phase.ENDED:
            break
        click_through(sure(phone, chance.choice(phone.locator(".moves button:visible, .moves summary:visible").all())))
        phone.goto(address)
    phone.goto(address)
    assert Match.objects.get().phase == Match.Phase.ENDED
    phone.get_by_role("link", name="See how it went").click()
    phone.get_by_role("link", name="Verify this match").click()
    expect(phone.get_by_text("every move check out.")).to_be_visible()


def sure(page: Page, chosen: Locator) -> Locator:
    """Return the button to press: a move that costs something first asks whether the player is sure."""
    if chosen.evaluate("element => element.tagName") == "BUTTON":
        return chosen
    chosen.click()
    return page.locator(".moves details[open] button").first


@pytest.mark.parametrize(("slug", "variant"), [*SHORTEST.items()][:GAMES])
def test_two_invited_friends_play_a_whole_match_from_letters(slug, variant, phone, live_server, settings):
    settings.SITE_URL = live_server.url
    match = invite_two_friends(phone, live_server.url, f"{slug}/{variant}")
    play_to_the_end(phone, match, random.Random(slug), most=MAX_PRESSES)
    for seat in range(3):
        last = open_letter(phone, newest(match, "finished", seat))
        expect(last.get_by_text("Was the deal fair?")).to_be_visible()
    table = follow(last, last.get_by_role("link", name="The table", exact=True))
    table.get_by_role("link", name="Verify this match").click()
    expect(table.get_by_text("every move check out.")).to_be_visible()


def invite_two_friends(page: Page, site: str, game: str) -> Match:
    """Ann opens a match on the front page, and Bob and Cleo join; all of it by letters."""
    slug, _ = game.split("/")
    page.goto(f"{site}/?game={slug}#start")
    start = page.locator("#start")
    if len(games.get(slug).variants) > 1:
        start.get_by_label("Variant").select_option(game)
    start.get_by_label("Invite").fill("bob@example.org\ncleo@example.org")
    start.get_by_label("Your name", exact=True).fill("Ann")
    start.get_by_label("Your email address").fill("ann@example.org")
    click_through(start.get_by_role("button", name="Send me the letter"))
    come(page, "Ann", "Open the match", "Open the match")
    for name in ("Bob", "Cleo"):
        come(page, name, "Answer the invitation", "I’m ready")
    return Match.objects.get()


def come(page: Page, name: str, link: str, button: str) -> None:
    """Follow the link in the newest letter and take the seat."""
    deliver(clock.now())
    letter = open_letter(page, Letter.objects.filter(recipient__address=f"{name.lower()}@example.org").latest("pk"))
    seat = follow(letter, letter.get_by_role("link", name=link))
    for field in seat.get_by_label("Your name", exact=True).all():
        field.fill(name)
    click_through(seat.get_by_role("button", name=button))
    seat.close()
