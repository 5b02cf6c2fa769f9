"""The questions of Le Haricot Magique, and the labels of ready answers."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract.asks import Ask
from games.contract.game import Found
from games.contract.notation import Action
from games.contract.phrases import Phrase, Plural, Who
from games.haricot_magique import advice
from games.haricot_magique.actions import (
    Aimed,
    Axe,
    Choose,
    Enough,
    Eye,
    Hide,
    More,
    Reroll,
    Roll,
    Spare,
    Stack,
    Steal,
)
from games.haricot_magique.advice import is_at_hand
from games.haricot_magique.rolling import NUMBERS
from games.haricot_magique.things import FACE_WORDS, aimed, named, risk
from games.haricot_magique.view import View


def question(view: View, ask: Ask) -> Phrase:
    match view.phase:
        case "choosing":
            return Phrase("Choose your card for round {round}. All cards are turned over together.", round=view.round)
        case "preparing":
            return asked_how_many(view, ask)
        case "extending":
            return Phrase("You have rolled {dice}. You may take extra dice.", dice=named(view.dice))
        case "stacking" if view.awake:
            return Phrase(
                "The giant is awake: stack your eyes and nothing else. They are {dice}.", dice=named(view.dice)
            )
        case "stacking":
            return Phrase("Stack your dice in any order and aim them: {dice}.", dice=named(view.dice))
        case _:
            return asked_whether(view)


def asked_how_many(view: View, ask: Ask) -> Phrase:
    """Ask how many dice to roll. Warn a seat with the eye token; remind a seat of its axe."""
    levels, left = len(view.stalk), view.reserve
    if view.me is not None and view.seats[view.me].eye:
        return Phrase(
            "Say how many dice you roll. The eye token lies before you, so a single eye wakes the giant. "
            "Levels in the stalk: {levels}. Dice left: {left}.",
            levels=levels,
            left=left,
        )
    if any(isinstance(answer, Axe) for answer in ask.menu):
        return Phrase(
            "Say how many dice you roll, and throw the axe first if you like. "
            "Levels in the stalk: {levels}. Dice left: {left}.",
            levels=levels,
            left=left,
        )
    return Phrase(
        "Say how many dice you roll. Levels in the stalk: {levels}. Dice left: {left}.", levels=levels, left=left
    )


def asked_whether(view: View) -> Phrase:
    match view.phase:
        case "hiding":
            return Phrase("You may hide and skip this turn.")
        case "stealing":
            return Phrase("You may steal a bag from somebody who has more bags than you.")
        case "sparing":
            return Phrase("You have rolled {dice}. You may put one die back before they count.", dice=named(view.dice))
        case "squinting":
            return Phrase("You have rolled {dice}. You may roll all eyes again.", dice=named(view.dice))
        case _:
            return Phrase("You may give the eye token to somebody who has still to play in this round.")


def label(view: View, action: Action) -> Phrase:
    match action:
        case Choose(card):
            numbers = " · ".join(map(str, NUMBERS[card]))
            return Phrase("Card {card} (dice: {numbers})", card=card, numbers=numbers)
        case Roll(dice):
            return Plural("Roll one die", "Roll {count} dice", count=dice)
        case Axe(level, dice):
            return Plural(
                "Throw the axe at level {level}, then roll one die",
                "Throw the axe at level {level}, then roll {count} dice",
                count=dice,
                level=level,
            )
        case More(dice):
            return Plural("Take one extra die", "Take {count} extra dice", count=dice)
        case Enough():
            return Phrase("Take no extra dice")
        case Stack(dice) if is_at_hand(view, dice):
            fall = risk(advice.risk(view, dice))
            if advice.reaches_castle(view, dice):
                return Phrase("Stack {dice} and reach the castle ({risk})", dice=aimed(dice), risk=fall)
            return Phrase("Stack {dice} ({risk})", dice=aimed(dice), risk=fall)
        case Stack(dice):
            return Phrase("Stack {dice}", dice=aimed(dice))
        case _:
            return power_label(action)


def power_label(action: Action) -> Phrase:
    match action:
        case Hide():
            return Phrase("Hide and skip this turn")
        case Steal(seat):
            return Phrase("Steal a bag from {who}", who=Who(seat))
        case Spare(face):
            return Phrase("Put back one die: {face}", face=FACE_WORDS[face])
        case Reroll():
            return Phrase("Roll all eyes again")
        case Eye(seat):
            return Phrase("Give the eye token to {who}", who=Who(seat))
        case _:
            return Phrase("Do without the power")


def find(view: View, action: Action) -> Found | None:
    """Group axe throws by level, and stacks by the order of the dice."""
    match action:
        case Axe(level, dice):
            heading = Phrase("Throw the axe at level {level}", level=level)
            return Found(heading, Plural("then roll one die", "then roll {count} dice", count=dice))
        case Stack(dice) if is_at_hand(view, dice):
            return Found(what_order(view, dice), how_aimed(view, dice))
    return None


def what_order(view: View, dice: Sequence[Aimed]) -> Phrase:
    faces = named(die.face for die in dice)
    if advice.reaches_castle(view, dice):
        return Phrase("Stack {dice} and reach the castle", dice=faces)
    return Phrase("Stack {dice}", dice=faces)


def how_aimed(view: View, dice: Sequence[Aimed]) -> Phrase:
    fall = risk(advice.risk(view, dice))
    aim, *others = {die.aim for die in dice}
    if others:
        return Phrase("steered: {dice} ({risk})", dice=aimed(dice), risk=fall)
    if aim < 0:
        return Phrase("steered: all {distance} mm left ({risk})", distance=-aim, risk=fall)
    if aim > 0:
        return Phrase("steered: all {distance} mm right ({risk})", distance=aim, risk=fall)
    return Phrase("all at the centre ({risk})", risk=fall)


def otherwise(view: View, ask: Ask) -> Phrase:
    match ask.default:
        case Choose(card):
            return Phrase("you play your lowest card, the {card}", card=card)
        case Roll(dice):
            return Plural(
                "you roll one die, the smallest number your card allows",
                "you roll {count} dice, the smallest number your card allows",
                count=dice,
            )
        case Enough():
            return Phrase("you take no extra dice")
        case Stack():
            return Phrase("your dice are stacked in the order rolled, all aimed at the centre")
        case _:
            return Phrase("you do without the power of your card")
