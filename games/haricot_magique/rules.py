"""The rules of Le Haricot Magique: what every line does. Each rule has its name in a module of its own."""

from __future__ import annotations

from games.contract.asks import Result, ranked
from games.contract.errors import Illegal
from games.contract.notation import Action
from games.contract.seats import DEALER, Seat
from games.haricot_magique import dealing, gold, rolling, rounds, stacking
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

POWERS = (Hide, Steal, Spare, Reroll, Eye, Skip)


def setup(seats: int, variant: str) -> State:
    return Starting(variant, seats)


def apply(state: State, seat: Seat, action: Action) -> State:
    if seat == DEALER:
        return by_chance(state, action)
    return by_power(state, action) if isinstance(action, POWERS) else by_skill(state, seat, action)


def by_chance(state: State, action: Action) -> State:
    """Apply a line of the dealer."""
    match state, action:
        case Rolling(), Rolled():
            return rolling.rolled(state, action.faces)
        case Swaying(), Sway():
            return stacking.sway(state, action.swings)
        case Throwing(), Strike():
            return rolling.strike(state, action.level)
        case Rerolling(), Rolled():
            return rolling.rerolled(state, action.faces)
        case Grabbing(), Bag():
            return rounds.grab(state, action.place)
        case Starting(), Start():
            return Filling(state.variant, state.seats, action.seat)
        case Filling(), ShuffleBags():
            return dealing.fill(state, action.bags)
        case Dealing(), ShuffleCards():
            return dealing.deal(state, action.seat, action.cards)
    raise not_now(action)


def by_skill(state: State, seat: Seat, action: Action) -> State:
    """Apply a player's line that both variants have."""
    match state, action:
        case Choosing(), Choose():
            return rounds.seal(state, seat, action.card)
        case Preparing(), Roll():
            return rolling.roll(state.garden, state.round, action.dice)
        case Preparing(), Axe():
            return rolling.throw(state, action.level, action.dice)
        case Extending(), More():
            return Rolling(state.garden, state.round, state.dice, action.dice, state.roll + 1)
        case Extending(), Enough():
            return rolling.all_rolled(state.garden, state.round, state.dice)
        case Stacking(), Stack():
            return stacking.stack(state, action.dice)
    raise not_now(action)


def by_power(state: State, action: Action) -> State:
    """Apply a player's line that only the expert game has."""
    match state, action:
        case Hiding(), Hide():
            return rounds.hide(state)
        case Stealing(), Steal():
            return Grabbing(state.garden, state.round, action.seat)
        case Hiding() | Stealing(), Skip():
            return Preparing(state.garden, state.round)
        case Sparing(), Spare():
            return rolling.spare(state, action.face)
        case Sparing(), Skip():
            return rolling.effects(state.garden, state.round, state.dice, state.fresh, state.roll)
        case Squinting(), Reroll():
            return Rerolling(state.garden, rounds.use_power(state.garden, state.round), state.dice)
        case Squinting(), Skip():
            return rolling.take_up(state.garden, state.round, state.dice)
        case Winking(), Eye():
            return rounds.wink(state, action.seat)
        case Winking(), Skip():
            return rounds.end_turn(state.garden, state.round)
    raise not_now(action)


def not_now(action: Action) -> Illegal:
    return Illegal("“{line}” cannot be said now.", line=str(action))


def result(state: State) -> Result | None:
    """Rank by gold; ties share a rank."""
    if not isinstance(state, Finished):
        return None
    gold_of_all = tuple(map(gold.worth, state.garden.climbers))
    return Result(gold_of_all, ranked(gold_of_all))
