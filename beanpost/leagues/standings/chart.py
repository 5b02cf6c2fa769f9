"""A season's course as an SVG chart: one line per entry, told apart by dashes and by a name at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

# 400 wide, hardly more than a phone, so that the text stays legible there, and 320 high.
LEFT, RIGHT, TOP, BOTTOM = 32, 236, 16, 288  # the frame of the lines; names stand to its right
LABEL_DISTANCE = 20  # distance between two names
DASHES = ("", "8 4", "2 4", "12 4 2 4", "4 2", "16 6", "2 8", "8 2 2 2 2 2")
MAX_LINES = 12


@dataclass(frozen=True)
class Stroke:
    name: str
    points: str  # SVG's points attribute
    dash: str
    end: tuple[int, int]
    label_y: int


@dataclass(frozen=True)
class Plot:
    strokes: list[Stroke]
    rounds: list[tuple[int, int]]  # number and x coordinate
    highest: str


def draw_chart(course: Mapping[int, Sequence[Fraction]], names: Mapping[int, str]) -> Plot | None:
    """Chart the entries with the most points. Return None before the first result."""
    rows = sorted(course.items(), key=lambda item: item[1][-1] if item[1] else Fraction(0), reverse=True)[:MAX_LINES]
    rounds = len(rows[0][1]) if rows else 0
    highest = max((row[-1] for _, row in rows if row), default=Fraction(0))
    if not rounds or not highest:
        return None
    columns = [LEFT + (RIGHT - LEFT) * n // rounds for n in range(rounds + 1)]
    labels = spread_labels([find_height(row[-1], highest) for _, row in rows])
    strokes = []
    for n, (entry, row) in enumerate(rows):
        heights = [find_height(value, highest) for value in (Fraction(0), *row)]
        points = " ".join(f"{x},{y}" for x, y in zip(columns, heights, strict=True))
        strokes.append(Stroke(names[entry], points, DASHES[n % len(DASHES)], (columns[-1], heights[-1]), labels[n]))
    ticks = [(n, columns[n]) for n in range(1, rounds + 1)]
    return Plot(strokes, ticks, f"{float(highest):g}")


def spread_labels(heights: Sequence[int]) -> list[int]:
    """Return label heights: beside the ends of their lines, without overlap, within the frame.

    >>> spread_labels([16, 20, 288, 288])
    [16, 36, 268, 288]
    """
    down, label = [], TOP - LABEL_DISTANCE
    for end in heights:
        label = max(label + LABEL_DISTANCE, end)
        down.append(label)
    up, label = [], BOTTOM + LABEL_DISTANCE
    for wanted in reversed(down):
        label = min(label - LABEL_DISTANCE, wanted)
        up.append(label)
    return up[::-1]


def find_height(value: Fraction, highest: Fraction) -> int:
    """Return the y coordinate of a number of points.

    >>> find_height(Fraction(0), Fraction(10)), find_height(Fraction(10), Fraction(10))
    (288, 16)
    """
    return round(BOTTOM - (BOTTOM - TOP) * value / highest)
