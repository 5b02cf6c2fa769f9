"""What pages need in their templates."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from beanpost.leagues.models import Rating
from beanpost.pages import letters, rulebook
from beanpost.play.models import Match, Place
from beanpost.play.telling import told
from beanpost.post.templatetags.letters import below
from games.phrases import Phrase

register = template.Library()
register.filter(below)


@register.filter
def title(thing: Match | Rating) -> str:
    """What the game is called that this is about."""
    return games.get(thing.game).title


@register.filter
def rules_in_short(slug: str) -> list[str]:
    """The templates that tell a game in two minutes."""
    return rulebook.in_short(slug)


@register.filter
def won_of(wins: int, matches: int) -> str:
    """How many of these matches were won, within a sentence."""
    if not matches:
        return _("no match yet")
    if matches == 1:
        return _("one match, won") if wins else _("one match, not won")
    if wins == matches:
        return _("%(matches)d matches, all won") % {"matches": matches}
    if not wins:
        return _("%(matches)d matches, none won") % {"matches": matches}
    won = ngettext("%(matches)d matches, one won", "%(matches)d matches, %(wins)d won", wins)
    return won % {"matches": matches, "wins": wins}


@register.filter
def in_words(phrase: Phrase) -> str:
    return told(phrase, ())


@register.simple_tag
def mailboxes_of(places: list[Place]) -> list[letters.Mailbox]:
    """In the demo, the mailboxes of those who sit there: one can go on as any of them."""
    if not settings.DEMO:
        return []
    wanted = {place.player_id for place in places}
    return [letters.Mailbox(name, owner) for name, owner in letters.boxes().items() if owner.pk in wanted]
