"""What the table of Bohnanza needs in its templates: beans and offers in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.translation import pgettext_lazy

from beanpost.play.telling import told
from games.bohnanza import names as beans
from games.bohnanza.telling import told_offer
from games.bohnanza.view import Proposal
from games.chairs import Seat

register = template.Library()

NAMES = {
    "coffee": pgettext_lazy("bean", "Coffee"),
    "wax": pgettext_lazy("bean", "Wax"),
    "blue": pgettext_lazy("bean", "Blue"),
    "chili": pgettext_lazy("bean", "Chili"),
    "stink": pgettext_lazy("bean", "Stink"),
    "green": pgettext_lazy("bean", "Green"),
    "soy": pgettext_lazy("bean", "Soy"),
    "eye": pgettext_lazy("bean", "Black-eyed"),
    "red": pgettext_lazy("bean", "Red"),
    "garden": pgettext_lazy("bean", "Garden"),
    "cocoa": pgettext_lazy("bean", "Cocoa"),
}


@register.filter
def bean_name(bean: str) -> str:
    """What stands on a card.

    >>> bean_name("eye")
    'Black-eyed'
    """
    return str(NAMES[bean])


@register.filter
def in_beans(cards: Sequence[str]) -> str:
    """Cards as they are named in a sentence.

    >>> in_beans(("red", "*soy", "red"))
    '2 red beans, 1 soy bean (face up)'
    """
    return told(beans.listed(tuple(cards)), ())


@register.simple_tag
def told_proposal(offer: Proposal, reader: Seat | None, names: Sequence[str]) -> str:
    """Who offers what to whom, with the offer's number."""
    return told(told_offer(offer, reader), names)
