"""What pages need in their templates."""

from __future__ import annotations

from django import template
from django.conf import settings

import games
from beanpost.pages import letters
from beanpost.play.models import Match, Place

register = template.Library()


@register.filter
def title(match: Match) -> str:
    """What the game is called."""
    return games.get(match.game).title


@register.simple_tag
def mailboxes_of(places: list[Place]) -> list[letters.Mailbox]:
    """In the demo, the mailboxes of those who sit there: one can go on as any of them."""
    if not settings.DEMO:
        return []
    wanted = {place.player_id for place in places}
    return [letters.Mailbox(name, owner) for name, owner in letters.boxes().items() if owner.pk in wanted]
