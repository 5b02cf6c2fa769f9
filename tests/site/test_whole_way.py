"""End to end, once per way in: from a click to a letter to a click, in a real browser, through a server of its own."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.browser import click_through

pytestmark = [pytest.mark.browser, pytest.mark.own_process]
ROOT = Path(__file__).parents[2]
BASE_ENV = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
ATTEMPTS = 300  # how often to look again for a letter that is on its way


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def site(migrated_database, tmp_path_factory):
    """The server that `make run` starts."""
    port, folder = free_port(), tmp_path_factory.mktemp("var")
    (folder / "beanpost.sqlite3").write_bytes(migrated_database)
    environment = BASE_ENV | {"BEANPOST_DEMO": "1", "BEANPOST_VAR": str(folder), "PORT": str(port)}
    words = [sys.executable, str(ROOT / "manage.py"), "serve"]
    server = subprocess.Popen(
        words, env=environment, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert server.stdout
    assert any("Ctrl-C" in line for line in server.stdout)
    yield f"http://127.0.0.1:{port}"
    server.kill()
    server.communicate()


@pytest.fixture(autouse=True)
def no_console_errors(page):
    """Fail when the browser refuses to load or run anything."""
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield
    assert complaints == []


# ── actions ──


def press(page, name: str) -> None:
    """Find a button or a link by its text."""
    click_through(page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first)


def fill(page, **fields: str) -> None:
    for label, typed in fields.items():
        page.get_by_label(label.replace("_", " ")).first.fill(typed)


def heading(page) -> str:
    return str(page.get_by_role("heading", level=1).first.inner_text())


def open_letter(page, site: str, name: str, kind: str, about: str = "") -> None:
    """Wait for a player's newest letter of a kind and open it."""
    for _ in range(ATTEMPTS):
        page.goto(f"{site}/letters/{name.lower()}/")
        letters = page.locator(".mail li").filter(has_text=kind).filter(has_text=about)
        if letters.count():
            click_through(letters.first.get_by_role("link"))
            return
        page.wait_for_timeout(300)
    raise AssertionError(f"{name} got no letter of this kind: {kind}")


def whose_turn(page, site: str, names: str = "Ann|Bob|Cleo") -> str:
    """Return one of these players for whom a table waits and who has the letter."""
    for _ in range(ATTEMPTS):
        page.goto(f"{site}/letters/")
        boxes = page.locator(".boxes a").filter(has_text=re.compile(f"({names})\\s+has a move to make"))
        if boxes.count():
            return str(boxes.first.locator("strong").inner_text())
        page.wait_for_timeout(300)
    raise AssertionError(f"no table waits for {names}")


def open_turn(page) -> bool:
    """Open the Haricots letter that waits for an answer from a mailbox, if there is one."""
    letters = page.locator(".mail .open").filter(has_text=re.compile(r"^\s*Your turn\s+Haricots with"))
    if not letters.count():
        return False
    click_through(letters.first.get_by_role("link"))
    return True


# ── ways in ──


def test_a_newcomer_plays_a_whole_sprint_from_three_mailboxes(page, site):
    page.goto(site)
    press(page, "Open Ann’s letters")
    for turn in range(40):
        find_whose_turn_it_is(page)
        letter = page.locator(".envelope")
        fold = letter.get_by_role("link", name="Fold")
        # A few real moves, then everyone resigns: the steps are the same for each player.
        click_through(fold if turn > 5 and fold.count() else letter.locator(".moves a.button, p.moves .button").first)
        click_through(page.locator("button.big"))
        assert heading(page).startswith("You ")
        if page.get_by_text("Everyone gets a letter with the result.").count():
            break
        click_through(page.get_by_role("link", name=re.compile(r"Open \w+’s letters")).first)
    click_through(page.get_by_role("link", name="See how it went"))
    expect(page.get_by_role("link", name="Verify this match")).to_be_visible()
    export = json.load(urlopen(page.url + "beanpost.json", timeout=60))
    assert export["ended"] == "finished"
    open_letter(page, site, "ann", "Result", "Haricots")
    click_through(page.locator(".envelope").get_by_role("link", name="Play again with the same players"))
    press(page, "Invite them")
    assert heading(page) == "Your seat is reserved"


def find_whose_turn_it_is(page) -> None:
    """Do as anyone would: look again if a letter is on its way, or open the mailbox that has a move to make."""
    for _ in range(ATTEMPTS):
        if open_turn(page):
            return
        boxes = page.locator(".boxes a").filter(has_text="has a move to make")
        for box in [boxes.nth(n).get_attribute("href") for n in range(boxes.count())]:
            page.goto(re.sub(r"(https?://[^/]+).*", r"\1", page.url) + str(box))
            if open_turn(page):
                return
        page.wait_for_timeout(300)
        page.reload()
    raise AssertionError("nobody has a move to make")


def choose_game(page, title: str, variant: str) -> None:
    choice = page.get_by_role("navigation", name="Choose a game")
    click_through(choice.get_by_role("link", name=re.compile(f"^{title} ")))
    page.get_by_label("Variant").select_option(variant)


