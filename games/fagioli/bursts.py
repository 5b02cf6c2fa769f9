"""Bursts: a hand that would grow too large, has too few cards to plant, or is empty at the end of the turn.

A play changes the hand by a difference: how much more (draw) or less (plant) the card counts than the top.
"""

from __future__ import annotations

from games.contract.boxes import load_box
from games.fagioli.state import Farmer, Market

BOX = load_box("fagioli")
MAX_HAND_SIZE: int = BOX["most"]


def is_burst(left: int, difference: int) -> bool:
    """Return whether a play bursts, given the cards left in the hand after it and the difference.

    >>> is_burst(3, 2), is_burst(3, 3)  # five cards can be held, six cannot
    (False, True)
    >>> is_burst(3, -2), is_burst(3, -3), is_burst(3, -4)  # one card is left, none is left, one is missing
    (False, True, True)
    """
    return not 0 < left + difference <= MAX_HAND_SIZE


def count_to_plant(left: int, difference: int) -> int:
    """Return how many cards such a play plants; none if too few are left.

    >>> count_to_plant(3, -2), count_to_plant(3, -3), count_to_plant(3, -4), count_to_plant(3, 2)
    (2, 3, 0, 0)
    """
    return -difference if -left <= difference < 0 else 0


def take_mildest_token(farmer: Farmer, market: Market) -> tuple[Farmer, Market]:
    """Give the mildest token left to the farmer who burst."""
    farmer = Farmer(farmer.hand, farmer.planted, farmer.tokens + market.tokens[:1])
    return farmer, Market(market.piles, market.draw_pile, market.aside, market.tokens[1:])


def set_hand_aside(farmer: Farmer, market: Market) -> tuple[Farmer, Market]:
    """Put the rest of the hand out of play until the next reshuffle."""
    aside = market.aside + farmer.hand
    return Farmer((), farmer.planted, farmer.tokens), Market(market.piles, market.draw_pile, aside, market.tokens)
