"""A careful planter of Fagioli. It sees a view and a question, nothing else.

It weighs what a play plants or costs now against what the cards it keeps promise for the next turn.
"""

from __future__ import annotations

from functools import lru_cache

from games.cards import without
from games.fagioli.actions import Play
from games.fagioli.bursts import bursts
from games.fagioli.plays import HIDDEN, OPEN, Top, counts
from games.fagioli.state import Cards
from games.fagioli.view import View, difference
from games.notation import Action
from games.rules import Ask

TOPS = (*OPEN.values(), HIDDEN)  # what may lie on a pile by the next turn, each taken to be as likely
NEXT_TURN = 0.8  # a card that may be planted next turn is worth so much of one planted now
UNKNOWN_HAND = 1.2  # what a hand promises before it has been seen
NEXT_BURST = 3  # what having nothing to play but a burst would cost
CLEAN_SLATE = 2  # what a first token costs beside its penalty


def choose(view: View, ask: Ask) -> Action:
    return max((play for play in ask.menu if isinstance(play, Play)), key=lambda play: worth(view, play))


def worth(view: View, play: Play) -> float:
    """Thalers won and lost now, and a share of what may be won next turn."""
    change = difference(view, play)
    planted = len(play.plant)
    if bursts(len(view.hand) - 1, change):
        return planted - cost_of_a_burst(view) + NEXT_TURN * UNKNOWN_HAND
    kept = without(view.hand, (play.card, *play.plant))
    return planted + NEXT_TURN * outlook(kept, len(kept) + max(change, 0))


def cost_of_a_burst(view: View) -> int:
    taken = any(neighbour.tokens for neighbour in view.seats if neighbour.seat == view.me)
    return view.tokens[0] + CLEAN_SLATE * (not taken)


@lru_cache(maxsize=4_096)
def outlook(kept: Cards, size: int) -> float:
    """What known cards in a hand of some size promise, given the better of two unknown tops."""
    promises = sorted(promise(kept, size, lies) for lies in TOPS)
    # Of two picked at random, the one in place n, counted from the least, is the better 2n + 1 times.
    return sum((2 * n + 1) * promised for n, promised in enumerate(promises)) / len(promises) ** 2


def promise(kept: Cards, size: int, lies: Top) -> float:
    """The most that could be planted on a top without a burst."""
    if not kept:
        return UNKNOWN_HAND
    changes = [counts(card, down) - lies.counts for card in kept for down in {False, lies.wallet}]
    return max((max(-change, 0) for change in changes if not bursts(size - 1, change)), default=-NEXT_BURST)
