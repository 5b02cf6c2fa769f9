"""What pages need in their templates."""

from __future__ import annotations

import re

from django import template
from django.conf import settings

import games
from beanpost.leagues.models import Rating
from beanpost.pages import letters, rulebook
from beanpost.play.models import Match, Place
from beanpost.play.telling import told
from games.phrases import Phrase

register = template.Library()

HEADINGS = re.compile(r"<style>.*?</style>|</?h[1-4]\b", re.S)
LEVEL = re.compile(r"\bh([1-4])\b")


@register.filter
def title(thing: Match | Rating) -> str:
    """What the game is called that this is about."""
    return games.get(thing.game).title


@register.filter
def rules_in_short(slug: str) -> list[str]:
    """The templates that tell a game in two minutes."""
    return rulebook.in_short(slug)


@register.filter
def in_words(phrase: Phrase) -> str:
    return told(phrase, ())


@register.filter
def below(letter: str, level: int) -> str:
    """A letter that stands on a page under a heading of this level: its own headings, and the rules for them, follow.

    >>> below("<style>h1 { margin: 0 }</style><h1>It is your turn.</h1><h2>Your hand of h1</h2>", 1)
    '<style>h2 { margin: 0 }</style><h2>It is your turn.</h2><h3>Your hand of h1</h3>'
    """
    return HEADINGS.sub(lambda part: LEVEL.sub(lambda own: f"h{int(own[1]) + level}", part[0]), letter)


@register.simple_tag
def mailboxes_of(places: list[Place]) -> list[letters.Mailbox]:
    """In the demo, the mailboxes of those who sit there: one can go on as any of them."""
    if not settings.DEMO:
        return []
    wanted = {place.player_id for place in places}
    return [letters.Mailbox(name, owner) for name, owner in letters.boxes().items() if owner.pk in wanted]
