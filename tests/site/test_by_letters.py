"""Matches played in a browser from letters alone."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from beanpost.play.display.story import tell_story
from beanpost.play.models import Match, Order
from tests.browser import click_through
from tests.friends import seat_friends
from tests.pages.table import press
from tests.site.playing import MOVES, play_to_the_end
from tests.site.reading import follow, newest, open_letter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FROM_LETTERS = 8  # after that the test continues without a browser; tests/endurance plays whole matches in one
MAX_PRESSES = 120  # presses


@pytest.fixture
def site(live_server, settings):
    """A running site that the links in letters point to."""
    settings.SITE_URL = live_server.url
    return live_server


def test_a_game_of_fagioli_is_played_to_its_end_from_letters_alone(site, page):
    match = seat_friends("fagioli", "standard", seats=2)
    for _ in range(6):
        press(match)
    assert play_to_the_end(page, match, random.Random(11), most=80) >= 3
    for seat in range(2):
        last = open_letter(page, newest(match, "finished", seat))
        expect(last.get_by_role("heading", level=1)).to_contain_text("won")
        expect(last.get_by_text("Was the deal fair?")).to_be_visible()


def test_a_round_of_pas_de_haricots_is_played_from_letters_and_orders(site, page):
    """Two of three players leave most of it to standing orders; all are asked at once and answer in any order."""
    match = seat_friends("pas_de_haricots", "one", seats=3)
    for seat in range(2):
        letter = open_letter(page, newest(match, "turn" if match.waits.filter(seat=seat) else "started", seat))
        for wish in ("take best else highest simple else S else H", "play lowest simple else S else H else D"):
            order(letter, f"{wish} in round 1")
    chance, pressed = random.Random(3), 0
    while match.phase == Match.Phase.RUNNING:
        if pressed < FROM_LETTERS:
            answer_newest_letter(page, match, chance.choice(list(match.waits.all())).seat)
            match.refresh_from_db()
        else:
            press(match)
        pressed += 1
        assert pressed < MAX_PRESSES
    by_order = sum(len(given.answered) for given in match.orders.all())
    assert by_order > pressed
    assert any("by your order" in line.text for line in tell_story(match, 0))
    assert not any("by your order" in line.text for line in tell_story(match, 2))


def answer_newest_letter(page: Page, match: Match, seat: int) -> None:
    letter = open_letter(page, newest(match, "turn", seat))
    move = follow(letter, letter.locator(MOVES).first)
    click_through(move.locator("button.big"))
    expect(move.get_by_role("heading", level=1)).to_contain_text("You ")
    move.close()


def order(letter: Page, line: str) -> None:
    """Type a standing order on the page that a letter links to."""
    orders = follow(letter, letter.locator("a[href*='/orders/']"))
    if not orders.get_by_label("Write an order").is_visible():
        orders.get_by_text("Write it instead").click()
    orders.get_by_label("Write an order").fill(line)
    click_through(orders.get_by_role("button", name="Give this order"))  # those of the built orders are folded
    expect(orders.get_by_role("heading", name="Active orders")).to_be_visible()
    assert Order.objects.filter(line=line).exists()
    orders.close()


def test_a_standing_order_is_given_from_a_letter(site, page):
    match = seat_friends("pas_de_haricots", "one", seats=4)
    letter = open_letter(page, newest(match, "turn"))
    orders = follow(letter, letter.get_by_role("link", name="Let a standing order play for you"))
    button = orders.get_by_role("button", name=re.compile("^In every turn of round 1 take the card worth most to you"))
    wish = button.inner_text()
    click_through(button)
    expect(orders.get_by_role("button", name=f"Cancel: {wish}")).to_be_visible()
    assert match.orders.get().line.startswith("take best else ")
    click_through(orders.get_by_role("button", name=f"Cancel: {wish}"))
    expect(orders.get_by_text("Ended: you cancelled it.")).to_be_visible()
