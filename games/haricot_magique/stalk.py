"""The stalk: what stands and what falls. Integers only, so that every machine agrees.

Seen from the side, every element has a centre x in tenths of a millimetre, and the base die is at 0. Two neighbours
touch where their widths overlap: a joint. The stalk stands while, at every joint, the centre of mass of everything
above it is strictly inside the overlap. The base on the board is no joint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.contract.boxes import load_box
from games.contract.seats import Seat

BOX = load_box("haricot_magique")
HALF_WIDTH: dict[str, int] = {kind: element["half_width"] for kind, element in BOX["elements"].items()}
MASS: dict[str, int] = {kind: element["mass"] for kind, element in BOX["elements"].items()}
FURTHEST_AIM: int = BOX["aim"]["furthest"]
STEP: int = BOX["aim"]["step"]
THROWS: int = BOX["sway"]["throws"]
STILL: int = BOX["sway"]["still"]
TREMBLING: int = BOX["sway"]["trembling"]


@dataclass(frozen=True, slots=True)
class Element:
    """A level of the stalk, or an element still to be placed: then x is its aim."""

    kind: str  # "die", "token", "cylinder" or "castle"
    x: int = 0
    owner: Seat | None = None  # the owner of a token
    face: str | None = None  # the face of a die; None for the base


Stalk: TypeAlias = tuple[Element, ...]  # from the base upward
BASE = Element("die")
BARE: Stalk = (BASE,)


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint between two elements: their overlap, and the mass above with its moment."""

    left: int
    right: int
    mass: int
    moment: int


def joints(stalk: Stalk) -> Iterator[Joint]:
    """Yield all joints, from the top downward.

    >>> list(joints((BASE, Element("die", 30), Element("token", 40))))
    [Joint(left=-50, right=110, mass=1, moment=40), Joint(left=-50, right=80, mass=9, moment=280)]
    """
    mass = moment = 0
    upper = stalk[-1]
    for lower in stalk[-2::-1]:
        mass += MASS[upper.kind]
        moment += MASS[upper.kind] * upper.x
        left = max(lower.x - HALF_WIDTH[lower.kind], upper.x - HALF_WIDTH[upper.kind])
        right = min(lower.x + HALF_WIDTH[lower.kind], upper.x + HALF_WIDTH[upper.kind])
        yield Joint(left, right, mass, moment)
        upper = lower


def holds(joint: Joint) -> bool:
    """Return whether the centre of mass above is strictly inside: moment / mass, compared without dividing.

    >>> holds(Joint(-50, 80, mass=8, moment=639)), holds(Joint(-50, 80, mass=8, moment=640))
    (True, False)
    """
    return joint.left * joint.mass < joint.moment < joint.right * joint.mass


def stands(stalk: Stalk) -> bool:
    """Return whether every joint holds.

    >>> stands((BASE, Element("die", 79))), stands((BASE, Element("die", 80)))
    (True, False)
    >>> stands((BASE, Element("die", 60), Element("die", 90)))  # the upper two weigh at 75
    True
    >>> stands((BASE, Element("die", 60), Element("die", 100)))  # and now at the very edge of the base
    False
    """
    mass = moment = 0
    upper = stalk[-1]
    x, half = upper.x, HALF_WIDTH[upper.kind]
    for lower in stalk[-2::-1]:  # the same as all(map(holds, joints(stalk))), in one pass: it runs for every element
        mass += MASS[upper.kind]
        moment += MASS[upper.kind] * x
        lower_x, lower_half = lower.x, HALF_WIDTH[lower.kind]
        if moment <= mass * (lower_x - lower_half) or moment >= mass * (lower_x + lower_half):
            return False
        if moment <= mass * (x - half) or moment >= mass * (x + half):
            return False
        upper, x, half = lower, lower_x, lower_half
    return True


def margin(joint: Joint) -> int:
    """Return how far the centre of mass may still move before this joint gives way, in tenths of a millimetre.

    >>> margin(Joint(-50, 80, mass=8, moment=560)), margin(Joint(-50, 80, mass=8, moment=-80))
    (10, 40)
    """
    return min(joint.moment - joint.left * joint.mass, joint.right * joint.mass - joint.moment) // joint.mass


def find_weakest_level(stalk: Stalk) -> int | None:
    """Return the level of the element below the weakest joint, the lowest of several; None for a bare base.

    >>> find_weakest_level((BASE, Element("die", 30), Element("token", 40))), find_weakest_level(BARE)
    (1, None)
    """
    margins = [(margin(joint), level) for level, joint in zip(range(len(stalk) - 1, 0, -1), joints(stalk), strict=True)]
    return min(margins)[1] if margins else None


# ── growing and falling ──────────────────────────────────────────────────────────────────────────


def sway_width(elements: int) -> int:
    """Return how far each throw of the next element's sway reaches, given the number of elements in the stalk.

    >>> sway_width(1), sway_width(8)
    (12, 26)
    """
    return STILL + TREMBLING * elements


def settle(piece: Element, below: Element, sway: int) -> Element:
    """Place an element. A die lies where it was aimed, anything else on the centre of what is below, plus the sway.

    >>> settle(Element("die", 30), Element("die", -10), 5).x, settle(Element("token"), Element("die", -10), 5).x
    (35, -5)
    """
    x = piece.x + sway if piece.kind == "die" else below.x + sway
    return Element(piece.kind, x, piece.owner, piece.face)


def grow(stalk: Stalk, pieces: Sequence[Element], swings: Sequence[int]) -> tuple[Stalk, bool]:
    """Return the stalk with the pieces placed one by one, and whether it stands. It is checked after each piece.

    After a fall the stalk holds all pieces placed so far, including the one that brought it down.

    >>> grow(BARE, (Element("die"), Element("die")), (90, 0))
    ((Element(kind='die', x=0, owner=None, face=None), Element(kind='die', x=90, owner=None, face=None)), False)
    """
    for piece, sway in zip(pieces, swings, strict=True):
        stalk = (*stalk, settle(piece, stalk[-1], sway))
        if not stands(stalk):
            return stalk, False
    return stalk, True


def fell(stalk: Stalk, level: int) -> Stalk:
    """Return what the axe leaves: everything from the level hit upward falls, and a fallen base is replaced.

    >>> len(fell((BASE, Element("die"), Element("token", owner=0)), 2)), fell(BARE, 1) == BARE, len(fell(BARE, 0))
    (1, True, 1)
    """
    return (stalk[: level - 1] or BARE) if 1 <= level <= len(stalk) else stalk


def count_elements(stalk: Stalk, kind: str) -> int:
    return [element.kind for element in stalk].count(kind)


def count_tokens(stalk: Stalk, seat: Seat) -> int:
    return [element.owner for element in stalk].count(seat)
