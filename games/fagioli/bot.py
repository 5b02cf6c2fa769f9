"""A careful planter of Fagioli. It sees only a view and a question.

It weighs what a play plants or costs now against what the kept cards promise for the next turn.
"""

from __future__ import annotations

from functools import lru_cache

from games.contract.asks import Ask
from games.contract.cards import without
from games.contract.notation import Action
from games.fagioli.actions import Play
from games.fagioli.bursts import is_burst
from games.fagioli.plays import HIDDEN_TOP, OPEN_TOPS, Top, value_of
from games.fagioli.state import Cards
from games.fagioli.view import View, difference

POSSIBLE_TOPS = (*OPEN_TOPS.values(), HIDDEN_TOP)  # the tops a pile may have by the next turn, assumed equally likely
NEXT_TURN_WEIGHT = 0.8  # the value of a card that may be planted next turn, against one planted now
UNKNOWN_HAND_VALUE = 1.2  # what an unseen hand promises
NEXT_BURST_COST = 3  # the cost of having only plays that burst
FIRST_TOKEN_COST = 2  # the cost of a first token, beside its penalty


def choose(view: View, ask: Ask) -> Action:
    return max((play for play in ask.menu if isinstance(play, Play)), key=lambda play: estimate_play(view, play))


def estimate_play(view: View, play: Play) -> float:
    """Return the Thalers won and lost now, plus a share of what may be won next turn."""
    change = difference(view, play)
    planted = len(play.plant)
    if is_burst(len(view.hand) - 1, change):
        return planted - cost_of_a_burst(view) + NEXT_TURN_WEIGHT * UNKNOWN_HAND_VALUE
    kept = without(view.hand, (play.card, *play.plant))
    return planted + NEXT_TURN_WEIGHT * estimate_next_turn(kept, len(kept) + max(change, 0))


def cost_of_a_burst(view: View) -> int:
    taken = any(neighbour.tokens for neighbour in view.seats if neighbour.seat == view.me)
    return view.tokens[0] + FIRST_TOKEN_COST * (not taken)


@lru_cache(maxsize=4_096)
def estimate_next_turn(kept: Cards, size: int) -> float:
    """Return what known cards in a hand of some size promise, given the better of two unknown tops."""
    estimates = sorted(estimate_on_top(kept, size, top) for top in POSSIBLE_TOPS)
    # Of two values picked at random, the nth smallest (from 0) is the larger one in 2n + 1 cases.
    return sum((2 * n + 1) * estimate for n, estimate in enumerate(estimates)) / len(estimates) ** 2


def estimate_on_top(kept: Cards, size: int, top: Top) -> float:
    """Return the most cards that could be planted on a top without a burst."""
    if not kept:
        return UNKNOWN_HAND_VALUE
    changes = [value_of(card, down) - top.counts for card in kept for down in {False, top.wallet}]
    return max((max(-change, 0) for change in changes if not is_burst(size - 1, change)), default=-NEXT_BURST_COST)
