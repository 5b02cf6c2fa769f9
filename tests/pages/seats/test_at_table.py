"""An open page: which browser may see a seat, how it notices a move, and what being there does to letters."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import expect

from beanpost.pages import sessions
from beanpost.play import clock, moves
from beanpost.play.display import scene
from beanpost.play.models import Event, Place
from beanpost.play.seats import own_seat
from beanpost.play.tickets import MoveTicket, redeem
from beanpost.play.turns import house_lines
from beanpost.players import accounts
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from tests.browser import Browser, click_through
from tests.friends import NOON, seat_friends
from tests.pages.table import asked, move_link, press, table_link
from tests.site.doors import signed_in

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def match():
    return seat_friends("haricots", "basic")


@pytest.fixture
def mover(match):
    """A browser that has pressed a move, and the seat it holds since."""
    browser, seat = Browser(), asked(match).reader
    browser.post(move_link(match, "play"))
    match.refresh_from_db()
    return browser, match.places.get(seat=seat)


def page(browser, match) -> str:
    return browser.get(reverse("match", args=[match.code])).content.decode()


def play_round(match, seat):
    """Let the others play until this seat is asked again."""
    while asked(match).reader != seat:
        press(match)


def test_a_press_lets_the_browser_see_the_seats_next_question(match, mover):
    browser, place = mover
    assert "Your hand" in page(browser, match)
    assert "Not your turn yet" in page(browser, match)
    play_round(match, place.seat)
    assert "Your turn" in page(browser, match)
    assert "no-store" in browser.get(reverse("match", args=[match.code])).headers["Cache-Control"]


def test_opening_a_link_gives_no_seat(match):
    browser = Browser()
    browser.get(move_link(match, "play"))
    browser.get(table_link(match))
    assert not any(name.startswith(sessions.COOKIE_PREFIX) for name in browser.cookies)
    assert "Your hand" not in page(browser, match)


def test_a_signed_in_player_sees_their_seat_without_a_cookie(match):
    place = match.places.select_related("player").get(seat=1)
    assert "Your hand" in page(signed_in(place.player), match)


def test_the_cookie_lasts_twelve_hours_and_scripts_cannot_read_it(match, mover):
    browser, _place = mover
    cookie = browser.cookies[sessions.COOKIE_PREFIX + match.code]
    assert (cookie["max-age"], bool(cookie["httponly"]), cookie["samesite"]) == (12 * 60 * 60, True, "Lax")


def test_an_old_cookie_shows_nothing(match, mover):
    browser, _place = mover
    with time_machine.travel(clock.now() + timedelta(hours=13)):
        assert "Your hand" not in page(browser, match)


def test_renewing_the_links_voids_the_cookie(match, mover):
    browser, place = mover
    own_seat.renew_links(place)
    assert "Your hand" not in page(browser, match)


def test_signing_out_everywhere_voids_the_cookie(match, mover):
    browser, place = mover
    accounts.sign_out_everywhere(place.player)
    assert "Your hand" not in page(browser, match)


def test_signing_out_takes_the_seats_from_this_browser(match, mover):
    browser, _place = mover
    browser.post(reverse("sign-out"))
    assert "Your hand" not in page(browser, match)


def test_a_cookie_opens_no_other_match(match, mover):
    browser, _place = mover
    other = seat_friends("haricots", "advanced")
    browser.cookies[sessions.COOKIE_PREFIX + other.code] = browser.cookies[sessions.COOKIE_PREFIX + match.code].value
    assert "Your hand" not in page(browser, other)


def test_a_browser_keeps_the_latest_seats_only(match, monkeypatch):
    """A cookie header above 8 KB is refused by proxies: then the player could open no page at all."""
    monkeypatch.setattr(sessions, "MAX_SEATS", 2)
    browser = Browser()
    for nth in range(3):
        browser.cookies[f"{sessions.COOKIE_PREFIX}older{nth}"] = "x"
    browser.post(move_link(match, "play"))
    kept = [
        name for name, cookie in browser.cookies.items() if name.startswith(sessions.COOKIE_PREFIX) and cookie.value
    ]
    assert kept == [f"{sessions.COOKIE_PREFIX}older2", sessions.COOKIE_PREFIX + match.code]


def test_all_cookies_of_a_browser_fit_into_a_header_that_proxies_take(match, mover):
    browser, _place = mover
    cookie = f"{sessions.COOKIE_PREFIX}{match.code}={browser.cookies[sessions.COOKIE_PREFIX + match.code].value}; "
    assert sessions.MAX_SEATS * (len(cookie) + 20) < 6_000  # the numbers in it may have more digits


# ── pulse ──


def test_pulse_is_conditional_and_the_same_for_everybody(match, mover, django_assert_num_queries):
    browser, _place = mover
    path = reverse("pulse", args=[match.code])
    with django_assert_num_queries(1):
        mine = browser.get(path)
    theirs = Client().get(path)
    assert mine.content == theirs.content == f"{match.length}\n".encode()
    assert mine.headers["ETag"] == theirs.headers["ETag"]
    assert Client().get(path, headers={"If-None-Match": mine.headers["ETag"]}).status_code == 304
    press(match)
    assert Client().get(path, headers={"If-None-Match": mine.headers["ETag"]}).status_code == 200


# ── being there ──


def test_being_there_is_stored_at_most_once_a_minute(match, mover, monkeypatch):
    browser, place = mover
    for seconds, stored in ((0, 0), (30, 0), (61, 61)):
        monkeypatch.setattr(clock, "now", lambda seconds=seconds: NOON + timedelta(seconds=seconds))
        assert browser.post(reverse("here", args=[match.code])).status_code == 204
        place.refresh_from_db()
        assert place.here_at == NOON + timedelta(seconds=stored)


def test_being_at_a_page_needs_a_seat_and_a_csrf_token(match, mover):
    browser, _place = mover
    Client().post(reverse("here", args=[match.code]))
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    assert strict.post(reverse("here", args=[match.code])).status_code == 403
    assert not Place.objects.exclude(here_at=None).exists()


def next_letter(match, place, *, seen):
    """Play until this seat is asked, with or without its player at the page; return the letter and the time."""
    Letter.objects.all().delete()
    Place.objects.filter(pk=place.pk).update(here_at=seen)
    play_round(match, place.seat)
    return Letter.objects.get(recipient=place.player, kind="turn")


def test_a_letter_to_a_player_at_the_page_waits_two_minutes(match, mover):
    letter = next_letter(match, mover[1], seen=NOON - MINUTE)
    assert (letter.state, letter.due_at) == (Letter.State.QUEUED, NOON + 2 * MINUTE)


@pytest.mark.parametrize("seen", [None, NOON - 2 * MINUTE])
def test_letters_to_other_players_go_at_once(match, mover, seen):
    assert next_letter(match, mover[1], seen=seen).due_at == NOON


def times_of_next_question(seen):
    match = seat_friends("haricots", "basic")
    place = match.places.select_related("player").get(seat=asked(match).reader)
    press(match, "play")
    next_letter(match, place, seen=seen)
    wait = match.waits.get(seat=place.seat)
    return wait.asked_at, wait.due_at, wait.remind_at


def test_deadline_and_reminder_do_not_wait():
    assert times_of_next_question(seen=None) == times_of_next_question(seen=NOON)


def test_a_held_letter_is_dropped_once_they_have_answered_and_sent_otherwise(match, mover):
    place = mover[1]
    letter = next_letter(match, place, seen=NOON)
    sending.deliver(lambda: NOON + MINUTE)
    letter.refresh_from_db()
    assert letter.state == Letter.State.QUEUED
    sending.deliver(lambda: NOON + 2 * MINUTE)  # even if a tab is still open
    letter.refresh_from_db()
    assert letter.state == Letter.State.SENT
    shown = scene.build_scene(match, place.seat)
    moves.play_ticket(redeem(MoveTicket, shown.question.options[0].ticket), shown.question.options[0].line, now=NOON)
    match.refresh_from_db()
    letter = next_letter(match, place, seen=NOON)
    press(match)
    sending.deliver(lambda: NOON + 3 * MINUTE)
    letter.refresh_from_db()
    assert letter.state == Letter.State.DROPPED


# ── in a browser ──


def at_the_next_turn(page, site, variant):
    """Play a move in this browser, and wait until the open page shows the same seat's next turn."""
    match = seat_friends("haricots", variant)
    seat = asked(match).reader
    page.clock.install()
    page.goto(site + move_link(match, "play"))
    click_through(page.locator("button.big"))
    page.wait_for_url("**/played/**")
    match.refresh_from_db()
    play_round(match, seat)
    page.clock.run_for(11_000)
    page.get_by_role("heading", level=1, name="Your turn").wait_for()
    return match, seat


