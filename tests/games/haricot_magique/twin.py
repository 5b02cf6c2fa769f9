"""Another state that looks the same from one seat."""

from __future__ import annotations

import random
from dataclasses import replace

from games.haricot_magique.actions import Choose
from games.haricot_magique.state import Choosing, Climber, Filling, Finished, Garden, Starting, State
from games.haricot_magique.steps.rounds import HAND_SIZE

REVEALS = (Choose,)  # the last card chosen reveals all of them


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """Deal anew everything a seat may not know: bag values, piles, other hands and chosen cards."""
    match state:
        case Starting() | Filling():
            return state
        case Finished():  # the bags are open
            return replace(
                state, garden=replace(hands_anew(state.garden, seat, chance), pile=shuffled(state.garden.pile, chance))
            )
        case Choosing():
            garden = bags_anew(hands_anew(state.garden, seat, chance), chance)
            return Choosing(garden, state.number, sealed_anew(state, garden, seat, chance))
        case _:
            return replace(state, garden=bags_anew(hands_anew(state.garden, seat, chance), chance))


def sealed_anew(state: Choosing, garden: Garden, seat: int | None, chance: random.Random) -> tuple[int | None, ...]:
    return tuple(
        card if card is None or other == seat else chance.choice(garden.climbers[other].hand)
        for other, card in enumerate(state.sealed)
    )


def bags_anew(garden: Garden, chance: random.Random) -> Garden:
    """Deal all bags anew: not even their owners know the values."""
    unseen = list(shuffled((*garden.pile, *(bag for climber in garden.climbers for bag in climber.bags)), chance))
    climbers = tuple(replace(climber, bags=tuple(unseen.pop() for _ in climber.bags)) for climber in garden.climbers)
    return replace(garden, climbers=climbers, pile=tuple(unseen))


def hands_anew(garden: Garden, seat: int | None, chance: random.Random) -> Garden:
    climbers = tuple(
        replace(climber, deck=shuffled(climber.deck, chance)) if other == seat else dealt_anew(climber, chance)
        for other, climber in enumerate(garden.climbers)
    )
    return replace(garden, climbers=climbers)


def dealt_anew(climber: Climber, chance: random.Random) -> Climber:
    cards = shuffled((*climber.hand, *climber.deck), chance)
    held = len(climber.hand)
    assert held <= HAND_SIZE
    return replace(climber, hand=tuple(sorted(cards[:held])), deck=cards[held:])


def shuffled(cards: tuple[int, ...], chance: random.Random) -> tuple[int, ...]:
    return tuple(chance.sample(cards, len(cards)))
