"""The actions, states and rules of a race."""

from __future__ import annotations

from dataclasses import dataclass

from games.contract.asks import Ask, Result, Step, compute_ranks
from games.contract.cards import put
from games.contract.dice import Dice
from games.contract.errors import Illegal
from games.contract.notation import Action, Number, Numbers
from games.contract.seats import DEALER, Seat

GOAL, SIDES = 10, 6


class Deal(Action):
    says = "deal {cards}"  # the dealer: one hidden card for each seat
    cards: Numbers


class Roll(Action):
    says = "roll"


class Rolled(Action):
    says = "dice {dice}"  # the dealer: what they show
    dice: Numbers


class Take(Action):
    says = "take {die}"
    die: Number


class Card(Action):
    says = "card"  # play the hidden card, once in a game


VOCABULARY = (Deal, Roll, Rolled, Take, Card)


@dataclass(frozen=True)
class Dealing:
    seats: int


@dataclass(frozen=True)
class Turn:
    places: tuple[int, ...]
    cards: tuple[int, ...]  # 0: played
    turn: int = 1

    @property
    def seat(self) -> Seat:
        return (self.turn - 1) % len(self.places)


@dataclass(frozen=True)
class Rolling:
    race: Turn
    dice: tuple[int, ...] = ()  # until the dealer has rolled


@dataclass(frozen=True)
class Finished:
    places: tuple[int, ...]


State = Dealing | Turn | Rolling | Finished
STATES = (Dealing, Turn, Rolling, Finished)


def setup(seats: int, variant: str) -> State:
    return Dealing(seats)


def asks(state: State) -> tuple[Ask, ...]:
    match state:
        case Dealing():
            return (Ask(DEALER, "deal", free=(Deal,)),)
        case Turn():
            menu = (Roll(), Card()) if state.cards[state.seat] else (Roll(),)
            return (Ask(state.seat, f"turn {state.turn}", menu=menu, default=Roll()),)
        case Rolling(race, ()):
            return (Ask(DEALER, f"turn {race.turn} dice", free=(Rolled,)),)
        case Rolling(race, dice):
            takes = tuple(Take(die) for die in sorted(set(dice)))
            return (Ask(race.seat, f"turn {race.turn} take", menu=takes, default=takes[-1]),)
    return ()


def apply(state: State, seat: Seat, action: Action) -> State:
    match state, action:
        case Dealing(seats), Deal(cards) if len(cards) == seats:
            return Turn((0,) * seats, cards)
        case Turn(), Roll():
            return Rolling(state)
        case Rolling(race, ()), Rolled(dice) if len(dice) == 2:
            return Rolling(race, dice)
        case Rolling(race), Take(die):
            return go(race, race.cards, die)
        case Turn(), Card():
            return go(state, put(state.cards, seat, 0), state.cards[seat])
    raise Illegal("You can’t do “{line}” now.", line=str(action))


def go(race: Turn, cards: tuple[int, ...], steps: int) -> State:
    places = put(race.places, race.seat, min(race.places[race.seat] + steps, GOAL))
    return Finished(places) if places[race.seat] == GOAL else Turn(places, cards, race.turn + 1)


def result(state: State) -> Result | None:
    return Result(state.places, compute_ranks(state.places)) if isinstance(state, Finished) else None


def chance(state: State, dice: Dice) -> Action:
    if isinstance(state, Dealing):
        return Deal(tuple(dice.between(1, SIDES) for _ in range(state.seats)))
    return Rolled((dice.between(1, SIDES), dice.between(1, SIDES)))


def redact(step: Step[State], now: State, reader: Seat | None) -> str:
    return "deal …" if isinstance(step.action, Deal) else str(step.action)  # only the deal is secret
