"""Another state that looks the same from one seat."""

from __future__ import annotations

import random
from dataclasses import replace

from games.contract.cards import without
from games.haricots.actions import Fold
from games.haricots.rules import DECK
from games.haricots.state import Choosing, Farmer, Finished, Playing, State, Tally

REVEALS = (Fold,)  # lines that reveal something hidden


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """Deal anew everything a seat may not know."""
    if isinstance(state, Choosing | Finished):
        return state
    state = replace(state, tallies=other_totals(state.tallies, seat, chance))
    return replace(state, farmers=other_cards(state, seat, chance)) if isinstance(state, Playing) else state


def other_totals(tallies: tuple[Tally, ...], seat: int | None, chance: random.Random) -> tuple[Tally, ...]:
    """Replace the other seats' payments, which are secret."""
    return tuple(
        tally if other == seat else replace(tally, paid=chance.randrange(40)) for other, tally in enumerate(tallies)
    )


def other_cards(state: Playing, seat: int | None, chance: random.Random) -> tuple[Farmer, ...]:
    """Shuffle the other hands, all personal decks and the cards out of play together, and deal them again."""
    known = () if seat is None else state.farmers[seat].hand
    unseen = list(without(DECK, known))
    chance.shuffle(unseen)
    farmers = []
    for other, farmer in enumerate(state.farmers):
        hand = farmer.hand if other == seat else tuple(sorted(unseen.pop() for _ in farmer.hand))
        farmers.append(replace(farmer, hand=hand, deck=tuple(unseen.pop() for _ in farmer.deck)))
    return tuple(farmers)
