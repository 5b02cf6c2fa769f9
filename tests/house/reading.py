"""Somebody who reads their letters in a browser and presses what is in them, and nothing else."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from beanpost.play.models import Match
from beanpost.post.models import Letter
from tests.post.gallery import deliver


def newest(match: Match, kind: str, seat: int | None = None) -> Letter:
    """The last letter of a kind that was sent, to a seat or to whomever the table waits for."""
    deliver()
    wanted = match.waits.get().seat if seat is None else seat
    reader = match.places.get(seat=wanted).player
    return Letter.objects.filter(match=match, kind=kind, recipient=reader, state=Letter.State.SENT).latest("pk")


def open_letter(page: Page, letter: Letter) -> Page:
    """A letter as a mail program shows it."""
    page.goto("about:blank")
    page.set_content(letter.html)
    return page


def follow(page: Page, link: Locator) -> Page:
    """Press a link in a letter: it opens beside it."""
    with page.expect_popup() as opened:
        link.click()
    opened.value.wait_for_load_state()
    return opened.value
