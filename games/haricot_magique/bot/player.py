"""A careful player of Le Haricot Magique. It sees only a view and a question."""

from __future__ import annotations

from typing import TypeVar

from games.contract.asks import Ask
from games.contract.cards import without
from games.contract.notation import Action
from games.contract.seats import Seat
from games.haricot_magique.actions import Axe, Choose, Enough, Eye, Hide, More, Reroll, Roll, Skip, Spare, Stack, Steal
from games.haricot_magique.bot.prospects import Foresight, best_stack, fading_hope
from games.haricot_magique.steps.rolling import REROLLED_FACE
from games.haricot_magique.view import View

TALL_STALK = 6  # a stalk with this many levels is better left to others first
AXED_LEVELS = range(2, 6)  # low enough to clear the stalk, if there is much above
MIN_AXE_GAIN = 0.3  # bags that the game's only throw must bring

A = TypeVar("A", bound=Action)


def choose(view: View, ask: Ask) -> Action:
    match view.phase:
        case "choosing":
            return choose_card(view, ask)
        case "preparing":
            return choose_number(view, ask)
        case "extending":
            return choose_extra(view, ask)
        case "stacking":
            return Stack(best_stack(view, view.stalk, view.dice).dice)
        case _:
            return choose_power(view, ask)


def choose_card(view: View, ask: Ask) -> Action:
    """Play first on a low stalk, last on a tall one: by then it may have fallen and paid."""
    late = len(view.stalk) >= TALL_STALK
    return max(answers_of_kind(ask, Choose), key=lambda answer: answer.card if late else -answer.card)


def choose_number(view: View, ask: Ask) -> Action:
    """Roll the number of dice that promises most; throw the axe first if that brings clearly more."""
    foresight = Foresight(view)
    rolls = {answer: foresight.estimate_roll(view.stalk, answer.dice) for answer in answers_of_kind(ask, Roll)}
    roll = max(rolls, key=rolls.__getitem__)
    throws = {
        answer: foresight.estimate_throw(answer.level, answer.dice)
        for answer in answers_of_kind(ask, Axe)
        if answer.level in AXED_LEVELS and len(view.stalk) > AXED_LEVELS[-1]
    }
    throw = max(throws, key=throws.__getitem__, default=None)
    wanted = rolls[roll] + (MIN_AXE_GAIN * fading_hope(view) if view.variant == "base" else 0)
    return throw if throw and throws[throw] > wanted else roll


def choose_extra(view: View, ask: Ask) -> Action:
    foresight = Foresight(view)
    more = {
        answer: foresight.estimate_roll(view.stalk, answer.dice, beside=view.dice)
        for answer in answers_of_kind(ask, More)
    }
    best = max(more, key=more.__getitem__)
    return best if more[best] > foresight.estimate_stack(view.stalk, view.dice) else Enough()


def choose_power(view: View, ask: Ask) -> Action:
    foresight = Foresight(view)
    match view.phase:
        case "hiding":
            return Hide() if foresight.estimate_turn() < 0 else Skip()
        case "stealing":
            return max(answers_of_kind(ask, Steal), key=lambda answer: count_bags(view, answer.seat))
        case "winking":
            return max(answers_of_kind(ask, Eye), key=lambda answer: count_bags(view, answer.seat))
        case "sparing":
            return choose_spare(view, ask, foresight)
        case _:
            kept = tuple(face for face in view.dice if face != REROLLED_FACE)
            again = foresight.estimate_roll(view.stalk, len(view.dice) - len(kept), beside=kept)
            return Reroll() if again > foresight.estimate_stack(view.stalk, view.dice) else Skip()


def choose_spare(view: View, ask: Ask, foresight: Foresight) -> Action:
    """Put back the die that is worth most outside the stalk, if any is."""
    spared = {
        answer: foresight.estimate_stack(view.stalk, without(view.dice, (answer.face,)))
        for answer in answers_of_kind(ask, Spare)
    }
    best = max(spared, key=spared.__getitem__)
    return best if spared[best] > foresight.estimate_stack(view.stalk, view.dice) else Skip()


def answers_of_kind(ask: Ask, kind: type[A]) -> list[A]:
    return [answer for answer in ask.menu if isinstance(answer, kind)]


def count_bags(view: View, seat: Seat) -> int:
    return view.seats[seat].bags
