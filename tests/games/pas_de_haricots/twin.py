"""Another state that looks the same from one seat."""

from __future__ import annotations

import random
from dataclasses import replace

from games.pas_de_haricots.deck import sort_hand
from games.pas_de_haricots.state import Leading, Sealing, State, Taking


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """Deal anew everything a seat may not know: the other hands, and the cards the others have sealed."""
    if not isinstance(state, (Leading, Sealing, Taking)):
        return state
    played = state.played if isinstance(state, Sealing) else (None,) * len(state.farmers)
    hidden = [n for n in range(len(state.farmers)) if n != seat]
    sealed = {n: card for n in hidden if (card := played[n]) and n != state.holder}
    unseen = [*sealed.values(), *(card for n in hidden for card in state.farmers[n].hand)]
    chance.shuffle(unseen)
    played = tuple(unseen.pop() if n in sealed else card for n, card in enumerate(played))
    farmers = tuple(
        replace(farmer, hand=sort_hand(tuple(unseen.pop() for _ in farmer.hand))) if n in hidden else farmer
        for n, farmer in enumerate(state.farmers)
    )
    if isinstance(state, Sealing):
        return replace(state, farmers=farmers, played=played)
    return replace(state, farmers=farmers)
