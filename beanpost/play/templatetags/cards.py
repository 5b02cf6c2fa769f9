"""Beans drawn on cards, for pages: each a symbol of one picture that the browser keeps. Letters have boxes instead."""

from __future__ import annotations

import re

from django import template
from django.templatetags.static import static
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from beanpost.play.scene import Scene
from beanpost.play.tapping import Board
from beanpost.play.telling import as_name
from games.pas_de_haricots.deck import DECK, SIMPLE, rank, suit

register = template.Library()

SPRITE = "beanpost/cards.svg"
BELOW_A_HAT = 'x="7" y="13" width="50" height="50"'
SUITS = {
    "S": ("♠", _("of spades")),
    "H": ("♥", _("of hearts")),
    "D": ("♦", _("of diamonds")),
    "C": ("♣", _("of clubs")),
}
CARD = rf"\b(?P<card>{'|'.join(DECK)})\b"
AS_TEXT = "\N{VARIATION SELECTOR-15}"  # not as a coloured picture


@register.simple_tag
def bean(*words: object) -> SafeString:
    """The drawing of that name: `{% bean "haricots" 5 %}`. What it is stands beside it in words."""
    return drawing(format_html('<use href="{}#{}"/>', static(SPRITE), "-".join(map(str, words))))


@register.simple_tag
def suited(card: str) -> SafeString:
    """A card of Pas de Haricots: the bean of its suit, under the hat of its rank where that is no number."""
    picture, name = static(SPRITE), rank(card)
    if name in SIMPLE:
        return bean("suit", suit(card))
    below = "" if name == "0" else BELOW_A_HAT
    parts = ((picture, f"suit-{suit(card)}", SafeString(below)), (picture, f"rank-{name}", ""))
    return drawing(format_html_join("", '<use href="{}#{}" {}/>', parts))


def drawing(inside: SafeString) -> SafeString:
    return format_html('<svg class="bean" viewBox="0 0 64 64" aria-hidden="true" focusable="false">{}</svg>', inside)


@register.filter
def with_suit(card: str) -> SafeString:
    """A card of Pas de Haricots by the sign of its suit, which is a word for who hears it."""
    sign, word = SUITS[suit(card)]
    seen = format_html('{}<span class="suit" aria-hidden="true">{}</span>', rank(card), sign + AS_TEXT)
    return format_html('{}<span class="unseen"> {}</span>', seen, word)


@register.filter
def with_suits(sentence: str, scene: Scene) -> str:
    """A sentence of Pas de Haricots, each card with its sign. A name that looks like one stands in quotation marks, and
    stays a name.
    """
    if scene.rules.slug != "pas_de_haricots":
        return sentence
    names = [re.escape(escape(as_name(name))) for name in scene.everybody if as_name(name) != name]
    return SafeString(re.sub("|".join([*names, CARD]), card_or_name, escape(sentence)))


def card_or_name(found: re.Match[str]) -> str:
    return with_suit(found["card"]) if found["card"] else found[0]


@register.filter
def stacked(cards: tuple[object, ...]) -> list[list[object]]:
    """Equal cards together, in the order in which they are held.

    >>> stacked((5, 5, 9))
    [[5, 5], [9]]
    """
    return [[card] * cards.count(card) for card in dict.fromkeys(cards)]


# ── tapping ──


@register.filter
def board(scene: Scene) -> Board:
    return Board(scene)


@register.simple_tag(takes_context=True)
def tapped(context: template.Context, group: str, value: object) -> int | None:
    """The number of a piece, on a page where tapping it narrows the moves down."""
    found = context.get("board")
    return found.number(group, value) if found else None


@register.filter
def touching(board: Board | None, line: str) -> str:
    """The classes of an answer's button: one for each piece it is about."""
    numbers = board.touching(line) if board else ()
    return " ".join(["tap", *(f"t{number}" for number in numbers)]) if numbers else ""
