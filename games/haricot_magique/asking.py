"""The questions to each seat, with every ready answer, and the reasons for refusals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

from games.contract.asks import Ask
from games.contract.errors import Illegal, RulesError
from games.contract.notation import Action
from games.contract.seats import DEALER
from games.haricot_magique.actions import (
    Aimed,
    Axe,
    Bag,
    Choose,
    Enough,
    Eye,
    Faces,
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
from games.haricot_magique.dealing import SPREAD
from games.haricot_magique.gold import richer
from games.haricot_magique.rolling import NUMBERS, can_throw
from games.haricot_magique.rounds import card_of
from games.haricot_magique.state import (
    Chance,
    Choosing,
    Dealing,
    Extending,
    Filling,
    Finished,
    Grabbing,
    Hiding,
    Power,
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
    Turn,
    Winking,
)

MOST_ORDERS = 60  # the most ready answers for a stack; any other order can be composed


def asks(state: State) -> tuple[Ask, ...]:
    match state:
        case Starting():
            return (Ask(DEALER, "first holder", menu=tuple(map(Start, range(state.seats)))),)
        case Filling():
            return (Ask(DEALER, "shuffle bags", free=(ShuffleBags,)),)
        case Dealing():
            return (Ask(DEALER, f"shuffle cards {len(state.garden.climbers) + 1}", free=(ShuffleCards,)),)
        case Choosing():
            return cards_to_seal(state)
        case Finished():
            return ()
        case _:
            return (in_turn(state),)


def cards_to_seal(state: Choosing) -> tuple[Ask, ...]:
    about = f"round {state.number} card"
    return tuple(
        Ask(seat, about, menu=tuple(map(choice, climber.hand)), default=choice(climber.hand[0]))
        for seat, climber in enumerate(state.garden.climbers)
        if state.sealed[seat] is None
    )


def in_turn(state: Turn) -> Ask:
    about = f"round {state.round.number} turn {state.round.turn}"
    match state:
        case Preparing():
            return how_many(state, f"{about} dice")
        case Extending():
            more = map(More, range(1, state.most + 1))
            return Ask(state.round.seat, f"{about} extra {state.roll}", menu=(*more, Enough()), default=Enough())
        case Stacking():
            menu = orders(state.dice)
            return Ask(state.round.seat, f"{about} stack", menu=menu, free=(Stack,), default=menu[0])
        case Hiding() | Stealing() | Sparing() | Squinting() | Winking():
            return whether(state, about)
        case _:
            return left_to_chance(state, about)


def left_to_chance(state: Chance, about: str) -> Ask:
    match state:
        case Grabbing():
            bags = range(1, len(state.garden.climbers[state.victim].bags) + 1)
            return Ask(DEALER, f"{about} bag", menu=tuple(map(Bag, bags)))
        case Throwing():
            levels = range(state.aim - SPREAD, state.aim + SPREAD + 1)
            return Ask(DEALER, f"{about} strike", menu=tuple(map(Strike, levels)))
        case Rolling():
            return Ask(DEALER, f"{about} roll {state.roll}", free=(Rolled,))
        case Rerolling():
            return Ask(DEALER, f"{about} reroll", free=(Rolled,))
        case Swaying():
            return Ask(DEALER, f"{about} sway", free=(Sway,))


def whether(state: Power, about: str) -> Ask:
    """Ask about a power. No power has to be used."""
    seat = state.round.seat
    match state:
        case Hiding():
            return Ask(seat, f"{about} hide", menu=(Hide(), Skip()), default=Skip())
        case Stealing():
            victims = map(Steal, richer(state.garden, seat))
            return Ask(seat, f"{about} steal", menu=(*victims, Skip()), default=Skip())
        case Sparing():
            spared = map(Spare, dict.fromkeys(state.dice))
            return Ask(seat, f"{about} spare {state.roll}", menu=(*spared, Skip()), default=Skip())
        case Squinting():
            return Ask(seat, f"{about} eyes", menu=(Reroll(), Skip()), default=Skip())
        case Winking():
            targets = map(Eye, sorted(state.round.to_play))
            return Ask(seat, f"{about} eye", menu=(*targets, Skip()), default=Skip())


def how_many(state: Preparing, about: str) -> Ask:
    card = card_of(state.garden, state.round)
    menu: tuple[Action, ...] = rolls(card)
    if can_throw(state.garden, state.round):
        menu += axes(card, len(state.garden.stalk))
    return Ask(state.round.seat, about, menu=menu, default=menu[0])


@cache
def choice(card: int) -> Choose:
    return Choose(card)


@cache
def rolls(card: int) -> tuple[Roll, ...]:
    """Return every number the card allows, the smallest first."""
    return tuple(map(Roll, sorted(NUMBERS[card])))


@cache
def axes(card: int, levels: int) -> tuple[Axe, ...]:
    """Return throws at every level, with every number of dice the card allows."""
    return tuple(Axe(level, roll.dice) for level in range(1, levels + 1) for roll in rolls(card))


@lru_cache(maxsize=4_096)
def orders(dice: Faces) -> tuple[Stack, ...]:
    """Return the distinct orders of the dice, aimed at the centre, up to MOST_ORDERS: the rolled order first.

    >>> [str(stack) for stack in orders(("eye", "trunk", "eye"))]
    ['stack eye trunk eye', 'stack eye eye trunk', 'stack trunk eye eye']
    """
    return tuple(Stack(tuple(map(Aimed, order))) for order in islice(arranged(dice), MOST_ORDERS))


def arranged(dice: Faces) -> Iterator[Faces]:
    if not dice:
        yield ()
    for face in dict.fromkeys(dice):
        place = dice.index(face)
        for order in arranged((*dice[:place], *dice[place + 1 :])):
            yield (face, *order)


def why_not(state: State, ask: Ask, action: Action) -> RulesError | None:
    """Return a reason the player can act on. Only the asked seat reads it, so it may name cards of the hand."""
    match state, action:
        case Choosing(), Choose(card):
            return Illegal("You do not have card {card} in your hand.", card=card)
        case Preparing(), (Roll() | Axe()) if Roll(action.dice) not in ask.menu:
            numbers = " · ".join(str(roll.dice) for roll in rolls(card_of(state.garden, state.round)))
            return Illegal("Your card lets you roll so many dice: {numbers}.", numbers=numbers)
        case Preparing(), Axe() if can_throw(state.garden, state.round):
            return Illegal("The stalk has no level {level}.", level=action.level)
        case Preparing(), Axe() if state.garden.variant == "base":
            return Illegal("You have thrown your axe: it is thrown once in a game.")
        case Preparing(), Axe():
            return Illegal("In this turn you have no axe to throw.")
        case Stealing(), Steal():
            return Illegal("One steals from somebody who has more bags.")
        case Sparing(), Spare(face):
            return Illegal("None of your dice shows: {face}.", face=face)
        case Extending(), More():
            return Illegal("You may roll so many dice more at most: {most}.", most=state.most)
        case Winking(), Eye():
            return Illegal("The eye goes to somebody who has still to play in this round.")
    return None
