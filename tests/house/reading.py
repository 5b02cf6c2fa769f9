"""Somebody who reads their letters in a browser and presses what is in them, and nothing else."""

from __future__ import annotations

from datetime import timedelta

from playwright.sync_api import Locator, Page

from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.post.gallery import deliver

HELD_BACK = timedelta(hours=1)  # letters that wait for more news have gone by then


def newest(match: Match, kind: str, seat: int | None = None) -> Letter:
    """The last letter of a kind that was sent, to a seat or to whomever the table waits for."""
    deliver(max(NOON, clock.now()) + HELD_BACK)
    wanted = match.waits.get().seat if seat is None else seat
    reader = match.places.get(seat=wanted).player
    return Letter.objects.filter(match=match, kind=kind, recipient=reader, state=Letter.State.SENT).latest("pk")


def open_letter(page: Page, letter: Letter) -> Page:
    """A letter as a mail program shows it."""
    if page.url != "about:blank":  # from blank to blank Chromium now and then never arrives
        page.goto("about:blank")
    page.set_content(letter.html)
    return page


def follow(page: Page, link: Locator) -> Page:
    """Press a link in a letter: it opens beside it."""
    with page.expect_popup() as opened:
        link.click()
    opened.value.wait_for_load_state()
    return opened.value
