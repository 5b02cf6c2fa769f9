"""The geometry of an SVG that shows the stalk of Le Haricot Magique from the side, in tenths of a millimetre.

It is to scale in both directions, so a die is square. y grows downwards: the top of the stalk is at 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import ClassVar

from games.contract.phrases import Phrase
from games.contract.seats import seat_label
from games.haricot_magique.side_view import Drawing, Level, describe_offset
from games.haricot_magique.stalk import FURTHEST_AIM, MASS, STEP, Stalk, holds, joints

HEIGHTS = {"die": 160, "token": 40, "cylinder": 120, "castle": 200}
MAX_SCALE = 0.36  # pixels per tenth of a millimetre at most
FONT_SIZE = 13  # pixels
MARGIN = 24  # tenths of a millimetre around the picture
HEIGHT_BELOW = 60  # height of the board and its ruler
LABEL_GAP = 8  # pixels from a joint to its label


@dataclass(frozen=True)
class Part:
    """One element and its position in the picture."""

    level: Level
    top: int
    height: int
    letter: str = ""  # seat letter of a token's owner
    face: str = ""  # face of a die
    nth: int = 0  # number among the elements just placed; 0: it was there before
    falls: bool = False

    @property
    def middle(self) -> int:
        return self.top + self.height // 2

    @property
    def bottom(self) -> int:
        return self.top + self.height


@dataclass(frozen=True)
class WeakJoint:
    """The weakest joint: its overlap, the centre of mass above it, and the nearer edge."""

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
    def translation(self) -> str:
        """The translation from the edge over which it falls to the picture's origin."""
        return f"{-self.edge} {-self.y}"


@dataclass(frozen=True)
class Picture:
    stalk: Stalk
    before: int = 99  # levels that stood before; those above were just placed, or would be

    WIDE: ClassVar = 240  # pixels: the space on the narrowest phone …
    TALL: ClassVar = 640  # … and a comfortable height to scroll
    WORDS: ClassVar = 92  # pixels beside the stalk for the names of its levels
    is_named: ClassVar = True

    @cached_property
    def drawing(self) -> Drawing:
        return Drawing(self.stalk)

    @cached_property
    def parts(self) -> list[Part]:
        """The elements, the top first."""
        parts, top = [], 0
        for level in self.drawing.levels:
            element, height = self.stalk[level.number - 1], HEIGHTS[level.kind]
            letter = seat_label(element.owner) if element.owner is not None else ""
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

    # ── the canvas ──

    @property
    def board(self) -> int:
        """The y at which the base lies on the board."""
        return sum(HEIGHTS[element.kind] for element in self.stalk)

    @cached_property
    def edges(self) -> tuple[int, int]:
        """The leftmost and rightmost x. The ruler reaches as far as a player can aim."""
        reach = FURTHEST_AIM * STEP
        return min(self.drawing.left, -reach) - MARGIN, max(self.drawing.right, reach) + MARGIN

    @cached_property
    def scale(self) -> float:
        left, right = self.edges
        return min(
            MAX_SCALE, (self.WIDE - self.WORDS) / (right - left), self.TALL / (self.board + HEIGHT_BELOW + MARGIN)
        )

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The viewBox: left, top, width and height."""
        left, right = self.edges
        return left, -MARGIN, right - left + self.in_units(self.WORDS), self.board + HEIGHT_BELOW + MARGIN

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
        return self.in_units(FONT_SIZE)

    @property
    def ruler(self) -> list[tuple[int, int]]:
        """A mark for every millimetre a player can aim at: its x and its length."""
        return [(STEP * mm, 34 if mm % 3 == 0 else 20) for mm in range(-FURTHEST_AIM, FURTHEST_AIM + 1)]

    # ── how it stands ──

    @cached_property
    def centre(self) -> tuple[int, int] | None:
        """The centre of mass of everything above the base."""
        above = [(MASS[part.level.kind], part) for part in self.parts[:-1]]
        if not above:
            return None
        mass = sum(weight for weight, _part in above)
        x = sum(weight * part.level.x for weight, part in above)
        y = sum(weight * part.middle for weight, part in above)
        return round(x / mass), round(y / mass)

    @cached_property
    def weak(self) -> WeakJoint | None:
        """The joint that breaks, or would break first."""
        level = self.broken or self.drawing.weakest
        if level is None:
            return None
        joint = list(joints(self.stalk))[len(self.stalk) - 1 - level]
        upper, lower = self.parts[-level - 1], self.parts[-level]
        # The label goes beside the taller neighbour, whose own name leaves room.
        beside = self.in_units(LABEL_GAP if lower.height >= upper.height else -LABEL_GAP)
        return WeakJoint(joint.left, joint.right, round(joint.moment / joint.mass), lower.top, lower.top + beside)

    @property
    def in_words(self) -> Phrase:
        """The picture in words, for screen readers: every level, the top first."""
        rows = [describe_level(part.level) for part in self.parts]
        levels = reduce(lambda some, more: Phrase("{some}; {more}", some=some, more=more), rows)
        return Phrase("The stalk from the side, from the top down: {levels}.", levels=levels)


def describe_level(level: Level) -> Phrase:
    return Phrase(
        "level {number}, {name}, {where}", number=level.number, name=level.name, where=describe_offset(level.x)
    )


class Sketch(Picture):
    """A small picture without names, to go beside text."""

    WIDE = 130
    TALL = 270
    WORDS = 10
    is_named = False
