"""Stacks of Le Haricot Magique for display: as planned with a steady hand, and as they turned out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from beanpost.play.display.games.picture import Picture, Sketch
from beanpost.play.display.games.side_view import Drawing, from_the_centre, name
from beanpost.play.display.wording import say
from games.haricot_magique import advice, things
from games.haricot_magique.actions import Aimed
from games.haricot_magique.stacking import pieces
from games.haricot_magique.stalk import Stalk, grow, stands
from games.haricot_magique.view import View
from games.haricot_magique.words import Attempt


@dataclass(frozen=True)
class Plan:
    """A stack that a player considers: drawn as if no hand trembled, with its risk."""

    picture: Picture
    risk: str
    stands: bool

    @property
    def drawing(self) -> Drawing:
        return self.picture.drawing


def plan(view: View, dice: Sequence[Aimed]) -> Plan:
    assert view.me is not None
    row = pieces(view.stalk, view.me, dice)
    grown, stands = grow(view.stalk, row, [0] * len(row))
    risk = say(things.risk(advice.risk(view, dice)), ())
    return Plan(Sketch(grown, len(view.stalk)), risk[:1].upper() + risk[1:], stands)


@dataclass(frozen=True)
class Placed:
    """One placed element: its name, where it lies, and how the stalk stood then."""

    name: str
    where: str
    outcome: str


def element_by_element(attempt: Attempt) -> list[Placed]:
    """Return what was placed, in order."""
    numbers = range(len(attempt.before) + 1, len(attempt.grown) + 1)
    return [placed(attempt.grown[:number]) for number in numbers]


def placed(stalk: Stalk) -> Placed:
    top = stalk[-1]
    spare = _("%(spare)s mm to spare") % {"spare": Drawing(stalk).spare} if stands(stalk) else _("and it falls")
    return Placed(name(top, len(stalk)), from_the_centre(top.x), spare)
