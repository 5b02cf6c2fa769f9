"""Another state that looks the same from one seat."""

from __future__ import annotations

import random
from dataclasses import replace

from games.bohnanza.state import Choosing, Dealing, Layout, Market, State
from games.bohnanza.trading import list_open_offers


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """Deal anew everything a seat may not know: the pile and the other hands.

    Cards named in open offers stay in place: everybody knows that they are in that hand.
    """
    if isinstance(state, (Choosing, Dealing)):
        return state
    return replace(state, layout=dealt_anew(state.layout, seat, promised(state), chance))


def promised(state: State) -> set[tuple[int, int]]:
    """Return the hand cards named in open offers, as (seat, place)."""
    if not isinstance(state, Market):
        return set()
    return {(deal.by, state.places[deal.by].index(card)) for deal in list_open_offers(state) for card in deal.cards}


def dealt_anew(layout: Layout, seat: int | None, promised: set[tuple[int, int]], chance: random.Random) -> Layout:
    hidden = [
        (other, at)
        for other, farmer in enumerate(layout.farmers)
        if other != seat
        for at in range(len(farmer.hand))
        if (other, at) not in promised
    ]
    unseen = [*layout.pile, *(layout.farmers[other].hand[at] for other, at in hidden)]
    chance.shuffle(unseen)
    dealt = {spot: unseen.pop() for spot in hidden}
    farmers = tuple(
        replace(farmer, hand=tuple(dealt.get((other, at), card) for at, card in enumerate(farmer.hand)))
        for other, farmer in enumerate(layout.farmers)
    )
    return replace(layout, farmers=farmers, pile=tuple(unseen))
