"""The stalk of Le Haricot Magique painted from the side: where everything goes, in tenths of a millimetre.

To scale in both directions, so a die is square. Up is less: the top of the stalk lies at 0 and the board below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from django.utils.translation import gettext as _

from beanpost.play.drawing import Drawing, Level, from_the_centre
from games.chairs import called
from games.haricot_magique.stalk import FURTHEST_AIM, MASS, STEP, Stalk, holds, joints

HEIGHTS = {"die": 160, "token": 40, "cylinder": 120, "castle": 200}
LARGEST = 0.36  # pixels to a tenth of a millimetre, where there is room
LETTER = 13  # pixels
AROUND = 24  # beyond the outermost edges
BELOW = 60  # the board, and its ruler
BESIDE = 8  # pixels from a joint to the words about it


@dataclass(frozen=True)
class Part:
    """One element where it is painted."""

    level: Level
    top: int
    height: int
    letter: str = ""  # of a token's owner
    face: str = ""  # of a die
    nth: int = 0  # counted among those placed just now; 0: it was there before
    falls: bool = False

    @property
    def middle(self) -> int:
        return self.top + self.height // 2

    @property
    def bottom(self) -> int:
        return self.top + self.height


@dataclass(frozen=True)
class Weak:
    """The weakest joint: its overlap, what weighs on it, and the nearer edge."""

    left: int
    right: int
    x: int
    y: int
    words_y: int

    @property
    def edge(self) -> int:
        return self.left if self.x - self.left < self.right - self.x else self.right

    @property
    def side(self) -> str:
        return "left" if self.edge == self.left else "right"

    @property
    def turned(self) -> str:
        """From the edge over which it falls, back to where the picture is measured from."""
        return f"{-self.edge} {-self.y}"


@dataclass(frozen=True)
class Picture:
    stalk: Stalk
    before: int = 99  # levels that stood before; those above were placed, or would be

    WIDE: ClassVar = 240  # pixels: what the narrowest phone has for it …
    TALL: ClassVar = 640  # … and what a thumb can scroll
    WORDS: ClassVar = 92  # pixels beside the stalk for the names of its levels
    is_named: ClassVar = True

    @cached_property
    def drawing(self) -> Drawing:
        return Drawing(self.stalk)

    @cached_property
    def parts(self) -> list[Part]:
        """The top first."""
        parts, top = [], 0
        for level in self.drawing.levels:
            element, height = self.stalk[level.number - 1], HEIGHTS[level.kind]
            letter = called(element.owner) if element.owner is not None else ""
            falls = self.broken is not None and level.number > self.broken
            nth = max(0, level.number - self.before)
            parts.append(Part(level, top, height, letter, element.face or "", nth, falls))
            top += height
        return parts

    @property
    def firm(self) -> list[Part]:
        return [part for part in self.parts if not part.falls]

    @property
    def falling(self) -> list[Part]:
        return [part for part in self.parts if part.falls]

    @property
    def placed(self) -> int:
        return max(0, len(self.stalk) - self.before)

    @cached_property
    def broken(self) -> int | None:
        """The level above which the stalk breaks, if it does."""
        levels = range(len(self.stalk) - 1, 0, -1)
        giving = [level for level, joint in zip(levels, joints(self.stalk), strict=True) if not holds(joint)]
        return min(giving, default=None)

    # ── the sheet ──

    @property
    def board(self) -> int:
        """Where the base lies on the board."""
        return sum(HEIGHTS[element.kind] for element in self.stalk)

    @cached_property
    def edges(self) -> tuple[int, int]:
        """From where to where something is painted: the ruler reaches as far as one can aim."""
        reach = FURTHEST_AIM * STEP
        return min(self.drawing.left, -reach) - AROUND, max(self.drawing.right, reach) + AROUND

    @cached_property
    def scale(self) -> float:
        left, right = self.edges
        return min(LARGEST, (self.WIDE - self.WORDS) / (right - left), self.TALL / (self.board + BELOW + AROUND))

    @property
    def box(self) -> tuple[int, int, int, int]:
        """What is shown: left, top, width and height."""
        left, right = self.edges
        return left, -AROUND, right - left + self.in_units(self.WORDS), self.board + BELOW + AROUND

    @property
    def pixels(self) -> list[int]:
        return [round(length * self.scale) for length in self.box[2:]]

    def in_units(self, pixels: float) -> int:
        return round(pixels / self.scale)

    @property
    def words_at(self) -> int:
        return self.edges[1]

    @property
    def letter(self) -> int:
        return self.in_units(LETTER)

    @property
    def ruler(self) -> list[tuple[int, int]]:
        """A line for every millimetre one may aim at: where it is, and how long."""
        return [(STEP * mm, 34 if mm % 3 == 0 else 20) for mm in range(-FURTHEST_AIM, FURTHEST_AIM + 1)]

    # ── how it stands ──

    @cached_property
    def centre(self) -> tuple[int, int] | None:
        """The centre of mass of all that stands on the base."""
        above = [(MASS[part.level.kind], part) for part in self.parts[:-1]]
        if not above:
            return None
        mass = sum(weight for weight, _part in above)
        x = sum(weight * part.level.x for weight, part in above)
        y = sum(weight * part.middle for weight, part in above)
        return round(x / mass), round(y / mass)

    @cached_property
    def weak(self) -> Weak | None:
        """The joint that breaks, or would break first."""
        level = self.broken or self.drawing.weakest
        if level is None:
            return None
        joint = list(joints(self.stalk))[len(self.stalk) - 1 - level]
        upper, lower = self.parts[-level - 1], self.parts[-level]
        # The words go beside the taller neighbour, where its own name leaves room.
        beside = self.in_units(BESIDE if lower.height >= upper.height else -BESIDE)
        return Weak(joint.left, joint.right, round(joint.moment / joint.mass), lower.top, lower.top + beside)

    @property
    def in_words(self) -> str:
        """For those who cannot see it: every level, the top first."""
        lying = _("level %(number)d, %(name)s, %(where)s")
        rows = (
            lying % {"number": part.level.number, "name": part.level.name, "where": from_the_centre(part.level.x)}
            for part in self.parts
        )
        return _("The stalk from the side, the top first: %(levels)s.") % {"levels": "; ".join(rows)}


class Sketch(Picture):
    """A small picture without names, to stand beside words."""

    WIDE = 130
    TALL = 270
    WORDS = 10
    is_named = False
