"""A game of Le Haricot Magique, step by step: in each phase, what is asked and what each answer does.

This is the one place that lists the steps; their rules are functions in `steps/`. A turn goes through the phases in
this order, through some of them several times; the base game skips the powers of the expert game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from games.contract.asks import Ask, Result, compute_ranks
from games.contract.errors import Illegal
from games.contract.notation import Action
from games.contract.seats import Seat
from games.haricot_magique import menus
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
    Skip,
    Spare,
    Stack,
    Start,
    Steal,
    Strike,
    Sway,
)
from games.haricot_magique.state import (
    Choosing,
    Dealing,
    Extending,
    Filling,
    Finished,
    Grabbing,
    Hiding,
    Preparing,
    Rerolling,
    Rolling,
    Sparing,
    Squinting,
    Stacking,
    Starting,
    State,
    Stealing,
    Swaying,
    Throwing,
    Winking,
)
from games.haricot_magique.steps import dealing, gold, rolling, rounds, stacking

Answer: TypeAlias = Callable[[Any, Seat, Any], State]  # state, seat and action, to the next state


class Phase(NamedTuple):
    """A phase: the questions asked in it, and what each kind of answer does."""

    state: type
    asks: Callable[[Any], tuple[Ask, ...]]
    answers: Mapping[type[Action], Answer]


def prepare(state: Hiding | Stealing, seat: Seat, action: Skip) -> State:
    """Go on to the dice without the power."""
    return Preparing(state.garden, state.round)


PHASES = (
    # before the first round
    Phase(Starting, menus.ask_first_holder, {
        Start: lambda state, seat, action: Filling(state.variant, state.seats, action.seat),
    }),
    Phase(Filling, menus.ask_to_shuffle_bags, {
        ShuffleBags: lambda state, seat, action: dealing.fill_bags(state, action.bags),
    }),
    Phase(Dealing, menus.ask_to_shuffle_cards, {
        ShuffleCards: lambda state, seat, action: dealing.deal(state, action.seat, action.cards),
    }),
    # a round: everybody chooses a card, and turns follow by initiative
    Phase(Choosing, menus.ask_for_cards, {
        Choose: lambda state, seat, action: rounds.seal(state, seat, action.card),
    }),
    # a turn: powers before the dice
    Phase(Hiding, menus.ask_whether_to_hide, {
        Hide: lambda state, seat, action: rounds.hide(state),
        Skip: prepare,
    }),
    Phase(Stealing, menus.ask_whether_to_steal, {
        Steal: lambda state, seat, action: Grabbing(state.garden, state.round, action.seat),
        Skip: prepare,
    }),
    Phase(Grabbing, menus.ask_which_bag, {
        Bag: lambda state, seat, action: rounds.grab(state, action.place),
    }),
    # the dice, perhaps after an axe
    Phase(Preparing, menus.ask_how_many_dice, {
        Roll: lambda state, seat, action: rolling.roll(state.garden, state.round, action.dice),
        Axe: lambda state, seat, action: rolling.throw(state, action.level, action.dice),
    }),
    Phase(Throwing, menus.ask_where_axe_strikes, {
        Strike: lambda state, seat, action: rolling.strike(state, action.level),
    }),
    Phase(Rolling, menus.ask_for_roll, {
        Rolled: lambda state, seat, action: rolling.take_roll(state, action.faces),
    }),
    Phase(Sparing, menus.ask_which_die_to_spare, {
        Spare: lambda state, seat, action: rolling.spare(state, action.face),
        Skip: lambda state, seat, action: rolling.apply_roll(
            state.garden, state.round, state.dice, state.fresh, state.roll
        ),
    }),
    Phase(Extending, menus.ask_how_many_extra, {
        More: lambda state, seat, action: Rolling(
            state.garden, state.round, state.dice, action.dice, state.roll + 1
        ),
        Enough: lambda state, seat, action: rolling.end_rolling(state.garden, state.round, state.dice),
    }),
    # the power that rerolls a die
    Phase(Squinting, menus.ask_whether_to_reroll, {
        Reroll: lambda state, seat, action: Rerolling(
            state.garden, rounds.use_power(state.garden, state.round), state.dice
        ),
        Skip: lambda state, seat, action: rolling.start_stacking(state.garden, state.round, state.dice),
    }),
    Phase(Rerolling, menus.ask_for_reroll, {
        Rolled: lambda state, seat, action: rolling.take_reroll(state, action.faces),
    }),
    # the stalk grows, or falls
    Phase(Stacking, menus.ask_how_to_stack, {
        Stack: lambda state, seat, action: stacking.stack(state, action.dice),
    }),
    Phase(Swaying, menus.ask_for_sway, {
        Sway: lambda state, seat, action: stacking.sway(state, action.swings),
    }),
    # the eye token, and the next turn
    Phase(Winking, menus.ask_who_gets_the_eye, {
        Eye: lambda state, seat, action: rounds.wink(state, action.seat),
        Skip: lambda state, seat, action: rounds.end_turn(state.garden, state.round),
    }),
    Phase(Finished, lambda state: (), {}),
)  # fmt: skip
PHASE_BY_STATE = {phase.state: phase for phase in PHASES}


def setup(seats: int, variant: str) -> State:
    return Starting(variant, seats)


def asks(state: State) -> tuple[Ask, ...]:
    return PHASE_BY_STATE[type(state)].asks(state)


def apply(state: State, seat: Seat, action: Action) -> State:
    answer = PHASE_BY_STATE[type(state)].answers.get(type(action))
    if answer is None:
        raise Illegal("You can’t do “{line}” now.", line=str(action))
    return answer(state, seat, action)


def result(state: State) -> Result | None:
    """Rank by gold; ties share a rank."""
    if not isinstance(state, Finished):
        return None
    gold_of_all = tuple(map(gold.count_gold, state.garden.climbers))
    return Result(gold_of_all, compute_ranks(gold_of_all))
