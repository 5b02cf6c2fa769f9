"""The names of dice faces and elements in a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from games.contract.phrases import Phrase, Plural, Value
from games.haricot_magique.actions import Aimed

FACE_WORDS = {
    "eye": Phrase("eye"),
    "treasure": Phrase("treasure"),
    "extra": Phrase("extra"),
    "trunk": Phrase("trunk"),
}
ELEMENT_WORDS = {
    "die": Phrase("a die"),
    "token": Phrase("a token"),
    "cylinder": Phrase("a cylinder"),
    "castle": Phrase("the castle"),
}


def join_with_dots(things: Iterable[Phrase]) -> list[Value]:
    """Return the phrases with dots between them."""
    first, *others = things
    return [first, *(value for thing in others for value in ("·", thing))]


def name_faces(faces: Iterable[str]) -> list[Value]:
    return join_with_dots(FACE_WORDS[face] for face in faces)


def name_aimed_dice(dice: Iterable[Aimed]) -> list[Value]:
    """Return dice in the order stacked, each with its aim unless that is the centre.

    >>> str(Phrase("{dice}", dice=name_aimed_dice((Aimed("trunk"), Aimed("eye", -3)))))
    'trunk · eye (3 mm left)'
    """
    return join_with_dots(name_aim(FACE_WORDS[die.face], die.aim) for die in dice)


def name_aim(face: Phrase, aim: int) -> Phrase:
    if aim < 0:
        return Phrase("{face} ({distance} mm left)", face=face, distance=-aim)
    return Phrase("{face} ({distance} mm right)", face=face, distance=aim) if aim else face


def describe_dice_numbers(numbers: Iterable[int]) -> Phrase:
    """Return how many dice a card lets a player roll.

    >>> str(describe_dice_numbers((1, 2, 3))), str(describe_dice_numbers((1,)))
    ('roll 1, 2 or 3 dice', 'roll one die')
    """
    *others, most = numbers
    either = Phrase("{some} or {more}", some=", ".join(map(str, others)), more=most) if others else most
    return Plural("roll one die", "roll {numbers} dice", count=most, numbers=either)


def describe_risk(odds: float) -> Phrase:
    """Return the risk of a fall as it is printed beside a stack.

    >>> str(describe_risk(0.002)), str(describe_risk(0.071))
    ('chance of falling: under 1%', 'chance of falling: about 7%')
    """
    percent = round(100 * odds)
    return Phrase("chance of falling: about {percent}%", percent=percent) if percent else RISK_UNDER_ONE_PERCENT


RISK_UNDER_ONE_PERCENT = Phrase("chance of falling: under 1%")
