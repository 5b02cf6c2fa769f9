"""The dice: the axe before them, the roll, extra dice, and the waking giant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.contract.boxes import load_box
from games.contract.cards import put
from games.contract.errors import Illegal
from games.haricot_magique.actions import Faces
from games.haricot_magique.stalk import Stalk, count_elements, fell
from games.haricot_magique.state import (
    Extending,
    Garden,
    Preparing,
    Rerolling,
    Rolling,
    Round,
    Sparing,
    Squinting,
    Stacking,
    State,
    Throwing,
)
from games.haricot_magique.steps.rounds import end_turn, has_power, use_power

BOX = load_box("haricot_magique")
DICE_NUMBERS: dict[int, tuple[int, ...]] = {int(card): tuple(printed["dice"]) for card, printed in BOX["cards"].items()}
DICE: int = BOX["dice"]
EYES_THAT_WAKE: int = BOX["eyes_that_wake"]
REROLLED_FACE: str = BOX["reroll"]["face"]


def count_reserve(stalk: Stalk, dice: Sequence[object] = ()) -> int:
    """Return the number of dice neither in the stalk nor in the active player's hand."""
    return DICE - count_elements(stalk, "die") - len(dice)


def roll(garden: Garden, round: Round, dice: int) -> Rolling:
    """Roll as many dice as named, or all that are left."""
    return Rolling(garden, round, (), min(dice, count_reserve(garden.stalk)), 1)


def can_throw(garden: Garden, round: Round) -> bool:
    return garden.climbers[round.seat].axe or has_power(garden, round, "axe")


def throw(state: Preparing, level: int, dice: int) -> Throwing:
    garden, round = state.garden, state.round
    if garden.variant == "expert":
        return Throwing(garden, use_power(garden, round), level, dice)
    thrown = replace(garden.climbers[round.seat], axe=False)
    return Throwing(replace(garden, climbers=put(garden.climbers, round.seat, thrown)), round, level, dice)


def strike(state: Throwing, level: int) -> Rolling:
    """Cut the stalk. This is no collapse: tokens go home unpaid, and the fallen dice can be rolled at once."""
    garden = state.garden
    return roll(garden.with_stalk(fell(garden.stalk, level)), state.round, state.dice)


def take_roll(state: Rolling, faces: Faces) -> State:
    if len(faces) != state.count:
        raise Illegal("Dice rolled: {count}.", count=state.count)
    garden, round, dice = state.garden, state.round, (*state.dice, *faces)
    if has_power(garden, round, "spare"):
        return Sparing(garden, round, dice, state.count, state.roll)
    return apply_roll(garden, round, dice, state.count, state.roll)


def spare(state: Sparing, face: str) -> State:
    """Put one die back; of several alike, the one rolled first. The dice of the latest roll are at the end."""
    place = state.dice.index(face)
    dice = (*state.dice[:place], *state.dice[place + 1 :])
    fresh = state.fresh - (place >= len(state.dice) - state.fresh)
    return apply_roll(state.garden, use_power(state.garden, state.round), dice, fresh, state.roll)


def apply_roll(garden: Garden, round: Round, dice: Faces, fresh: int, roll: int) -> State:
    """Apply a roll. The giant wakes at once; while he sleeps, extra dice may follow."""
    if not dice:
        return end_turn(garden, round)
    most = min(dice[len(dice) - fresh :].count("extra"), count_reserve(garden.stalk, dice))
    if most and not wakes_giant(round, dice):
        return Extending(garden, round, dice, most, roll)
    return end_rolling(garden, round, dice)


def end_rolling(garden: Garden, round: Round, dice: Faces) -> State:
    if REROLLED_FACE in dice and has_power(garden, round, "reroll"):
        return Squinting(garden, round, dice)
    return start_stacking(garden, round, dice)


def take_reroll(state: Rerolling, faces: Faces) -> State:
    """Put the new faces in place of the old. They bring no extra dice."""
    if len(faces) != state.dice.count(REROLLED_FACE):
        raise Illegal("Dice rolled: {count}.", count=state.dice.count(REROLLED_FACE))
    new = iter(faces)
    dice = tuple(next(new) if face == REROLLED_FACE else face for face in state.dice)
    return start_stacking(state.garden, state.round, dice)


def wakes_giant(round: Round, dice: Faces) -> bool:
    """Return whether the giant wakes. The eye token counts as one more eye."""
    return dice.count("eye") + (round.eye == round.seat) >= EYES_THAT_WAKE


def start_stacking(garden: Garden, round: Round, dice: Faces) -> Stacking:
    """Stack all dice; if the giant is awake, only the eyes."""
    if wakes_giant(round, dice):
        dice = tuple(face for face in dice if face == "eye")
    return Stacking(garden, round, dice)
