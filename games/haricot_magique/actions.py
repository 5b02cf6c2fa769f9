"""The moves of Le Haricot Magique, as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, TypeAlias

from games.contract.boxes import box
from games.contract.notation import Action, Kind, Number, Numbers, SeatLetter, one_of, several

FACES: tuple[str, ...] = tuple(box("haricot_magique")["faces"])


@dataclass(frozen=True, slots=True)
class Aimed:
    """A die to be stacked, and its aim in millimetres: positive is right of the board's centre, negative left."""

    face: str
    aim: int = 0


@lru_cache(maxsize=1_024)
def aimed(text: str) -> Aimed:
    """Read a die from a line.

    >>> aimed("treasure@-3"), aimed("EYE@+2"), aimed("trunk")
    (Aimed(face='treasure', aim=-3), Aimed(face='eye', aim=2), Aimed(face='trunk', aim=0))
    """
    face, _, aim = text.lower().partition("@")
    return Aimed(face, int(aim or 0))


def written(die: Aimed) -> str:
    """Reverse `aimed`, leaving out the centre and the plus sign."""
    return f"{die.face}@{die.aim}" if die.aim else die.face


FACE = one_of(*FACES)
AIMED = Kind(rf"(?:{FACE.pattern})(?:@(?:0|[+-]?[1-9][0-9]?))?", aimed, written)
SIGNED = Kind("0|-?[1-9][0-9]{0,3}", int)

Face: TypeAlias = Annotated[str, FACE]
Faces: TypeAlias = Annotated[tuple[str, ...], several(FACE)]
AimedDice: TypeAlias = Annotated[tuple[Aimed, ...], several(AIMED)]
SignedNumber: TypeAlias = Annotated[int, SIGNED]
SignedNumbers: TypeAlias = Annotated[tuple[int, ...], several(SIGNED)]


# ── the dealer ───────────────────────────────────────────────────────────────────────────────────


class Start(Action):
    says = "start {seat}"
    seat: SeatLetter


class ShuffleBags(Action):
    says = "shuffle {bags}"
    bags: Numbers


class ShuffleCards(Action):
    says = "shuffle {seat} {cards}"
    seat: SeatLetter
    cards: Numbers


class Bag(Action):
    says = "bag {place}"
    place: Number


class Strike(Action):
    says = "strike {level}"
    level: SignedNumber


class Rolled(Action):
    says = "roll {faces}"
    faces: Faces


class Sway(Action):
    says = "sway {swings}"
    swings: SignedNumbers


# ── the players ──────────────────────────────────────────────────────────────────────────────────


class Choose(Action):
    says = "choose {card}"
    card: Number


class Roll(Action):
    says = "roll {dice}"
    dice: Number


class Axe(Action):
    says = "axe {level} roll {dice}"
    level: Number
    dice: Number


class More(Action):
    says = "more {dice}"
    dice: Number


class Enough(Action):
    says = "enough"


class Stack(Action):
    says = "stack {dice}"
    dice: AimedDice


# ── powers of the expert game ────────────────────────────────────────────────────────────────────


class Hide(Action):
    says = "hide"


class Steal(Action):
    says = "steal {seat}"
    seat: SeatLetter


class Spare(Action):
    says = "spare {face}"
    face: Face


class Reroll(Action):
    says = "reroll"


class Eye(Action):
    says = "eye {seat}"
    seat: SeatLetter


class Skip(Action):
    says = "skip"


VOCABULARY = (
    *(Choose, Roll, Rolled, Stack, Sway, More, Enough, Axe, Strike),
    *(Skip, Hide, Steal, Bag, Spare, Reroll, Eye),
    *(Start, ShuffleBags, ShuffleCards),
)
