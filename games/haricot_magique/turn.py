"""A game of Le Haricot Magique, step by step: in each phase, what is asked and what each answer does.

This is the one place that lists the steps; each rule has its name in a module of its own. A turn runs through the
phases from top to bottom: powers of the expert game are left out in the base game.
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


def prepare(state: Hiding | Stealing, seat: Seat, said: Skip) -> State:
    """Go on to the dice without the power."""
    return Preparing(state.garden, state.round)


PHASES = (
    # before the first round
    Phase(Starting, menus.ask_first_holder, {
        Start: lambda state, seat, said: Filling(state.variant, state.seats, said.seat),
    }),
    Phase(Filling, menus.ask_to_shuffle_bags, {
        ShuffleBags: lambda state, seat, said: dealing.fill_bags(state, said.bags),
    }),
    Phase(Dealing, menus.ask_to_shuffle_cards, {
        ShuffleCards: lambda state, seat, said: dealing.deal(state, said.seat, said.cards),
    }),
    # a round: everybody chooses a card, and turns follow by initiative
    Phase(Choosing, menus.ask_for_cards, {
        Choose: lambda state, seat, said: rounds.seal(state, seat, said.card),
    }),
    # a turn: powers before the dice
    Phase(Hiding, menus.ask_whether_to_hide, {
        Hide: lambda state, seat, said: rounds.hide(state),
        Skip: prepare,
    }),
    Phase(Stealing, menus.ask_whether_to_steal, {
        Steal: lambda state, seat, said: Grabbing(state.garden, state.round, said.seat),
        Skip: prepare,
    }),
    Phase(Grabbing, menus.ask_which_bag, {
        Bag: lambda state, seat, said: rounds.grab(state, said.place),
    }),
    # the dice, perhaps after an axe
    Phase(Preparing, menus.ask_how_many_dice, {
        Roll: lambda state, seat, said: rolling.roll(state.garden, state.round, said.dice),
        Axe: lambda state, seat, said: rolling.throw(state, said.level, said.dice),
    }),
    Phase(Throwing, menus.ask_where_axe_strikes, {
        Strike: lambda state, seat, said: rolling.strike(state, said.level),
    }),
    Phase(Rolling, menus.ask_for_roll, {
        Rolled: lambda state, seat, said: rolling.take_roll(state, said.faces),
    }),
    Phase(Sparing, menus.ask_which_die_to_spare, {
        Spare: lambda state, seat, said: rolling.spare(state, said.face),
        Skip: lambda state, seat, said: rolling.apply_roll(
            state.garden, state.round, state.dice, state.fresh, state.roll
        ),
    }),
    Phase(Extending, menus.ask_how_many_extra, {
        More: lambda state, seat, said: Rolling(
            state.garden, state.round, state.dice, said.dice, state.roll + 1
        ),
        Enough: lambda state, seat, said: rolling.end_rolling(state.garden, state.round, state.dice),
    }),
    Phase(Squinting, menus.ask_whether_to_reroll, {
        Reroll: lambda state, seat, said: Rerolling(
            state.garden, rounds.use_power(state.garden, state.round), state.dice
        ),
        Skip: lambda state, seat, said: rolling.start_stacking(state.garden, state.round, state.dice),
    }),
    Phase(Rerolling, menus.ask_for_reroll, {
        Rolled: lambda state, seat, said: rolling.take_reroll(state, said.faces),
    }),
    # the stalk grows, or falls
    Phase(Stacking, menus.ask_how_to_stack, {
        Stack: lambda state, seat, said: stacking.stack(state, said.dice),
    }),
    Phase(Swaying, menus.ask_for_sway, {
        Sway: lambda state, seat, said: stacking.sway(state, said.swings),
    }),
    # the eye token, and the next turn
    Phase(Winking, menus.ask_who_gets_the_eye, {
        Eye: lambda state, seat, said: rounds.wink(state, said.seat),
        Skip: lambda state, seat, said: rounds.end_turn(state.garden, state.round),
    }),
    Phase(Finished, lambda state: (), {}),
)  # fmt: skip
BY_STATE = {phase.state: phase for phase in PHASES}


def setup(seats: int, variant: str) -> State:
    return Starting(variant, seats)


def asks(state: State) -> tuple[Ask, ...]:
    return BY_STATE[type(state)].asks(state)


def apply(state: State, seat: Seat, action: Action) -> State:
    answer = BY_STATE[type(state)].answers.get(type(action))
    if answer is None:
        raise Illegal("You can’t do “{line}” now.", line=str(action))
    return answer(state, seat, action)


def result(state: State) -> Result | None:
    """Rank by gold; ties share a rank."""
    if not isinstance(state, Finished):
        return None
    gold_of_all = tuple(map(gold.count_gold, state.garden.climbers))
    return Result(gold_of_all, compute_ranks(gold_of_all))
