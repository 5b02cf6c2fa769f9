"""Functions that the templates of Le Haricot Magique call, and the form in which players compose a stack."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from games.contract.composer import Composer, Field, Pick, Values
from games.contract.errors import Unreadable
from games.contract.look import Look, draw_by_name
from games.contract.notation import read
from games.contract.phrases import Phrase, Plural
from games.haricot_magique import names, side_view
from games.haricot_magique.actions import FACES, Aimed, Stack
from games.haricot_magique.bot import suggestions
from games.haricot_magique.picture import Picture, Sketch
from games.haricot_magique.stalk import FURTHEST_AIM, Stalk, grow, stands
from games.haricot_magique.steps.rolling import DICE_NUMBERS
from games.haricot_magique.steps.rounds import POWERS
from games.haricot_magique.steps.stacking import list_pieces
from games.haricot_magique.view import View
from games.haricot_magique.words.telling import Attempt

POWER_WORDS = {
    "eye": Phrase("give the eye token to another player"),
    "hide": Phrase("hide and skip your turn"),
    "steal": Phrase("steal a bag"),
    "axe": Phrase("throw the axe"),
    "pair": Phrase("an extra bag for two tokens"),
    "spare": Phrase("put one die back"),
    "reroll": Phrase("reroll the eyes"),
}


# ── what templates call ──


def draw_attempt(attempt: Attempt) -> Picture:
    """Draw everything that was placed, including the element that brought the stalk down."""
    return Picture(attempt.grown, len(attempt.before))


def face_name(face: str) -> Phrase:
    return names.FACE_WORDS[face]


def describe_dice_of(card: int) -> Phrase:
    """Return the numbers of dice that a card allows, as in "roll 1, 2 or 3 dice"."""
    return names.describe_dice_numbers(DICE_NUMBERS[card])


def numbers_of(card: int) -> str:
    """Return the same numbers for the face of the card, which has little room.

    >>> numbers_of(7)
    '1 · 2 · 3'
    """
    return " · ".join(map(str, DICE_NUMBERS[card]))


def describe_power_of(card: int) -> Phrase:
    """Return a card's power in the expert game."""
    return POWER_WORDS[POWERS[card]]


@dataclass(frozen=True)
class Placed:
    """One placed element: its name, where it lies, and how the stalk stood then."""

    name: Phrase
    where: Phrase
    outcome: Phrase


def list_placed_elements(attempt: Attempt) -> list[Placed]:
    """Return what was placed, in order."""
    numbers = range(len(attempt.before) + 1, len(attempt.grown) + 1)
    return [describe_placed(attempt.grown[:number]) for number in numbers]


def describe_placed(stalk: Stalk) -> Placed:
    top, drawing = stalk[-1], side_view.Drawing(stalk)
    spare = Phrase("{spare} mm to spare", spare=drawing.spare) if stands(stalk) else Phrase("and it falls")
    return Placed(side_view.name_element(top, len(stalk)), side_view.describe_offset(top.x), spare)


# ── composing a stack ──


@dataclass(frozen=True)
class Plan:
    """A stack that a player considers: drawn as if no hand trembled, with its risk."""

    picture: Picture
    risk: Phrase
    stands: bool

    @property
    def drawing(self) -> side_view.Drawing:
        return self.picture.drawing


def make_plan(view: View, dice: Sequence[Aimed]) -> Plan:
    assert view.me is not None
    row = list_pieces(view.stalk, view.me, dice)
    grown, stands = grow(view.stalk, row, [0] * len(row))
    return Plan(Sketch(grown, len(view.stalk)), names.describe_risk(suggestions.estimate_risk(view, dice)), stands)


def stack_fields(view: View, names: Sequence[str], line: str, draft: str) -> tuple[Field, ...]:
    """Return the order of the dice, and where each is aimed."""
    faces = [(face, face_name(face)) for face in dict.fromkeys(view.dice)]
    aims = [(str(aim), label_aim(aim)) for aim in range(-FURTHEST_AIM, FURTHEST_AIM + 1)]
    return tuple(
        field
        for place, die in enumerate(initial_dice(view, line), 1)
        for field in (
            Pick(f"die_{place}", Phrase("Die {place}", place=place), faces, die.face),
            Pick(f"aim_{place}", Phrase("Aim of die {place}", place=place), aims, str(die.aim)),
        )
    )


def initial_dice(view: View, line: str) -> tuple[Aimed, ...]:
    """Return the stack in the link that the player followed, or the dice as rolled, all aimed at the centre."""
    with suppress(Unreadable):
        match read(line, (Stack,)):
            case Stack(dice) if suggestions.is_available(view, dice):
                return dice
    return tuple(map(Aimed, view.dice))


def label_aim(aim: int) -> Phrase:
    if not aim:
        return Phrase("centre")
    if aim < 0:
        return Plural("{count} mm left", "{count} mm left", count=-aim)
    return Plural("{count} mm right", "{count} mm right", count=aim)


def read_dice(view: View, values: Values) -> tuple[Aimed, ...]:
    places = range(1, len(view.dice) + 1)
    return tuple(Aimed(values[f"die_{place}"], int(values[f"aim_{place}"])) for place in places)


def stack_lines(view: View, values: Values) -> tuple[str, ...]:
    return (str(Stack(read_dice(view, values))),)


def preview(view: View, values: Values) -> Plan | None:
    """Preview the stack. None if a chosen die is not available."""
    dice = read_dice(view, values)
    return make_plan(view, dice) if suggestions.is_available(view, dice) else None


STACK = Composer(
    Stack,
    "games/haricot_magique/stack.html",
    stack_fields,
    stack_lines,
    preview,
    "games/haricot_magique/plan.html",
)
LOOK = Look(
    functions={
        "describe_dice_of": describe_dice_of,
        "numbers_of": numbers_of,
        "draw_side_view": side_view.draw_side_view,
        "list_placed_elements": list_placed_elements,
        "face_name": face_name,
        "draw_picture": Picture,
        "draw_sketch": Sketch,
        "describe_power_of": describe_power_of,
        "draw_attempt": draw_attempt,
    },
    drawings=draw_by_name(FACES, "die-"),
)
