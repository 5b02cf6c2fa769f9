"""Scoring: each suit counts for itself, in whatever order its special cards came."""

from __future__ import annotations

from functools import lru_cache

from games.pas_de_haricots.deck import BOX, DOUBLE, MINUS, NOTHING, SIMPLE, SUITS, Cards, rank, sort_hand, suit
from games.pas_de_haricots.state import Score

DOUBLE_FACTOR: int = BOX["times"]


@lru_cache(maxsize=8_192)
def points(series: Cards) -> int:
    """Return what the cards of one suit count together.

    >>> points(("3S", "5S")), points(("1D", "5D", "ND")), points(("KH",)), points(("2C", "10C", "JC", "0C"))
    (8, -6, 0, 0)
    """
    ranks = [rank(card) for card in series]
    if NOTHING in ranks:
        return 0
    value = sum(SIMPLE.get(rank, 0) for rank in ranks)
    if DOUBLE in ranks:
        value *= DOUBLE_FACTOR
    return -value if sum(rank in MINUS for rank in ranks) % 2 else value


def filter_suit(cards: Cards, wanted: str) -> Cards:
    return tuple([card for card in cards if card[-1] == wanted])


@lru_cache(maxsize=1_024)
def group_by_suit(collected: Cards) -> tuple[Cards, ...]:
    """Return collected cards as they are laid out: one series per suit, special cards last."""
    laid = sort_hand(collected)
    return tuple(filter_suit(laid, wanted) for wanted in SUITS)


@lru_cache(maxsize=1_024)
def score(collected: Cards) -> Score:
    """Return the plus line and the minus line of one round.

    >>> score(("3S", "5S", "ND", "1D", "5D", "KH", "10C", "2C", "JC", "0C"))
    Score(plus=8, minus=-6, sum=2)
    """
    counts = [points(series) for series in group_by_suit(collected)]
    return Score(sum(n for n in counts if n > 0), sum(n for n in counts if n < 0), sum(counts))


def gain(collected: Cards, card: str) -> int:
    """Return how much one more card would raise or lower the score.

    >>> gain(("3S", "5S"), "KS"), gain(("3S", "5S"), "QS"), gain(("3S", "5S"), "KD")
    (8, -16, 0)
    """
    series = filter_suit(collected, suit(card))
    return points((*series, card)) - points(series)


def sum_rounds(sheet: tuple[tuple[Score, ...], ...]) -> tuple[int, ...]:
    """Return each seat's total over the rounds on the sheet."""
    return tuple(sum(score.sum for score in column) for column in zip(*sheet, strict=True))
