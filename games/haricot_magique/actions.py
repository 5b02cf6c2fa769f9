"""The moves of Le Haricot Magique, as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, TypeAlias

from games.contract.boxes import load_box
from games.contract.notation import Action, Kind, Number, Numbers, SeatLetter, one_of, several

FACES: tuple[str, ...] = tuple(load_box("haricot_magique")["faces"])


@dataclass(frozen=True, slots=True)
class Aimed:
    """A die to be stacked, and its aim in millimetres: positive is right of the board's centre, negative left."""

    face: str
    aim: int = 0


@lru_cache(maxsize=1_024)
def read_aimed(text: str) -> Aimed:
    """Read a die from a line.

    >>> read_aimed("treasure@-3"), read_aimed("EYE@+2"), read_aimed("trunk")
    (Aimed(face='treasure', aim=-3), Aimed(face='eye', aim=2), Aimed(face='trunk', aim=0))
    """
    face, _, aim = text.lower().partition("@")
    return Aimed(face, int(aim or 0))


def write_aimed(die: Aimed) -> str:
    """Reverse `read_aimed`, leaving out the centre and the plus sign."""
    return f"{die.face}@{die.aim}" if die.aim else die.face


FACE = one_of(*FACES)
AIMED = Kind(rf"(?:{FACE.pattern})(?:@(?:0|[+-]?[1-9][0-9]?))?", read_aimed, write_aimed)
SIGNED = Kind("0|-?[1-9][0-9]{0,3}", int)

Face: TypeAlias = Annotated[str, FACE]
Faces: TypeAlias = Annotated[tuple[str, ...], several(FACE)]
AimedDice: TypeAlias = Annotated[tuple[Aimed, ...], several(AIMED)]
SignedNumber: TypeAlias = Annotated[int, SIGNED]
SignedNumbers: TypeAlias = Annotated[tuple[int, ...], several(SIGNED)]


# ── the dealer ───────────────────────────────────────────────────────────────────────────────────


class Start(Action):
    """The dealer: this seat holds the Haricot token first."""

    says = "start {seat}"
    seat: SeatLetter


class ShuffleBags(Action):
    """The dealer: the bags in their new order, top bag first."""

    says = "shuffle {bags}"
    bags: Numbers


class ShuffleCards(Action):
    """The dealer: a seat's action cards in their new order, top card first."""

    says = "shuffle {seat} {cards}"
    seat: SeatLetter
    cards: Numbers


class Bag(Action):
    """The dealer: which of the victim's bags is stolen, counted in the order received. Expert."""

    says = "bag {place}"
    place: Number


class Strike(Action):
    """The dealer: the level that the axe hits."""

    says = "strike {level}"
    level: SignedNumber


class Rolled(Action):
    """The dealer: the faces rolled: `eye`, `treasure`, `extra` or `trunk`."""

    says = "roll {faces}"
    faces: Faces


class Sway(Action):
    """The dealer: how far each element lands from its aim, in tenths of a millimetre."""

    says = "sway {swings}"
    swings: SignedNumbers


# ── the players ──────────────────────────────────────────────────────────────────────────────────


class Choose(Action):
    """Choose an action card, face down. This is final."""

    says = "choose {card}"
    card: Number


class Roll(Action):
    """Roll this many dice, a number that your card allows."""

    says = "roll {dice}"
    dice: Number


class Axe(Action):
    """Throw the axe at a level, then roll this many dice. The base is level 1."""

    says = "axe {level} roll {dice}"
    level: Number
    dice: Number


class More(Action):
    """Roll this many extra dice."""

    says = "more {dice}"
    dice: Number


class Enough(Action):
    """Roll no extra dice."""

    says = "enough"


class Stack(Action):
    """Stack all your dice in this order. `treasure@-3` aims 3 mm left of the board's centre."""

    says = "stack {dice}"
    dice: AimedDice


# ── powers of the expert game ────────────────────────────────────────────────────────────────────


class Hide(Action):
    """Card 2 of the expert game: skip the turn."""

    says = "hide"


class Steal(Action):
    """Card 3 of the expert game: steal a bag from this seat."""

    says = "steal {seat}"
    seat: SeatLetter


class Spare(Action):
    """Card 6 of the expert game: put a die with this face back."""

    says = "spare {face}"
    face: Face


class Reroll(Action):
    """Card 7 of the expert game: roll all eyes again."""

    says = "reroll"


class Eye(Action):
    """Card 1 of the expert game: give the eye token to this seat."""

    says = "eye {seat}"
    seat: SeatLetter


class Skip(Action):
    """Don't use the power of your card."""

    says = "skip"


VOCABULARY = (
    *(Choose, Roll, Rolled, Stack, Sway, More, Enough, Axe, Strike),
    *(Skip, Hide, Steal, Bag, Spare, Reroll, Eye),
    *(Start, ShuffleBags, ShuffleCards),
)
