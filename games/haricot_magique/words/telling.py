"""Describe what happened in Le Haricot Magique."""

from __future__ import annotations

from typing import NamedTuple

from games.contract.asks import Step
from games.contract.phrases import Phrase, Plural, Who
from games.contract.seats import DEALER, Seat
from games.haricot_magique.actions import (
    Axe,
    Bag,
    Choose,
    Enough,
    Eye,
    Hide,
    More,
    Reroll,
    Roll,
    Rolled,
    ShuffleBags,
    ShuffleCards,
    Spare,
    Stack,
    Start,
    Steal,
    Strike,
    Sway,
)
from games.haricot_magique.names import ELEMENT_WORDS, FACE_WORDS, name_aimed_dice, name_faces
from games.haricot_magique.stalk import Stalk
from games.haricot_magique.state import (
    Grabbing,
    Rerolling,
    Rolling,
    State,
    Swaying,
    Throwing,
)
from games.haricot_magique.steps.stacking import try_stack
from games.haricot_magique.view import is_sealed
from games.haricot_magique.words.outcomes import describe_consequences


class Attempt(NamedTuple):
    """One stacking, as everybody could watch it: the stalk before, with all elements placed, and whether it stood."""

    before: Stalk
    grown: Stalk
    stands: bool


def show_attempt(step: Step[State]) -> Attempt | None:
    match step.before, step.action:
        case Swaying() as before, Sway(swings):
            return Attempt(before.garden.stalk, *try_stack(before, swings))
    return None


def tell(step: Step[State], now: State, reader: Seat | None) -> tuple[Phrase, ...]:
    """Return the sentences that tell one reader what happened in a step."""
    if step.seat == DEALER:
        sentence = describe_chance(step, reader)
    elif is_sealed(step, now, reader):
        sentence = Phrase("{who} has chosen a card.", who=Who(step.seat))
    elif isinstance(step.action, (Hide, Steal, Spare, Reroll, Eye)):
        sentence = describe_power(step, reader)
    else:
        sentence = describe_move(step, reader)
    return (sentence, *describe_consequences(step, reader))


# ── players' lines ───────────────────────────────────────────────────────────────────────────────


def describe_move(step: Step[State], reader: Seat | None) -> Phrase:
    mine, who = step.seat == reader, Who(step.seat)
    match step.action:
        case Choose(card):
            return Phrase("You chose card {card}.", card=card) if mine else describe_choice(who, card)
        case Roll(dice):
            return describe_number(step.seat, dice, mine)
        case Axe(level):
            if mine:
                return Phrase("You threw the axe at level {level}.", level=level)
            return Phrase("{who} threw the axe at level {level}.", who=who, level=level)
        case More(dice):
            return describe_extra(step.seat, dice, mine)
        case Enough():
            return Phrase("You took no extra dice.") if mine else Phrase("{who} took no extra dice.", who=who)
        case Stack(dice):
            stacked = name_aimed_dice(dice)
            return (
                Phrase("You stacked {dice}.", dice=stacked)
                if mine
                else Phrase("{who} stacked {dice}.", who=who, dice=stacked)
            )
        case _:
            if mine:
                return Phrase("You didn’t use your card’s power.")
            return Phrase("{who} didn’t use the card’s power.", who=who)


def tell_forced(step: Step[State], reader: Seat | None) -> Phrase | None:
    """Return how many dice the house chose for a seat, since the card allows no other number."""
    match step.action:
        case Roll(dice) if step.seat == reader:
            return Plural("Your card allows one die only, so we chose that for you.",
                          "Your card allows {count} dice only, so we chose that for you.", count=dice)  # fmt: skip
    return None


def describe_choice(who: Who, card: int) -> Phrase:
    return Phrase("{who} chose card {card}.", who=who, card=card)


def describe_number(seat: Seat, dice: int, mine: bool) -> Phrase:
    if mine:
        return Plural("You decided to roll one die.", "You decided to roll {count} dice.", count=dice)
    return Plural("{who} decided to roll one die.", "{who} decided to roll {count} dice.", count=dice, who=Who(seat))


def describe_extra(seat: Seat, dice: int, mine: bool) -> Phrase:
    if mine:
        return Plural("You took one extra die.", "You took {count} extra dice.", count=dice)
    return Plural("{who} took one extra die.", "{who} took {count} extra dice.", count=dice, who=Who(seat))


