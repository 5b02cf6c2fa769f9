"""Preferences among cards, as a player writes them.

`highest S else lowest minus else best` is read from left to right. A preference that fits no card is skipped; one that
fits several cards passes only those on to the next. The preferences decide if exactly one card is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Annotated, TypeAlias

from games.contract.notation import SEAT, Action, Kind, several
from games.contract.phrases import Phrase, Who
from games.contract.seats import LETTERS, Seat
from games.pas_de_haricots.actions import CARD, Take
from games.pas_de_haricots.deck import MINUS, RANK_ORDER, RANKS, SUITS, Cards, is_simple, rank, suit
from games.pas_de_haricots.scoring import gain

# Words in lower case; cards, suits and seats are in upper case.
LOWER_CASE_WORDS = ("best", "first", "wanted", "unwanted", "highest", "lowest", "simple", "minus", "from")

Offered: TypeAlias = dict[Action, str]  # the possible answers, each with its card


def normalise_wish(wish: str) -> str:
    """Return a preference as it is stored.

    >>> normalise_wish("HIGHEST s"), normalise_wish("kd"), normalise_wish("From b")
    ('highest S', 'KD', 'from B')
    """
    return " ".join(word.lower() if word.lower() in LOWER_CASE_WORDS else word.upper() for word in wish.split(" "))


WISH = f"(?:(?:highest|lowest) )?(?:simple|minus|{'|'.join(SUITS)})|{CARD.pattern}"
Wishes: TypeAlias = Annotated[tuple[str, ...], several(Kind(f"unwanted|{WISH}", normalise_wish), separator=" else ")]
TakingWishes: TypeAlias = Annotated[
    tuple[str, ...],
    several(Kind(f"best|first|wanted|from (?:{SEAT.pattern})|{WISH}", normalise_wish), separator=" else "),
]


WISH_NAMES = {
    "best": Phrase("the card worth most to you"),
    "first": Phrase("the next one clockwise"),
    "wanted": Phrase("the most wanted card"),
    "unwanted": Phrase("the least wanted card"),
    "simple": Phrase("a number card"),
    "minus": Phrase("a minus card"),
    "S": Phrase("a spade"),
    "H": Phrase("a heart"),
    "D": Phrase("a diamond"),
    "C": Phrase("a club"),
    "highest simple": Phrase("the highest number card"),
    "highest minus": Phrase("the highest minus card"),
    "highest S": Phrase("the highest spade"),
    "highest H": Phrase("the highest heart"),
    "highest D": Phrase("the highest diamond"),
    "highest C": Phrase("the highest club"),
    "lowest simple": Phrase("the lowest number card"),
    "lowest minus": Phrase("the lowest minus card"),
    "lowest S": Phrase("the lowest spade"),
    "lowest H": Phrase("the lowest heart"),
    "lowest D": Phrase("the lowest diamond"),
    "lowest C": Phrase("the lowest club"),
}
BEST = ("best", "wanted", "first")  # settles every tie, so that nobody waits
BEST_NAME = Phrase("the card worth most to you (ties: most wanted, then clockwise)")


def describe_wishes(wishes: tuple[str, ...]) -> Phrase:
    """Return the preferences in words, in order.

    >>> str(describe_wishes(("highest S", "KD", "from B")))
    'the highest spade, or else KD, or else B’s card'
    """
    names = list(map(describe_wish, wishes))
    if wishes[-len(BEST) :] == BEST:
        names[-len(BEST) :] = [BEST_NAME]
    return reduce(lambda some, more: Phrase("{some}, or else {more}", some=some, more=more), names)


def describe_tie(wishes: tuple[str, ...]) -> Phrase | None:
    """Return what happens if the first preference fits no card or several; None if that takes a list to say."""
    match wishes:
        case (wish,) if wish in WISH_NAMES and wish != "first":
            return Phrase("we ask you")
        case (wish, "first") if wish in WISH_NAMES:
            return WISH_NAMES["first"]
    return None


def describe_wish(wish: str) -> Phrase:
    if wish.startswith("from "):
        return Phrase("{who}’s card", who=Who(LETTERS.index(wish[-1])))
    return WISH_NAMES.get(wish) or Phrase("{card}", card=wish)


@dataclass(frozen=True)
class Situation:
    """The cards that preferences depend on: the chooser's own, those of the others, and the seats clockwise."""

    mine: Cards = ()
    others: tuple[Cards, ...] = ()
    clockwise: tuple[Seat, ...] = ()

    def worth_to_others(self, card: str) -> int:
        return sum(gain(other, card) for other in self.others)


def decide(wishes: tuple[str, ...], offered: Offered, situation: Situation | None = None) -> Action | None:
    """Return the one answer left after applying each preference in turn, or None if several are left.

    >>> offered = {Take(1): "9S", Take(2): "9H", Take(3): "KH"}
    >>> print(decide(("highest simple",), offered), decide(("highest simple", "H"), offered))
    None take C
    """
    for wish in wishes:
        offered = apply_wish(wish, offered, situation or Situation()) or offered
    return next(iter(offered)) if len(offered) == 1 else None


def apply_wish(wish: str, offered: Offered, situation: Situation) -> Offered:
    match wish.split(" "):
        case ["best"]:
            return keep_best(offered, lambda card: gain(situation.mine, card))
        case ["first"]:
            takes = map(Take, situation.clockwise)
            return next(({take: offered[take]} for take in takes if take in offered), {})
        case ["wanted"]:
            return keep_best(offered, situation.worth_to_others)
        case ["unwanted"]:
            least = keep_best(offered, lambda card: -situation.worth_to_others(card))
            return keep_best(least, lambda card: -RANK_ORDER[card])
        case ["highest", kind]:
            return keep_best(keep_kind(kind, offered, ranked=True), rank_index)
        case ["lowest", kind]:
            return keep_best(keep_kind(kind, offered, ranked=True), lambda card: -rank_index(card))
        case ["from", seat]:
            return {answer: card for answer, card in offered.items() if answer == Take(LETTERS.index(seat))}
    return keep_kind(wish, offered)


def keep_best(offered: Offered, merit: Callable[[str], int]) -> Offered:
    """Return the answers whose cards have the greatest merit, one or several."""
    greatest = max(map(merit, offered.values()), default=0)
    return {answer: card for answer, card in offered.items() if merit(card) == greatest}


def rank_index(card: str) -> int:
    return RANKS.index(rank(card))


def keep_kind(kind: str, offered: Offered, *, ranked: bool = False) -> Offered:
    """Return the cards of a kind. With `ranked`, a suit means its simple cards: a king is neither high nor low."""
    return {answer: card for answer, card in offered.items() if is_of_kind(card, kind, ranked)}


def is_of_kind(card: str, kind: str, ranked: bool) -> bool:
    if kind == "simple":
        return is_simple(card)
    if kind == "minus":
        return rank(card) in MINUS
    if kind in SUITS:
        return suit(card) == kind and (is_simple(card) or not ranked)
    return card == kind
