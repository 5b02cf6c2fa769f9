"""Another world that looks the same from one seat."""

from __future__ import annotations

import random
from dataclasses import replace

from games.cards import without
from games.haricots.actions import Fold
from games.haricots.rules import DECK
from games.haricots.state import Playing, State

REVEALS = (Fold,)  # what is said in order to show something hidden


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """All that a seat may not know is dealt anew: the other hands, every personal deck, the cards out of play."""
    if not isinstance(state, Playing):
        return state
    known = () if seat is None else state.farmers[seat].hand
    unseen = list(without(DECK, known))
    chance.shuffle(unseen)
    farmers = []
    for other, farmer in enumerate(state.farmers):
        hand = farmer.hand if other == seat else tuple(sorted(unseen.pop() for _ in farmer.hand))
        farmers.append(replace(farmer, hand=hand, deck=tuple(unseen.pop() for _ in farmer.deck)))
    return replace(state, farmers=tuple(farmers))