def remind(match, seat):
    with transaction.atomic():
        place = match.places.select_related("player").get(seat=seat)
        house_lines.remind(match, match.waits.get(seat=seat), place, Event.Origin.ORGANISER, NOON)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_an_open_page_shows_the_seats_next_turn_and_keeps_what_is_composed(page, live_server):
    match, seat = at_the_next_turn(page, live_server.url, "basic")
    expect(page).to_have_title(re.compile("^Your turn"))
    page.get_by_text("Add a note to the table").click()
    page.get_by_label("Message to the table").fill("I am writing")
    lines = page.locator(".story li").count()
    remind(match, seat)
    page.clock.run_for(11_000)
    expect(page.locator(".story li")).to_have_count(lines + 1)
    assert page.get_by_label("Message to the table").input_value() == "I am writing"


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_nothing_moves_under_the_finger_of_a_player_who_confirms_a_costly_move(page, live_server):
    match, seat = at_the_next_turn(page, live_server.url, "advanced")
    sure = page.locator("details.sure").first
    sure.locator("summary").click()
    lines = page.locator(".story li").count()
    remind(match, seat)
    page.clock.run_for(11_000)
    expect(page.locator(".story li")).to_have_count(lines + 1)
    expect(sure).to_have_attribute("open", "")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_hidden_tab_asks_for_nothing(page, live_server):
    match = seat_friends("haricots", "basic")
    page.clock.install()
    page.goto(live_server.url + reverse("match", args=[match.code]))
    page.wait_for_load_state("networkidle")
    page.evaluate("() => Object.defineProperty(document, 'hidden', {value: true})")
    urls = []
    page.on("request", lambda request: urls.append(request.url))
    page.clock.run_for(60_000)
    assert urls == []


