"""What a seat can play: every card on either pile, with every choice of cards to plant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from games.cards import without
from games.errors import Illegal
from games.fagioli.actions import SIDES, Play
from games.fagioli.bursts import bursts, to_plant
from games.fagioli.state import Cards, Pile
from games.seeds import box


class Top(NamedTuple):
    """What the next card is compared with."""

    counts: int
    wallet: bool  # whether a card may be played on it face down


BOX = box("fagioli")
OPEN = {int(value): Top(int(value), bean["wallet"]) for value, bean in BOX["beans"]["values"].items()}
START = {card["value"]: Top(card["value"], card["wallet"]) for card in (BOX["start"][side] for side in SIDES)}
HIDDEN = Top(BOX["face_down"], wallet=False)
BURST = 100  # more unrest than any difference between two cards


def top(pile: Pile) -> Top:
    if not pile.cards:
        return START[pile.start]
    return HIDDEN if pile.down else OPEN[pile.cards[-1]]


def counts(card: int, down: bool) -> int:
    return HIDDEN.counts if down else card


class Lay(NamedTuple):
    """A card on a top, face up or down, and what follows from it for a hand of some size."""

    down: bool
    bursts: bool
    planted: int  # how many cards
    unrest: int  # how far it changes the size of the hand; a burst more than anything, and one like another


Way: TypeAlias = tuple[Lay, list[Play]]  # one card on one pile, with a play for each choice of cards to plant


def ways(hand: Cards, left: Top, right: Top) -> list[Way]:
    """Every way to lay a card: lowest card first, left before right, face up before down."""
    return [
        (lay, [ready(card, pile, lay.down, plant) for plant in choices(rest if lay.planted else (), lay.planted)])
        for card in dict.fromkeys(sorted(hand))
        for rest in [without(hand, (card,))]
        for pile, lies in (("left", left), ("right", right))
        for lay in lays(card, lies, len(rest))
    ]


@cache
def lays(card: int, lies: Top, left: int) -> list[Lay]:
    """A card on a top, with so many cards left in the hand to plant from: face up, and down if it may be."""
    return [lay(down, counts(card, down) - lies.counts, left) for down in (False, True) if lies.wallet or not down]


def lay(down: bool, difference: int, left: int) -> Lay:
    burst = bursts(left, difference)
    return Lay(down, burst, to_plant(left, difference), BURST if burst else abs(difference - 1))


@lru_cache(maxsize=16_384)
def choices(rest: Cards, planted: int) -> tuple[Cards, ...]:
    """The cards that could be planted, once for each different choice, lowest first.

    >>> choices((1, 5, 5), 2), choices((1, 5, 5), 0)
    (((1, 5), (5, 5)), ((),))
    """
    return tuple(sorted(set(combinations(rest, planted))))


@lru_cache(maxsize=16_384)
def ready(card: int, pile: str, down: bool, plant: Cards) -> Play:
    return Play(card, pile, down, plant)


def plays(ways: Iterable[Way]) -> tuple[Play, ...]:
    """Everything that can be played."""
    return tuple([play for _, found in ways for play in found])


def steadiest(ways: Iterable[Way]) -> Play:
    """Of the plays that do not burst, the one that changes the size of the hand least; of equals the first.

    >>> str(steadiest(ways((6, 8), HIDDEN, OPEN[7])))  # it draws one for the one played
    'play 8 right'
    >>> str(steadiest(ways((6, 6), OPEN[7], OPEN[9])))  # there is nothing to play but bursts
    'play 6 left plant 6'
    """
    _, found = min(ways, key=lambda way: way[0].unrest)
    return found[0]


def compared(play: Play, left: Top, right: Top) -> int:
    """How much more a card counts than the top it is played on."""
    lies = left if play.pile == "left" else right
    return counts(play.card, play.down) - lies.counts


def why_not(play: Play, hand: Cards, left: Top, right: Top) -> Illegal:
    """A reason a player can do something with. Only the asked seat hears it, so its hand may be named."""
    if play.card not in hand:
        return Illegal("You do not have {card} in your hand.", card=play.card)
    lies = left if play.pile == "left" else right
    if play.down and not lies.wallet:
        return Illegal("A card goes face down only onto an open card with the wallet icon.")
    return why_not_plant(without(hand, (play.card,)), compared(play, left, right), play.plant)


def why_not_plant(rest: Cards, difference: int, plant: Cards) -> Illegal:
    wanted = to_plant(len(rest), difference)
    if plant and difference >= 0:
        return Illegal("That card is not lower than the top: nothing is planted.")
    if not wanted:
        return Illegal("You have too few cards to plant {count}: that play bursts and plants none.", count=-difference)
    if len(plant) != wanted:
        return Illegal("That play plants exactly {wanted} of your cards: name them after “plant”.", wanted=wanted)
    return Illegal("You do not have {plant} left to plant.", plant=plant)
