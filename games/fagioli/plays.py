"""What a seat can play: every card on either pile, with every choice of cards to plant."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

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


def top(pile: Pile) -> Top:
    if not pile.cards:
        return START[pile.start]
    return HIDDEN if pile.down else OPEN[pile.cards[-1]]


def counts(card: int, down: bool) -> int:
    return HIDDEN.counts if down else card


@lru_cache(maxsize=16_384)
def plays(hand: Cards, left: Top, right: Top) -> tuple[Play, ...]:
    """Everything a hand can play: lowest card first, left before right, face up before down, lowest planted first."""
    return tuple(
        play
        for card in sorted(set(hand))
        for rest in [without(hand, (card,))]
        for pile, lies in (("left", left), ("right", right))
        for play in ways(card, rest, pile, lies)
    )


def ways(card: int, rest: Cards, pile: str, lies: Top) -> list[Play]:
    """Every way to play one card on one pile, with the rest of the hand to plant from."""
    return [
        ready(card, pile, down, plant)
        for down in ((False, True) if lies.wallet else (False,))
        for plant in choices(rest, to_plant(len(rest), counts(card, down) - lies.counts))
    ]


@cache
def choices(rest: Cards, wanted: int) -> tuple[Cards, ...]:
    """The cards that could be planted, once for each different choice.

    >>> choices((1, 5, 5), 2), choices((1, 5, 5), 0)
    (((1, 5), (5, 5)), ((),))
    """
    return tuple(sorted(set(combinations(rest, wanted))))


@cache
def ready(card: int, pile: str, down: bool, plant: Cards) -> Play:
    return Play(card, pile, down, plant)


@lru_cache(maxsize=16_384)
def steadiest(hand: Cards, left: Top, right: Top) -> Play:
    """Of the plays that do not burst, the one that changes the size of the hand least; of equals the first.

    >>> str(steadiest((6, 8), HIDDEN, OPEN[7]))  # it draws one for the one played
    'play 8 right'
    >>> str(steadiest((6, 6), OPEN[7], OPEN[9]))  # there is nothing to play but bursts
    'play 6 left plant 6'
    """

    def unrest(play: Play) -> tuple[bool, int]:
        change = compared(play, left, right)
        if bursts(len(hand) - 1, change):
            return True, 0  # where all burst they are all alike
        return False, abs(change - 1)

    return min(plays(hand, left, right), key=unrest)


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