# ── what next ──


def test_after_a_move_the_next_waiting_table_is_linked_for_a_signed_in_player(match):
    other = seat_friends("haricots", "advanced")
    place = match.places.select_related("player").get(seat=asked(match).reader)
    while asked(other).place.player != place.player:
        press(other)
    browser = Browser()
    session = browser.session
    session[sessions.VISIT_KEY] = [place.player.pk, place.player.sessions]
    session.save()
    shown = browser.post(move_link(match, "play")).content.decode()
    assert "Next: Haricots with" in shown
    assert reverse("match", args=[other.code]) in shown


def test_many_waiting_tables_cost_no_more_queries_than_one(match):
    place = match.places.select_related("player").get(seat=asked(match).reader)
    browser = Browser()
    session = browser.session
    session[sessions.VISIT_KEY] = [place.player.pk, place.player.sessions]
    session.save()
    result = browser.post(move_link(match, "play")).wsgi_request.path
    costs = []
    for tables in (1, 3):
        for _ in range(tables):
            other = seat_friends("haricots", "advanced")
            while asked(other).place.player != place.player:
                press(other)
        with CaptureQueriesContext(connection) as queries:
            assert "Next: Haricots with" in browser.get(result).content.decode()
        costs.append(len(queries))
    assert costs[0] == costs[1]


def test_after_the_last_move_no_other_table_is_linked(mover, match):
    browser, place = mover
    played = browser.get(reverse("match", args=[match.code]))
    assert played.status_code == 200
    play_round(match, place.seat)
    shown = browser.post(move_link(match, "play")).content.decode()
    assert "That’s all for now" in shown


def test_a_browser_learns_of_no_table_that_it_may_not_see(match):
    other = seat_friends("haricots", "advanced")
    place = match.places.select_related("player").get(seat=asked(match).reader)
    while asked(other).place.player != place.player:
        press(other)
    shown = Browser().post(move_link(match, "play")).content.decode()
    assert "Next:" not in shown
    assert "That’s all for now" not in shown
