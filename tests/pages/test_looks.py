"""Tables in a real browser: hand and moves stay in view, a tap selects moves, and everything works by keyboard
and without scripts."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from beanpost.players.models import Player
from tests.browser import click_through, wait_until
from tests.friends import seat_friends
from tests.pages.table import move_link, press, table_link
from tests.pages.test_every_page import SCREEN

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.pages.demo_urls"),
    pytest.mark.usefixtures("demo"),
]


def test_hand_and_moves_stay_in_view_beside_a_long_table(page, live_server):
    match = seat_friends("bohnanza", "standard")
    page.set_viewport_size({"width": 1280, "height": SCREEN})
    page.goto(live_server.url + table_link(match))
    assert page.locator(".own").bounding_box()["x"] > page.locator(".public").bounding_box()["x"] + 600
    page.mouse.wheel(0, 5000)
    wait_until(page, "() => scrollY > 0")
    for what in (".own .hand .card", ".own .moves button"):
        assert 0 <= page.locator(what).first.bounding_box()["y"] < SCREEN


def test_a_phone_shows_question_hand_moves_table_and_story_in_this_order(page, live_server):
    match = seat_friends()
    press(match)
    page.set_viewport_size({"width": 390, "height": SCREEN})
    page.goto(live_server.url + table_link(match))
    tops = [page.locator(what).first.bounding_box()["y"] for what in (".lead", ".hand", ".moves", ".table", ".story")]
    assert tops == sorted(tops)


def test_the_deadline_stays_in_view_among_twenty_cards_and_covers_no_button_with_the_focus(page, live_server):
    match = seat_friends("pas_de_haricots", "one")
    page.set_viewport_size({"width": 320, "height": SCREEN})
    Player.objects.update(language="fr")
    page.goto(live_server.url + table_link(match))
    for button in page.locator(".moves button:not([type=reset])").all():
        button.focus()
        chosen, deadline = button.bounding_box(), page.get_by_text("Vous avez jusqu’au").bounding_box()
        assert chosen["y"] + chosen["height"] <= deadline["y"]
        assert deadline["y"] + deadline["height"] <= SCREEN
    assert deadline["height"] < SCREEN / 10
    page.emulate_media(media="print")
    assert page.get_by_text("Vous avez jusqu’au").evaluate("line => getComputedStyle(line).position") == "static"


def test_a_move_can_be_made_with_the_keyboard_alone(page, live_server):
    match = seat_friends()
    page.goto(live_server.url + move_link(match, "play"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "big":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="You play").wait_for()
    assert match.events.count() == 3


def test_a_table_is_a_tab_stop_only_when_too_wide_and_scrolls_by_keyboard(page, live_server):
    match = seat_friends("haricot_magique", "base", seats=4)
    page.goto(live_server.url + reverse("moment", args=[match.code, 1]))
    table = page.locator("main .sideways")
    expect(table).not_to_have_attribute("tabindex", "0")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    expect(table).to_have_attribute("tabindex", "0")
    table.focus()
    page.keyboard.press("ArrowRight")
    wait_until(page, "() => document.querySelector('main .sideways').scrollLeft > 0")
    assert page.url.endswith("/1/")


def test_enter_in_a_note_never_plays_a_move(page, live_server):
    match = seat_friends()
    from_letter = move_link(match, "play")
    page.goto(live_server.url + from_letter)
    click_through(page.get_by_role("link", name="See all moves"))
    page.get_by_text("Add a note to the table").click()
    page.get_by_label("Message to the table").press("Enter")
    assert match.events.count() == 2


def test_tapping_a_card_selects_its_moves_and_a_second_tap_deselects_it(page, live_server):
    match = seat_friends("fagioli", "standard")
    page.goto(live_server.url + table_link(match))
    moves = page.locator(".moves .tap:visible")
    offered = moves.count()
    page.locator(".hand .piece").first.click()
    assert 0 < moves.count() < offered
    page.locator(".middle .piece").first.click()
    assert all("left" in moves.nth(n).get_attribute("value") for n in range(moves.count()))
    page.locator(".middle .piece").first.click()
    page.locator(".hand .piece").first.click()
    assert moves.count() == offered


def test_tapping_a_bean_and_a_field_plants_it_there(page, live_server):
    page.set_viewport_size({"width": 360, "height": 640})
    match = seat_friends("bohnanza", "standard")
    page.goto(live_server.url + table_link(match))
    assert page.locator(".hand label.piece").count() == 1  # only the front card can be planted
    page.locator(".hand label.piece").click()
    page.locator(".plots label.piece").click()  # the empty fields are equal, so only the first is offered
    chosen = page.locator(".moves .tap:visible")
    assert chosen.count() == 1
    assert chosen.bounding_box()["y"] < 640  # in sight, wherever the card is
    chosen.click()
    page.get_by_role("heading", name="You plant").wait_for()
    assert match.events.last().line.endswith("in 1")


def test_everything_works_without_scripts(new_context, live_server):
    match = seat_friends()
    page = new_context(java_script_enabled=False).new_page()
    page.goto(live_server.url + table_link(match))
    page.locator(".hand .piece").last.click()
    chosen = page.locator(".moves .tap:visible")
    assert chosen.count() < page.locator(".moves .tap").count()
    page.get_by_role("button", name="Show all moves").click()
    assert chosen.count() == page.locator(".moves .tap").count()
    page.locator(".hand .piece").last.click()
    click_through(chosen.first)
    page.get_by_role("heading", name="You play").wait_for()
    assert match.events.count() == 3
    click_through(page.get_by_role("link", name="All mailboxes"))


def test_an_open_match_page_shows_a_move(page, live_server):
    match = seat_friends()
    page.clock.install()
    page.goto(live_server.url + reverse("match", args=[match.code]))
    lines = page.locator(".story li").count()
    press(match, "play")
    page.clock.run_for(15_000)
    page.get_by_text("updated just now").wait_for()
    assert page.locator(".story li").count() > lines
