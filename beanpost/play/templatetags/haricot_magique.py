"""What the table of Le Haricot Magique needs in its templates: the stalk, faces and cards in words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _

from beanpost.play import drawing
from beanpost.play.picture import Picture
from beanpost.play.stacks import element_by_element
from beanpost.play.telling import told
from games.haricot_magique.rolling import NUMBERS
from games.haricot_magique.rounds import POWERS
from games.haricot_magique.stalk import Stalk
from games.haricot_magique.things import FACE_WORDS
from games.haricot_magique.words import Attempt

register = template.Library()

POWER_WORDS = {
    "eye": _("the eye token for another"),
    "hide": _("hide and skip the turn"),
    "steal": _("steal a bag"),
    "axe": _("throw the axe"),
    "pair": _("a bag more for two tokens"),
    "spare": _("put one die back"),
    "reroll": _("roll eyes again"),
}


@register.filter
def drawn(stalk: Stalk) -> drawing.Drawing:
    return drawing.of(stalk)


@register.filter
def painted(stalk: Stalk) -> Picture:
    return Picture(stalk)


@register.filter
def tried(attempt: Attempt) -> Picture:
    """All that was placed, also what brought the stalk down."""
    return Picture(attempt.grown, len(attempt.before))


register.filter(element_by_element)


@register.filter
def face_name(face: str) -> str:
    return told(FACE_WORDS[face], ())


@register.filter
def dice_of(card: int) -> str:
    """How many dice a card lets one roll.

    >>> dice_of(7)
    '1 · 2 · 3'
    """
    return " · ".join(map(str, NUMBERS[card]))


@register.filter
def power_of(card: int) -> str:
    """What a card can do in the expert game."""
    return str(POWER_WORDS[POWERS[card]])
