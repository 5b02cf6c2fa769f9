"""Friends who play in a browser: they open the letter that waits for them, press one of its moves, and continue
where the page asks again. Now and then a player closes the page in mid-turn and continues from the next letter.
"""

from __future__ import annotations

import random

from playwright.sync_api import Locator, Page, expect

from beanpost.play.models import Match, Wait
from beanpost.post.models import Letter
from tests.browser import click_through
from tests.site.reading import follow, newest, open_letter

# The buttons in a letter that play a line, but not with a plan: no time passes here, and planners may wait for others.
MOVES = ".answers a.button:not([href*='/plan/'])"
LEAVING, OFFERING, BRIEFLY, CHIMING_IN = 0.1, 0.2, 0.9, 0.2  # probabilities


def play_to_the_end(page: Page, match: Match, chance: random.Random, *, most: int) -> int:
    """Answer everyone's letters until the match is over; return how many letters that took."""
    opened = 0
    while match.phase == Match.Phase.RUNNING:
        for wait in match.waits.filter(due_at=None):
            has_spoken = match.events.filter(seat=wait.seat, seq__gt=wait.opened).exists()
            if has_letter(match, wait) and not has_spoken and chance.random() < CHIMING_IN:
                sit_down(page, match, wait, chance)
        if waits := list(match.waits.filter(due_at__isnull=False)):
            sit_down(page, match, chance.choice(waits), chance)
        opened += 1
        assert opened < most
        match.refresh_from_db()
    return opened


def has_letter(match: Match, wait: Wait) -> bool:
    """Return whether a player whom nobody waits for was sent a letter about a move they may make."""
    seat = match.places.get(seat=wait.seat)
    asking = match.letters.filter(recipient=seat.player, kind="turn", values__opened=wait.opened)
    return asking.filter(state=Letter.State.SENT).exists()  # others wait until an hour after the last one


def sit_down(page: Page, match: Match, wait: Wait, chance: random.Random) -> None:
    """Answer a letter, and every further question to the same seat."""
    before = match.events.count()
    table = answer(open_letter(page, newest(match, "turn", wait.seat)), chance)
    while match.waits.filter(seat=wait.seat, due_at__isnull=False).exists() and chance.random() > LEAVING:
        click_through(choose_button(table, chance))
    table.close()
    assert match.events.count() > before


def answer(letter: Page, chance: random.Random) -> Page:
    """Press a move in a letter, or choose on the page that a heading links to; return the page that follows."""
    headings = letter.locator("a[href*='#move-']").all()
    if headings and chance.random() < 0.5:
        table = follow(letter, chance.choice(headings))
        group = table.locator(table.url[table.url.index("#") :])
        expect(group).to_be_in_viewport()
        open_costly(table)
        click_through(group.get_by_role("button").first)
    else:
        table = follow(letter, chance.choice(letter.locator(MOVES).all()))
        click_through(only_button(table) or choose_button(table, chance))
    return table


def only_button(table: Page) -> Locator | None:
    """Return the button that the link leads to. If its move is no longer possible, the page lists all moves
    instead."""
    button = table.locator("button.big")
    return button if button.count() else None


def choose_button(table: Page, chance: random.Random) -> Locator:
    """Return a button for one of the moves, preferably a short one; in a market, perhaps one that offers a card."""
    cards = table.locator("#offer input[name=gives]").all()
    if cards and chance.random() < OFFERING:
        table.locator("details:has(#offer)").evaluate("folded => { folded.open = true }")
        chance.choice(cards).check()
        return table.locator("#offer").get_by_role("button")
    open_costly(table)
    short = table.locator(".moves button.plain:visible").all() if chance.random() < BRIEFLY else []
    return chance.choice(short or table.locator(".moves button:visible").all())


def open_costly(table: Page) -> None:
    """Open the fold of ruinous moves, and the moves that cost something: each asks "are you sure?" first."""
    table.locator(".moves details").evaluate_all("all => all.forEach(one => { one.open = true })")
