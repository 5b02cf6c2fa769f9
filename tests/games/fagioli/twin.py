"""Another state that looks the same from one seat."""

from __future__ import annotations

import random
from dataclasses import replace

from games.contract.cards import without
from games.fagioli.rules import DECK
from games.fagioli.state import Cards, Choosing, Dealing, Dealt, Farmer, Finished, Pile, State


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """Deal anew everything a seat may not know: hands, planted cards and their numbers, the draw pile, hidden cards."""
    if isinstance(state, Choosing | Dealing):
        return state
    unseen = list(without(DECK, known(state, seat)))
    chance.shuffle(unseen)

    def some(count: int) -> Cards:
        return tuple(sorted(unseen.pop() for _ in range(count)))

    farmers = [
        farmer if other == seat else replace(farmer, hand=some(len(farmer.hand)), planted=())
        for other, farmer in enumerate(state.farmers)
    ]
    draw_pile = tuple(unseen.pop() for _ in state.market.draw_pile)
    left, right = (
        replace(pile, cards=pile.cards[-1:] if shown(pile, seat) else some(len(pile.cards[-1:])))
        for pile in state.market.piles
    )
    for other, farmer in enumerate(state.farmers):
        if other != seat:
            planted = len(farmer.planted) if isinstance(state, Finished) else chance.randint(0, len(unseen))
            farmers[other] = replace(farmers[other], planted=some(planted))
    market = replace(state.market, piles=(left, right), draw_pile=draw_pile, aside=tuple(unseen))
    return replace(state, farmers=tuple(farmers), market=market)


def known(state: Dealt, seat: int | None) -> Cards:
    mine = Farmer(()) if seat is None else state.farmers[seat]
    tops = tuple(pile.cards[-1] for pile in state.market.piles if pile.cards and shown(pile, seat))
    return mine.hand + mine.planted + tops


def shown(pile: Pile, seat: int | None) -> bool:
    """Return whether a seat may see the top. None is a bystander, who has played no card."""
    return not pile.down or pile.by == seat
