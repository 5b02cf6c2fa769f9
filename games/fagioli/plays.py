"""The plays a seat can make: every card on either pile, with every choice of cards to plant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from games.contract.boxes import load_box
from games.contract.cards import without
from games.contract.errors import Illegal
from games.fagioli.actions import SIDES, Play
from games.fagioli.bursts import count_to_plant, is_burst
from games.fagioli.state import Cards, Pile


class Top(NamedTuple):
    """The value that the next card is compared with."""

    counts: int
    wallet: bool  # whether a card may be played on it face down


BOX = load_box("fagioli")
OPEN_TOPS = {int(value): Top(int(value), bean["wallet"]) for value, bean in BOX["beans"]["values"].items()}
START_TOPS = {card["value"]: Top(card["value"], card["wallet"]) for card in (BOX["start"][side] for side in SIDES)}
HIDDEN_TOP = Top(BOX["face_down"], wallet=False)
BURST_UNREST = 100  # larger than any difference between two cards


def top_of(pile: Pile) -> Top:
    if not pile.cards:
        return START_TOPS[pile.start]
    return HIDDEN_TOP if pile.down else OPEN_TOPS[pile.cards[-1]]


def value_of(card: int, down: bool) -> int:
    return HIDDEN_TOP.counts if down else card


class Plays(dict[Cards, Play]):
    """The plays of one card on one pile, face up or down, by the cards they plant. Each is built once."""

    def __init__(self, card: int, pile: str, down: bool) -> None:
        self.card, self.pile, self.down = card, pile, down

    def __missing__(self, plant: Cards) -> Play:
        self[plant] = play = Play(self.card, self.pile, self.down, plant)
        return play


PLAYS = {(card, pile, down): Plays(card, pile, down) for card in OPEN_TOPS for pile in SIDES for down in (False, True)}


class Lay(NamedTuple):
    """One way to lay a card on a pile, and its effect on a hand of a given size."""

    plays: Plays
    only: tuple[Play, ...]  # the one play, if nothing is planted; empty if there are cards to choose
    bursts: bool
    planted: int  # the number of cards
    unrest: int  # how far it changes the size of the hand; BURST for every burst


def list_lays(hand: Cards, left: Top, right: Top) -> list[Lay]:
    """Return every way to lay a card of a sorted hand: lowest card first, left before right, face up before down."""
    return [
        lay
        for card in dict.fromkeys(hand)
        for pile, top in (("left", left), ("right", right))
        for lay in lays_of_card(card, pile, top, len(hand) - 1)
    ]


@cache
def lays_of_card(card: int, pile: str, top: Top, rest_size: int) -> tuple[Lay, ...]:
    """Return the ways to lay a card on a top: face up, and face down if allowed.

    `rest_size` is the number of other cards in the hand.
    """
    return tuple(
        make_lay(PLAYS[card, pile, down], value_of(card, down) - top.counts, rest_size)
        for down in (False, True)
        if top.wallet or not down
    )


def make_lay(plays: Plays, difference: int, rest_size: int) -> Lay:
    burst, planted = is_burst(rest_size, difference), count_to_plant(rest_size, difference)
    only = () if planted else (plays[()],)
    return Lay(plays, only, burst, planted, BURST_UNREST if burst else abs(difference - 1))


def build_menu(ways: Iterable[Lay], hand: Cards) -> tuple[Play, ...]:
    """Return every possible play."""
    return tuple([play for lay in ways for play in lay.only or plays_of_lay(lay, hand)])


def plays_of_lay(lay: Lay, hand: Cards) -> list[Play]:
    """Return a play for each choice of cards to plant."""
    return [lay.plays[plant] for plant in choices_to_plant(without(hand, (lay.plays.card,)), lay.planted)]


@lru_cache(maxsize=16_384)
def choices_to_plant(rest: Cards, planted: int) -> tuple[Cards, ...]:
    """Return each distinct choice of cards to plant, lowest first.

    >>> choices_to_plant((1, 5, 5), 2)
    ((1, 5), (5, 5))
    """
    return tuple(sorted(set(combinations(rest, planted))))


def steadiest_play(ways: Iterable[Lay], hand: Cards) -> Play:
    """Return the non-bursting play that changes the size of the hand least; of equals, the first.

    >>> hand = (6, 8)
    >>> str(steadiest_play(list_lays(hand, HIDDEN_TOP, OPEN_TOPS[7]), hand))  # it draws one for the one played
    'play 8 right'
    >>> hand = (6, 6)
    >>> str(steadiest_play(list_lays(hand, OPEN_TOPS[7], OPEN_TOPS[9]), hand))  # there is nothing to play but is_burst
    'play 6 left plant 6'
    """
    lay = min(ways, key=attrgetter("unrest"))
    return (lay.only or plays_of_lay(lay, hand))[0]


def compare_with_top(play: Play, left: Top, right: Top) -> int:
    """Return how much more a card counts than the top it is played on."""
    top = left if play.pile == "left" else right
    return value_of(play.card, play.down) - top.counts


def why_not(play: Play, hand: Cards, left: Top, right: Top) -> Illegal:
    """Return a reason the player can act on. Only the asked seat reads it, so it may name cards of the hand."""
    if play.card not in hand:
        return Illegal("You don’t have {card} in your hand.", card=play.card)
    top = left if play.pile == "left" else right
    if play.down and not top.wallet:
        return Illegal("You can only play a card face down on a face-up card with the wallet icon.")
    return why_not_plant(without(hand, (play.card,)), compare_with_top(play, left, right), play.plant)


def why_not_plant(rest: Cards, difference: int, plant: Cards) -> Illegal:
    wanted = count_to_plant(len(rest), difference)
    if plant and difference >= 0:
        return Illegal("That card isn’t lower than the top card, so you don’t plant anything.")
    if not wanted:
        return Illegal(
            "You don’t have {count} cards to plant, so that play bursts and plants nothing.", count=-difference
        )
    if len(plant) != wanted:
        return Illegal("That play plants exactly {wanted} of your cards. Name them after “plant”.", wanted=wanted)
    return Illegal("You don’t have {plant} left to plant.", plant=plant)
