"""The filters and functions for templates that show a table, in letters and on pages alike.

Pages draw beans as symbols of one SVG file, which browsers cache. Letters show boxes instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.templatetags.static import static
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from beanpost.play import clock
from beanpost.play.display import deadline_notes
from beanpost.play.display.parts import Told
from beanpost.play.display.scene import Scene
from beanpost.play.display.selection import Board
from beanpost.play.display.wording import (
    as_sentence,
    day,
    in_figures,
    in_quotes,
    lasting,
    listed,
    moment,
    quote_if_card,
    remaining,
    tempo,
    times,
    with_colon,
)
from beanpost.play.models import Order
from beanpost.variants import variant
from games.contract.seats import called
from games.pas_de_haricots.deck import DECK, SIMPLE, rank, suit

SPRITE = "beanpost/cards.svg"
BELOW_A_HAT = 'x="7" y="13" width="50" height="50"'
SUITS = {
    "S": ("♠", _("of spades")),
    "H": ("♥", _("of hearts")),
    "D": ("♦", _("of diamonds")),
    "C": ("♣", _("of clubs")),
}
CARD = rf"\b(?P<card>{'|'.join(DECK)})\b"
AS_TEXT = "\N{VARIATION SELECTOR-15}"  # render as text, not as an emoji


def counted_down(at: datetime) -> str:
    """Return an exact time, to which a script adds the time left."""
    return format_html('{}<time class="left" datetime="{}" data-left></time>', moment(at), at.isoformat())


def seat_name(names: Sequence[str], seat: int) -> str:
    """Return the name of the player at a seat."""
    return names[seat]


def seated_at(names: Sequence[str], seats: Sequence[int]) -> list[str]:
    """Return the names of the players at several seats."""
    return [names[seat] for seat in seats]


def seat_letter(seat: int) -> str:
    return called(seat)


def lined_up(name: str, names: Sequence[str]) -> str:
    """Pad a name to the width of the longest in a column.

    >>> lined_up("Ann", ["Ann", "Cleo"])
    'Ann '
    """
    return name.ljust(max(map(len, names)))


def in_a_row(cards: Sequence[object], between: str = " ") -> str:
    """Join cards.

    >>> in_a_row((5, 5, 9)), in_a_row((2, 3), " + ")
    ('5 5 9', '2 + 3')
    """
    return between.join(map(str, cards))


def signed(points: int) -> str:
    """Return a score with its sign.

    >>> signed(37), signed(-13), signed(0)
    ('+37', '−13', '0')
    """
    return f"{points:+d}".replace("-", "−") if points else "0"


def said_by(scene: Scene, order: Order) -> list[Told]:
    """Return the lines that an order played, as its owner sees them."""
    return [line for seq in order.answered if (line := scene.line(seq))]


def ordered(scene: Scene, line: str) -> str:
    """Return an order in words, in the reader's language."""
    return scene.ordered(line)


def why_lapsed(scene: Scene, order: Order) -> str:
    return scene.why_lapsed(order)


def absences(scene: Scene) -> list[str]:
    """Return a sentence for each player who is away or replaced by a bot."""
    return deadline_notes.absences(scene.away(clock.now()), scene.absentees, scene.reader)


# ── drawings ──


@cache
def draw_bean(*words: object) -> SafeString:
    """Return the drawing of that name: `{{ draw_bean("haricots", 5) }}`. It is hidden from screen readers: the text
    beside it says the same.
    """
    return drawing(format_html('<use href="{}#{}"/>', static(SPRITE), "-".join(map(str, words))))


@cache
def draw_suited(card: str) -> SafeString:
    """Draw a card of Pas de Haricots: the bean of its suit, with the hat of its rank unless that is a number."""
    picture, name = static(SPRITE), rank(card)
    if name in SIMPLE:
        return draw_bean("suit", suit(card))
    below = "" if name == "0" else BELOW_A_HAT
    parts = ((picture, f"suit-{suit(card)}", SafeString(below)), (picture, f"rank-{name}", ""))
    return drawing(format_html_join("", '<use href="{}#{}" {}/>', parts))


def drawing(inside: SafeString) -> SafeString:
    return format_html('<svg class="bean" viewBox="0 0 64 64" aria-hidden="true" focusable="false">{}</svg>', inside)


def with_suit(card: str) -> SafeString:
    """Return a card of Pas de Haricots with the symbol of its suit, and the suit as a word for screen readers."""
    sign, word = SUITS[suit(card)]
    seen = format_html('{}<span class="suit" aria-hidden="true">{}</span>', rank(card), sign + AS_TEXT)
    return format_html('{}<span class="unseen"> {}</span>', seen, word)


def with_suits(sentence: str, scene: Scene) -> str:
    """Show the cards in a sentence of Pas de Haricots with suit symbols.

    A player's name that looks like a card is in quotation marks, and stays as it is.
    """
    if scene.rules.slug != "pas_de_haricots":
        return sentence
    names = [re.escape(escape(quote_if_card(name))) for name in scene.everybody if quote_if_card(name) != name]
    return SafeString(re.sub("|".join([*names, CARD]), card_or_name, escape(sentence)))


def card_or_name(found: re.Match[str]) -> str:
    return with_suit(found["card"]) if found["card"] else found[0]


def stacked(cards: Sequence[object]) -> list[list[object]]:
    """Group equal cards, in the order in which they are held.

    >>> stacked((5, 5, 9))
    [[5, 5], [9]]
    """
    return [[card] * cards.count(card) for card in dict.fromkeys(cards)]


# ── tapping ──


def board(scene: Scene) -> Board:
    return Board(scene)


def tapped(board: Board | None, group: str, value: object) -> int | None:
    """Return the number of a piece on a page where tapping it filters the moves; elsewhere there is no board."""
    return board.number(group, value) if board else None


def touching(board: Board | None, line: str) -> str:
    """Return the CSS classes of an answer's button: one for each piece it is about."""
    numbers = board.touching(line) if board else ()
    return " ".join(["tap", *(f"t{number}" for number in numbers)]) if numbers else ""


FILTERS: dict[str, Callable[..., Any]] = {
    "absences": absences,
    "as_sentence": as_sentence,
    "board": board,
    "counted_down": counted_down,
    "day": day,
    "in_a_row": in_a_row,
    "in_figures": in_figures,
    "in_quotes": in_quotes,
    "lasting": lasting,
    "lined_up": lined_up,
    "listed": listed,
    "moment": moment,
    "ordered": ordered,
    "remaining": remaining,
    "said_by": said_by,
    "seat_letter": seat_letter,
    "seat_name": seat_name,
    "seated_at": seated_at,
    "signed": signed,
    "stacked": stacked,
    "tempo": tempo,
    "times": times,
    "touching": touching,
    "variant": variant,
    "why_lapsed": why_lapsed,
    "with_colon": with_colon,
    "with_suit": with_suit,
    "with_suits": with_suits,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "draw_bean": draw_bean,
    "draw_suited": draw_suited,
    "tapped": tapped,
}