def describe_power(step: Step[State], reader: Seat | None) -> Phrase:
    mine, who = step.seat == reader, Who(step.seat)
    match step.action:
        case Hide():
            return (
                Phrase("You hid and skipped your turn.") if mine else Phrase("{who} hid and skipped a turn.", who=who)
            )
        case Spare(face):
            word = FACE_WORDS[face]
            if mine:
                return Phrase("You put one die back: {face}.", face=word)
            return Phrase("{who} put one die back: {face}.", who=who, face=word)
        case Reroll():
            return Phrase("You rerolled all eyes.") if mine else Phrase("{who} rerolled all eyes.", who=who)
        case Steal(seat):
            return describe_steal(step.seat, seat, reader)
        case Eye(seat):
            return describe_eye(step.seat, seat, reader)
    raise AssertionError(f"{step.action} is no power.")


def describe_steal(thief: Seat, victim: Seat, reader: Seat | None) -> Phrase:
    if thief == reader:
        return Phrase("You stole a bag from {victim}.", victim=Who(victim))
    if victim == reader:
        return Phrase("{who} stole a bag from you.", who=Who(thief))
    return Phrase("{who} stole a bag from {victim}.", who=Who(thief), victim=Who(victim))


def describe_eye(giver: Seat, seat: Seat, reader: Seat | None) -> Phrase:
    if giver == reader:
        return Phrase("You gave {other} the eye token: it counts as an extra eye.", other=Who(seat))
    if seat == reader:
        return Phrase("{who} gave you the eye token: it counts as an extra eye in your turn.", who=Who(giver))
    return Phrase("{who} gave {other} the eye token: it counts as an extra eye.", who=Who(giver), other=Who(seat))


# ── the dealer's lines ───────────────────────────────────────────────────────────────────────────


def describe_chance(step: Step[State], reader: Seat | None) -> Phrase:
    match step.before, step.action:
        case _, Start(seat):
            if seat == reader:
                return Phrase("You have the Haricot token.")
            return Phrase("{who} has the Haricot token.", who=Who(seat))
        case _, ShuffleBags():
            return Phrase("The bags of gold were shuffled.")
        case _, ShuffleCards(seat):
            return Phrase("Your cards were shuffled.") if seat == reader else describe_shuffle(seat)
        case Grabbing() as before, Bag(place):
            return describe_bag(before.victim, place, reader)
        case Throwing() as before, Strike(level):
            return describe_strike(before.garden.stalk, level)
        case (Rolling() | Rerolling()) as before, Rolled(faces):
            return describe_roll(before.round.seat, faces, reader)
        case Swaying() as before, Sway(swings):
            return describe_stalk(*try_stack(before, swings), before.round.seat, reader)
    raise AssertionError(f"The dealer does not say {step.action}.")


def describe_shuffle(seat: Seat) -> Phrase:
    return Phrase("{who}’s cards were shuffled.", who=Who(seat))


def describe_bag(victim: Seat, place: int, reader: Seat | None) -> Phrase:
    if victim == reader:
        return Phrase("It was your bag number {place}.", place=place)
    return Phrase("It was {who}’s bag number {place}.", who=Who(victim), place=place)


def describe_strike(stalk: Stalk, level: int) -> Phrase:
    if not 1 <= level <= len(stalk):
        return Phrase("The axe missed.")
    if level == 1:
        return Phrase("The axe hit the base: everything fell, and a new base was laid.")
    return Phrase("The axe hit level {level}: everything from there up fell.", level=level)


def describe_roll(seat: Seat, faces: tuple[str, ...], reader: Seat | None) -> Phrase:
    if seat == reader:
        return Phrase("You rolled {dice}.", dice=name_faces(faces))
    return Phrase("{who} rolled {dice}.", who=Who(seat), dice=name_faces(faces))


def describe_stalk(stalk: Stalk, stands: bool, seat: Seat, reader: Seat | None) -> Phrase:
    mine, last = seat == reader, ELEMENT_WORDS[stalk[-1].kind]
    if not stands and mine:
        return Phrase("The stalk collapsed as you placed {element}.", element=last)
    if not stands:
        return Phrase("The stalk collapsed as {who} placed {element}.", who=Who(seat), element=last)
    if stalk[-1].kind == "castle" and mine:
        return Phrase("Your castle stands, and the stalk is taken down.")
    if stalk[-1].kind == "castle":
        return Phrase("{who}’s castle stands, and the stalk is taken down.", who=Who(seat))
    return Phrase("The stalk held, with {levels} levels.", levels=len(stalk))
