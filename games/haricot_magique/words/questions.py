"""The questions of Le Haricot Magique, and the labels of ready answers."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract.asks import Ask
from games.contract.game import Costly, MenuPlace, Ruinous
from games.contract.notation import Action
from games.contract.phrases import Phrase, Plural, Who
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
from games.haricot_magique.bot import suggestions
from games.haricot_magique.bot.suggestions import is_available
from games.haricot_magique.names import FACE_WORDS, describe_dice_numbers, describe_risk, name_aimed_dice, name_faces
from games.haricot_magique.steps.rolling import DICE_NUMBERS
from games.haricot_magique.view import View

RISKY, RECKLESS = 0.25, 0.5  # chances of falling that a player should be warned of


def question(view: View, ask: Ask) -> Phrase:
    match view.phase:
        case "choosing":
            return Phrase("Choose your card for round {round}. All cards are revealed together.", round=view.round)
        case "preparing":
            return ask_how_many(view, ask)
        case "extending":
            return Phrase("You rolled {dice}. You can take extra dice.", dice=name_faces(view.dice))
        case "stacking" if view.awake:
            return Phrase("The giant is awake: stack your eyes only. They are {dice}.", dice=name_faces(view.dice))
        case "stacking":
            return Phrase("Stack your dice in any order and aim each one: {dice}.", dice=name_faces(view.dice))
        case _:
            return ask_whether(view)


def ask_how_many(view: View, ask: Ask) -> Phrase:
    """Ask how many dice to roll. Warn a seat with the eye token; remind a seat of its axe."""
    levels, left = len(view.stalk), view.reserve
    if view.me is not None and view.seats[view.me].eye:
        return Phrase(
            "How many dice will you roll? You have the eye token, so a single eye wakes the giant. Levels in the "
            "stalk: {levels}. Dice left: {left}.",
            levels=levels,
            left=left,
        )
    if any(isinstance(answer, Axe) for answer in ask.menu):
        return Phrase(
            "How many dice will you roll? You can throw your axe first. Levels in the stalk: {levels}. Dice left: "
            "{left}.",
            levels=levels,
            left=left,
        )
    return Phrase(
        "How many dice will you roll? Levels in the stalk: {levels}. Dice left: {left}.", levels=levels, left=left
    )


def ask_whether(view: View) -> Phrase:
    match view.phase:
        case "hiding":
            return Phrase("You can hide and skip this turn.")
        case "stealing":
            return Phrase("You can steal a bag from a player with more bags than you.")
        case "sparing":
            return Phrase("You rolled {dice}. You can put one die back before they count.", dice=name_faces(view.dice))
        case "squinting":
            return Phrase("You rolled {dice}. You can reroll all the eyes.", dice=name_faces(view.dice))
        case _:
            return Phrase("You can give the eye token to a player who hasn’t played yet this round.")


def label(view: View, action: Action) -> Phrase:
    match action:
        case Choose(card):
            return Phrase("Card {card} ({rolls})", card=card, rolls=describe_dice_numbers(DICE_NUMBERS[card]))
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
        case Stack(dice) if is_available(view, dice):
            fall = describe_risk(suggestions.estimate_risk(view, dice))
            if suggestions.reaches_castle(view, dice):
                return Phrase("Stack {dice} and reach the castle ({risk})", dice=name_aimed_dice(dice), risk=fall)
            return Phrase("Stack {dice} ({risk})", dice=name_aimed_dice(dice), risk=fall)
        case Stack(dice):
            return Phrase("Stack {dice}", dice=name_aimed_dice(dice))
        case _:
            return label_power(action)


def label_power(action: Action) -> Phrase:
    match action:
        case Hide():
            return Phrase("Hide and skip this turn")
        case Steal(seat):
            return Phrase("Steal a bag from {who}", who=Who(seat))
        case Spare(face):
            return Phrase("Put one die back: {face}", face=FACE_WORDS[face])
        case Reroll():
            return Phrase("Reroll all eyes")
        case Eye(seat):
            return Phrase("Give the eye token to {who}", who=Who(seat))
        case _:
            return Phrase("Don’t use the power")


def find_place(view: View, action: Action) -> MenuPlace | None:
    """Group axe throws by the roll that follows, and stacks by the order of the dice."""
    match action:
        case Axe(level, dice):
            heading = Plural("Throw the axe, then roll one die", "Throw the axe, then roll {count} dice", count=dice)
            return MenuPlace(heading, Phrase("Level {level}", level=level))
        case Stack(dice) if is_available(view, dice):
            return MenuPlace(label_order(view, dice), label_aim(view, dice))
    return None


def find_danger(view: View, action: Action) -> Costly | None:
    """Return a warning of a stack that may well fall, and of an axe thrown at a bare base."""
    match action:
        case Axe() if len(view.stalk) == 1:
            return Ruinous(
                Phrase("There’s only the base to hit, so the throw brings nothing."),
                heading=Phrase("Axe throws that bring nothing"),
            )
        case Stack(dice) if is_available(view, dice):
            odds = suggestions.estimate_risk(view, dice)
            warning = Phrase("If the stalk falls, you get nothing, and the others are paid for their tokens in it.")
            if odds >= RECKLESS:
                return Ruinous(warning, heading=Phrase("Stacks that will probably fall"))
            return Costly(warning) if odds >= RISKY else None
    return None


def label_order(view: View, dice: Sequence[Aimed]) -> Phrase:
    faces = name_faces(die.face for die in dice)
    if suggestions.reaches_castle(view, dice):
        return Phrase("Stack {dice} and reach the castle", dice=faces)
    return Phrase("Stack {dice}", dice=faces)


def label_aim(view: View, dice: Sequence[Aimed]) -> Phrase:
    fall = describe_risk(suggestions.estimate_risk(view, dice))
    aim, *others = {die.aim for die in dice}
    if others:
        return Phrase("aimed: {dice} ({risk})", dice=name_aimed_dice(dice), risk=fall)
    if aim < 0:
        return Phrase("all {distance} mm to the left ({risk})", distance=-aim, risk=fall)
    if aim > 0:
        return Phrase("all {distance} mm to the right ({risk})", distance=aim, risk=fall)
    return Phrase("all in the centre ({risk})", risk=fall)


def otherwise(view: View, ask: Ask) -> Phrase:
    match ask.default:
        case Choose(card):
            return Phrase("we play your lowest card, the {card}", card=card)
        case Roll(dice):
            return Plural(
                "we roll one die for you, the fewest your card allows",
                "we roll {count} dice for you, the fewest your card allows",
                count=dice,
            )
        case Enough():
            return Phrase("we take no extra dice")
        case Stack():
            return Phrase("we stack your dice in the order rolled, aimed at the centre")
        case _:
            return Phrase("we don’t use your card’s power")
