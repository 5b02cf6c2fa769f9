"""A Bohnanza market of four players in a browser, from their letters and the pages they link to."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from beanpost.play.display import scene
from beanpost.play.models import Match
from beanpost.post import preferences
from tests.browser import click_through
from tests.friends import seat_friends
from tests.site.reading import follow, newest, open_letter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ANN, BOB, CLEO, DORA = range(4)


@pytest.fixture
def match(live_server, settings, monkeypatch):
    """Dora starts. Ann holds chili wax red stink eye, Cleo soy wax green chili stink.

    The whole market fits into the first hour: letters need not be an hour apart.
    """
    monkeypatch.setattr(preferences, "BETWEEN_LETTERS", timedelta())
    settings.SITE_URL = live_server.url
    return seat_friends("bohnanza", "standard", seats=4)


def read(page: Page, match: Match, seat: int) -> Page:
    return open_letter(page, newest(match, "turn", seat))


def press(letter: Page, label: str) -> Page:
    """Follow a link in a letter and press the button on its page."""
    # A letter shows what a move is about on a second line, without the colon.
    words = re.compile("^" + r"[:,]?\s*".join(map(re.escape, re.split("[:,]? ", label))) + "$")
    shown = follow(letter, letter.get_by_role("link", name=words))
    click_through(shown.get_by_role("button", name=label, exact=True))
    return shown


def offer(form: Locator, *, gives: str, wants: str = "", to: str, note: str = "") -> None:
    form.locator("xpath=ancestor::details").evaluate("folded => { folded.open = true }")
    form.get_by_label(gives).check()
    if wants:
        form.locator(".counts label", has_text=wants).click()
        expect(form.get_by_label(wants, exact=True)).to_have_value("1")
    for box in form.locator("input[name=to]:checked").all():
        box.uncheck()
    form.get_by_label(to).check()
    form.get_by_label("Add a message").fill(note)
    click_through(form.get_by_role("button", name="Make this offer"))


def test_a_tap_on_a_wanted_card_adds_one_and_the_fourth_clears_it(page, match):
    table = press(read(page, match, DORA), "Plant a garden bean in field 1")
    click_through(table.get_by_role("button", name="Plant a cocoa bean in field 2"))
    table.get_by_text("Make an offer").click()
    card, count = table.locator(".counts label", has_text="Red"), table.get_by_label("Red", exact=True)
    for expected in ("1", "2", "3", "", "1"):
        card.click()
        expect(count).to_have_value(expected)


def test_four_players_hold_a_market_from_their_letters(page, match):
    # Dora plants twice and makes two offers, all in one sitting.
    table = press(read(page, match, DORA), "Plant a garden bean in field 1")
    click_through(table.get_by_role("button", name="Plant a cocoa bean in field 2"))
    form = table.locator("#offer")
    offer(form, gives="Black-eyed, face up", wants="Red", to="Ann", note="For your <b>red</b> one?")
    offer(form, gives="Green, face up", to="everyone: first to accept gets it")
    expect(table.get_by_role("heading", level=1)).to_contain_text(
        "Offer 2: you offered everyone a green bean (face up)"
    )
    table.close()

    # Ann counters with a prefilled form, and declines; the message came with the offer.
    letter = read(page, match, ANN)
    expect(letter.get_by_text("Dora added: “For your <b>red</b> one?”")).to_have_count(2)  # once beside the offer
    counter = follow(letter, letter.get_by_role("link", name="Make a counter-offer to Dora’s offer 1"))
    form = counter.locator("#offer")
    expect(form.get_by_label("Black-eyed, face up")).to_be_checked()
    form.get_by_label("Red, card 3").uncheck()
    form.get_by_label("Stink, card 4").check()
    click_through(form.get_by_role("button", name="Make this offer"))
    expect(counter.get_by_role("heading", level=1)).to_contain_text("Offer 3: you offered Dora a stink bean")
    counter.close()
    press(read(page, match, ANN), "Decline Dora’s offer 1: a black-eyed bean (face up) for a red bean").close()

    # Bob has no deal, Cleo accepts the offer to everyone.
    press(read(page, match, BOB), "No deal").close()
    press(read(page, match, CLEO), "Accept Dora’s offer 2: get a green bean (face up) for nothing").close()

    # Dora's letter came with Ann's offer; the answers since then are on its page. She reads the offers in order,
    # accepts and closes; the server plants for Ann and Cleo, and she plants at once.
    letter = read(page, match, DORA)
    lines = [line for line in letter.locator("ul.news").last.inner_text().splitlines() if line.startswith("Offer")]
    assert [line.partition(":")[0] for line in lines] == ["Offer 1", "Offer 2", "Offer 3"]
    table = press(letter, "Accept Ann’s offer 3: get a stink bean for a black-eyed bean (face up)")
    click_through(table.get_by_role("button", name="Close the market"))
    costly = table.locator("details.sure", has_text="plant a stink bean in field 1").first
    costly.locator("summary").click()
    click_through(costly.get_by_role("button"))
    expect(table.get_by_role("heading", level=1)).to_contain_text("You planted a stink bean in field 1.")
    match.refresh_from_db()
    seats = scene.build_scene(match, None).view.seats
    assert [seats[seat].fields[0].bean for seat in (ANN, CLEO, DORA)] == ["eye", "green", "stink"]
    assert scene.build_scene(match, None).view.active == ANN
