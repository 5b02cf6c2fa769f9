"""A player who reads letters in a browser and presses only the links in them."""

from __future__ import annotations

from datetime import timedelta

from playwright.sync_api import Locator, Page

from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.post.gallery import deliver

HELD_BACK = timedelta(hours=1)  # by then every letter that was held back for more news has been sent


def newest(match: Match, kind: str, seat: int | None = None) -> Letter:
    """Return the newest letter of a kind that was sent to a seat, by default to the seat the match waits for."""
    deliver(max(NOON, clock.now()) + HELD_BACK)
    wanted = match.waits.get().seat if seat is None else seat
    reader = match.places.get(seat=wanted).player
    return Letter.objects.filter(match=match, kind=kind, recipient=reader, state=Letter.State.SENT).latest("pk")


def open_letter(page: Page, letter: Letter) -> Page:
    """Show a letter as a mail program does."""
    if page.url != "about:blank":  # Chromium sometimes hangs when it goes from blank to blank
        page.goto("about:blank")
    page.set_content(letter.html)
    return page


def follow(page: Page, link: Locator) -> Page:
    """Press a link in a letter; it opens in a new tab."""
    with page.expect_popup() as opened:
        link.click()
    opened.value.wait_for_load_state()
    return opened.value
