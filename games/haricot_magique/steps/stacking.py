"""Stacking: what the dice carry, how they sway, and what follows when the stalk stands or falls."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract.boxes import load_box
from games.contract.errors import Illegal
from games.contract.seats import Seat
from games.haricot_magique.actions import Aimed
from games.haricot_magique.stalk import (
    FURTHEST_AIM,
    STEP,
    THROWS,
    Element,
    Stalk,
    count_elements,
    count_tokens,
    grow,
    sway_width,
)
from games.haricot_magique.state import Garden, Round, Stacking, State, Swaying, Winking
from games.haricot_magique.steps import gold
from games.haricot_magique.steps.rolling import count_reserve
from games.haricot_magique.steps.rounds import end_turn, has_power, use_power

BOX = load_box("haricot_magique")
TOKENS: int = BOX["tokens"]
CYLINDERS: int = BOX["cylinders"]


def stack(state: Stacking, dice: tuple[Aimed, ...]) -> Swaying:
    if sorted(die.face for die in dice) != sorted(state.dice):
        raise Illegal("Stack all the dice, each one once: {dice}.", dice=state.dice)
    if any(abs(die.aim) > FURTHEST_AIM for die in dice):
        raise Illegal("You can aim from {left} to {right}.", left=-FURTHEST_AIM, right=FURTHEST_AIM)
    return Swaying(state.garden, state.round, dice)


def list_pieces(stalk: Stalk, seat: Seat, dice: Sequence[Aimed]) -> tuple[Element, ...]:
    """Return all elements to place, up to the castle. The last die of the reserve is followed by the castle."""
    tokens, cylinders = TOKENS - count_tokens(stalk, seat), CYLINDERS - count_elements(stalk, "cylinder")
    row: list[Element] = []
    for die in dice:
        row.append(Element("die", STEP * die.aim, None, die.face))
        match carried_by(die.face, tokens, cylinders):
            case "token":
                row.append(Element("token", owner=seat))
                tokens -= 1
            case "cylinder":
                row.append(Element("cylinder"))
                cylinders -= 1
            case "castle":
                return (*row, Element("castle"))
    return tuple(row) if count_reserve(stalk, dice) else (*row, Element("castle"))


def carried_by(face: str, tokens: int, cylinders: int) -> str | None:
    """Return what a die carries: a treasure carries a token, a trunk a cylinder, or whatever replaces them.

    >>> carried_by("treasure", 1, 2), carried_by("treasure", 0, 2), carried_by("treasure", 0, 0)
    ('token', 'cylinder', 'castle')
    >>> carried_by("trunk", 3, 0)
    'castle'
    """
    if face == "treasure" and tokens:
        return "token"
    if face in ("treasure", "trunk"):
        return "cylinder" if cylinders else "castle"
    return None


def sway(state: Swaying, swings: tuple[int, ...]) -> State:
    garden, round = state.garden, state.round
    grown, stands = try_stack(state, swings)
    if not stands:
        return end_turn(gold.collapse(garden, grown, round.seat), round)
    if grown[-1].kind == "castle":
        return end_turn(gold.reach_castle(garden, grown, round.seat), round)
    placed = count_tokens(grown[len(garden.stalk) :], round.seat)
    return pay_for_stack(garden.with_stalk(grown), round, placed)


def try_stack(state: Swaying, swings: tuple[int, ...]) -> tuple[Stalk, bool]:
    """Return the stalk as the dice are stacked, and whether it stands. After a fall the other swings are unused."""
    stalk = state.garden.stalk
    row = list_pieces(stalk, state.round.seat, state.dice)
    if len(swings) != len(row):
        raise Illegal("Pieces placed: {count}.", count=len(row))
    if any(abs(swing) > THROWS * sway_width(n) for n, swing in enumerate(swings, len(stalk))):
        raise Illegal("A hand doesn’t tremble that much.")
    return grow(stalk, row, swings)


def pay_for_stack(garden: Garden, round: Round, placed: int) -> State:
    """Pay one bag per token placed in this turn, and whatever the powers add."""
    garden = gold.draw_bags(garden, round.seat, placed)
    if placed >= gold.PAIR and garden.pile and has_power(garden, round, "pair"):
        garden, round = gold.draw_bags(garden, round.seat, gold.PAIR_BONUS), use_power(garden, round)
    if round.to_play and garden.pile and has_power(garden, round, "eye"):
        return Winking(garden, round)
    return end_turn(garden, round)
