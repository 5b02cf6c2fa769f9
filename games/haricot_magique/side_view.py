"""The stalk of Le Haricot Magique from the side, to scale: in words, as text and as boxes. `picture.py` has the SVG.

It is built from public information only: where each element lies, and what follows from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from games.contract.phrases import Phrase
from games.contract.seats import seat_label
from games.haricot_magique.names import FACE_WORDS
from games.haricot_magique.stalk import HALF_WIDTH, Element, Stalk, find_weakest_level, joints, margin

TENTHS_PER_COLUMN = 20  # tenths of a millimetre per column of text
MAX_WIDTH = 260  # pixels for the widest stalk in a letter
MAX_SCALE = 0.4  # pixels per tenth of a millimetre at most
ENDS = {"die": ("[", "]"), "token": ("(", ")"), "cylinder": ("|", "|"), "castle": ("/", "\\")}


@dataclass(frozen=True)
class Level:
    """One element and its position. Lengths are in tenths of a millimetre unless marked as pixels."""

    number: int
    kind: str
    name: Phrase
    x: int
    half: int
    indent: int  # pixels
    width: int  # pixels

    @property
    def left(self) -> int:
        return self.x - self.half

    @property
    def breadth(self) -> int:
        return 2 * self.half


@dataclass(frozen=True)
class Drawing:
    stalk: Stalk

    @cached_property
    def left(self) -> int:
        return min(element.x - HALF_WIDTH[element.kind] for element in self.stalk)

    @cached_property
    def right(self) -> int:
        return max(element.x + HALF_WIDTH[element.kind] for element in self.stalk)

    @cached_property
    def levels(self) -> list[Level]:
        """The elements, the top first."""
        scale = min(MAX_SCALE, MAX_WIDTH / (self.right - self.left))
        levels = []
        for number in range(len(self.stalk), 0, -1):
            element = self.stalk[number - 1]
            half = HALF_WIDTH[element.kind]
            indent = round((element.x - half - self.left) * scale)
            place = (element.x, half, indent, round(2 * half * scale))
            levels.append(Level(number, element.kind, name_element(element, number), *place))
        return levels

    # ── how it stands ──

    @cached_property
    def lean(self) -> int | None:
        """The centre of mass of everything above the base; None for a bare base."""
        *_, lowest = joints(self.stalk) if len(self.stalk) > 1 else [None]
        return round(lowest.moment / lowest.mass) if lowest else None

    @property
    def lean_in_words(self) -> Phrase:
        assert self.lean is not None
        return describe_offset(self.lean)

    @cached_property
    def weakest(self) -> int | None:
        """The level above which the stalk would break first."""
        return find_weakest_level(self.stalk)

    @property
    def spare(self) -> Phrase:
        """How far the centre of mass above the weakest joint may still move, in millimetres."""
        assert self.weakest is not None
        return format_millimetres(margin(list(joints(self.stalk))[len(self.stalk) - 1 - self.weakest]))

    # ── as text ──

    @property
    def lines(self) -> list[tuple[str, Phrase, str]]:
        """One line for each level, the top first: its box, its name, and a mark at the weakest joint."""
        wide = self.column(self.right) + 2
        return [
            (f"{level.number:>2}  {self.row(level).ljust(wide)}", level.name, " *" * (level.number == self.weakest))
            for level in self.levels
        ]

    @property
    def pointer(self) -> str:
        """A line with a mark below the centre of mass; "" for a bare base."""
        return "" if self.lean is None else f"    {' ' * self.column(self.lean)}^"

    def column(self, x: int) -> int:
        return round((x - self.left) / TENTHS_PER_COLUMN)

    def row(self, level: Level) -> str:
        first, last = ENDS[level.kind]
        inside = round(level.breadth / TENTHS_PER_COLUMN) - 2
        return " " * self.column(level.left) + first + "_" * inside + last


def name_element(element: Element, number: int) -> Phrase:
    if number == 1:
        return Phrase("base")
    if element.kind == "die":
        return FACE_WORDS[element.face or ""]
    if element.owner is not None:
        return Phrase("token {seat}", seat=seat_label(element.owner))
    return {"cylinder": Phrase("cylinder"), "castle": Phrase("castle")}[element.kind]


def describe_offset(x: int) -> Phrase:
    if x == 0:
        return Phrase("directly above the centre")
    if x > 0:
        return Phrase("{distance} mm right of the centre", distance=format_millimetres(x))
    return Phrase("{distance} mm left of the centre", distance=format_millimetres(-x))


def format_millimetres(tenths: int) -> Phrase:
    """Return a length in millimetres, with one decimal.

    >>> str(format_millimetres(48))
    '4.8'
    """
    return Phrase("{whole}.{tenth}", whole=tenths // 10, tenth=tenths % 10)


def draw_side_view(stalk: Sequence[Element]) -> Drawing:
    return Drawing(tuple(stalk))
