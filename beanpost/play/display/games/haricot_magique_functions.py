"""The filters for Le Haricot Magique's templates: the stalk, faces and cards in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _

from beanpost.play.display.games import side_view
from beanpost.play.display.games.picture import Picture
from beanpost.play.display.games.stacks import element_by_element
from beanpost.play.display.wording import say
from games.haricot_magique.rolling import NUMBERS
from games.haricot_magique.rounds import POWERS
from games.haricot_magique.stalk import Stalk
from games.haricot_magique.things import FACE_WORDS
from games.haricot_magique.words import Attempt

POWER_WORDS = {
    "eye": _("the eye token for another"),
    "hide": _("hide and skip the turn"),
    "steal": _("steal a bag"),
    "axe": _("throw the axe"),
    "pair": _("a bag more for two tokens"),
    "spare": _("put one die back"),
    "reroll": _("roll eyes again"),
}


def drawn(stalk: Stalk) -> side_view.Drawing:
    return side_view.of(stalk)


def painted(stalk: Stalk) -> Picture:
    return Picture(stalk)


def tried(attempt: Attempt) -> Picture:
    """Draw everything that was placed, including the element that brought the stalk down."""
    return Picture(attempt.grown, len(attempt.before))


def face_name(face: str) -> str:
    return say(FACE_WORDS[face], ())


def dice_of(card: int) -> str:
    """Return the numbers of dice that a card allows.

    >>> dice_of(7)
    '1 · 2 · 3'
    """
    return " · ".join(map(str, NUMBERS[card]))


def power_of(card: int) -> str:
    """Return a card's power in the expert game."""
    return str(POWER_WORDS[POWERS[card]])


FILTERS: dict[str, Callable[..., Any]] = {
    "dice_of": dice_of,
    "drawn": drawn,
    "element_by_element": element_by_element,
    "face_name": face_name,
    "painted": painted,
    "power_of": power_of,
    "tried": tried,
}