def test_a_match_opened_by_mail_starts_when_all_invited_friends_are_ready(page, site):
    page.goto(site)
    choose_game(page, "Haricots", "haricots/sprint")
    fill(page, Invite="vito@example.org\nwim@example.org", Your_name="Una")
    page.locator("#start").get_by_label("Your email address").fill("una@example.org")
    press(page, "Send me the letter")
    assert heading(page) == "Check your email"
    open_letter(page, site, "una", "Open a match")
    click_through(page.locator(".envelope").get_by_role("link", name="Open the match"))
    press(page, "Open the match")
    assert heading(page) == "Your seat is reserved"
    for name in ("vito", "wim"):
        open_letter(page, site, name, "Invitation")
        click_through(page.locator(".envelope").get_by_role("link", name="Answer the invitation"))
        assert heading(page) == "Una invites you to play Haricots"
        fill(page, Your_name=name.title(), Your_word_for_the_shuffle="pinto")
        press(page, "I’m ready")
    assert heading(page) == "The match has started"
    name = whose_turn(page, site, "Una|Vito|Wim")
    open_letter(page, site, name, "Your turn")
    click_through(page.locator(".envelope").get_by_role("link", name=re.compile("on (a|the) page")).last)
    assert heading(page) == f"Your turn, {name}"
    page.get_by_text("Add a note to the table").click()
    page.get_by_label("Message to the table").fill("Good morning, beans.")
    click_through(page.locator(".moves button").first)
    assert heading(page).startswith("You ")
    waits = re.search(r"We’re now waiting for (\w+)\.", page.locator(".lead").inner_text())
    assert waits
    open_letter(page, site, waits[1], "Your turn")
    expect(page.locator(".envelope").get_by_text("Good morning, beans.").first).to_be_visible()


def test_a_declined_seat_is_free_for_another_player(page, site):
    page.goto(site)
    choose_game(page, "Haricots", "haricots/basic")
    fill(page, Invite="hal@example.org\nida@example.org", Your_name="Gus")
    page.locator("#start").get_by_label("Your email address").fill("gus@example.org")
    press(page, "Send me the letter")
    open_letter(page, site, "gus", "Open a match")
    click_through(page.locator(".envelope").get_by_role("link", name="Open the match"))
    press(page, "Open the match")
    open_letter(page, site, "hal", "Invitation")
    click_through(page.locator(".envelope").get_by_role("link", name="Answer the invitation"))
    press(page, "No, thank you")
    assert heading(page) == "Thanks for letting us know"
    open_letter(page, site, "gus", "A player declined")
    click_through(page.locator(".envelope").locator("a.button").first)
    assert heading(page) == "Your Haricots table"
    page.get_by_label("Their email address").fill("jo@example.org")
    press(page, "Invite")
    assert page.get_by_role("status").inner_text() == "The invitation is on its way."
    open_letter(page, site, "jo", "Invitation")


def test_a_visitor_joins_an_open_table(page, site):
    page.goto(site)
    choose_game(page, "Haricots", "haricots/advanced")
    page.get_by_label("Anyone can take a free seat").check()
    fill(page, Your_name="Kim")
    page.locator("#start").get_by_label("Your email address").fill("kim@example.org")
    press(page, "Send me the letter")
    open_letter(page, site, "kim", "Open a match")
    click_through(page.locator(".envelope").get_by_role("link", name="Open the match"))
    press(page, "Open the match")
    page.goto(site)
    click_through(page.locator("#tables").get_by_role("link", name="Haricots (advanced)"))
    fill(page, Your_name="Lou", Your_email_address="lou@example.org")
    press(page, "Send me the letter")
    open_letter(page, site, "lou", "Join a table")
    click_through(page.locator(".envelope").get_by_role("link", name="Take the seat"))
    press(page, "Take the seat")
    assert heading(page) == "Your seat is reserved"
    expect(page.get_by_text("Lou is ready.").first).to_be_visible()


def test_a_find_my_games_letter_lists_everything_that_waits(page, site):
    name = whose_turn(page, site)
    page.goto(site)
    page.locator("#lost").get_by_label("Your email address").fill(f"{name.lower()}@example.org")
    press(page, "Send it")
    assert heading(page) == "Check your email"
    open_letter(page, site, name, "Waiting for you")
    click_through(page.locator(".envelope").locator("a[href*='/move/']").first)
    expect(page.locator("form button").first).to_be_visible()


def test_a_forwarded_letters_links_stop_working_after_a_renewal(page, site):
    name = whose_turn(page, site)
    open_letter(page, site, name, "Your turn", "needs an answer")
    forwarded = page.url
    click_through(page.locator(".envelope").get_by_role("link", name="I forwarded this by mistake"))
    press(page, "Cancel all older links")
    assert heading(page) == "All older links are now invalid"
    page.goto(forwarded)
    old = page.locator(".envelope a[href*='/move/']").first.get_attribute("href")
    assert page.request.get(old).status == 410
    for _ in range(ATTEMPTS):
        open_letter(page, site, name, "Your turn", "needs an answer")
        if page.url != forwarded:
            break
    fresh = page.locator(".envelope a[href*='/move/']").first.get_attribute("href")
    assert page.request.get(fresh).status == 200


def test_a_player_changes_name_language_and_address_by_letter(page, site):
    open_letter(page, site, "bob", "Your turn")
    click_through(page.locator(".envelope").get_by_role("link", name="Letter settings"))
    click_through(page.get_by_role("link", name="Name, address and calendar"))
    press(page, "Send me the link")
    open_letter(page, site, "bob", "Your details")
    click_through(page.locator(".envelope").locator("a.button").first)
    assert heading(page) == "Your details"
    page.get_by_label("Time zone").select_option("Europe/Paris")
    press(page, "Save")
    assert "Saved." in page.get_by_role("status").inner_text()
    page.get_by_label("Your new email address").fill("bob@beans.example")
    press(page, "Send the link")
    open_letter(page, site, "bob", "Your new address")
    expect(page.get_by_text("To bob@beans.example").first).to_be_visible()
    click_through(page.locator(".envelope").locator("a.button").first)
    press(page, "Yes, use that address")
    assert heading(page) == "Your address has changed"
    open_letter(page, site, "bob", "Your address has changed")
    expect(page.get_by_text("To bob@example.org").first).to_be_visible()
