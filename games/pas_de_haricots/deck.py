"""The sixty cards of Pas de Haricots, in the order of the box."""

from __future__ import annotations

from typing import TypeAlias

from games.contract.boxes import load_box

Cards: TypeAlias = tuple[str, ...]

BOX = load_box("pas_de_haricots")
SUITS: tuple[str, ...] = tuple(BOX["suits"])
SIMPLE: dict[str, int] = {str(value): value for value in BOX["simple"]}
MINUS: tuple[str, ...] = tuple(BOX["minus"])
DOUBLE: str = BOX["double"]
NOTHING: str = BOX["nothing"]
RANKS: tuple[str, ...] = (*SIMPLE, *MINUS, DOUBLE, NOTHING)

DECK: Cards = tuple(rank + suit for suit in SUITS for rank in RANKS)
HAND_ORDER = {card: place for place, card in enumerate(DECK)}  # suit by suit, special cards last
RANK_ORDER = {card: place for place, card in enumerate(rank + suit for rank in RANKS for suit in SUITS)}


def suit(card: str) -> str:
    return card[-1]


def rank(card: str) -> str:
    return card[:-1]


def is_simple(card: str) -> bool:
    return rank(card) in SIMPLE


def sort_hand(cards: Cards) -> Cards:
    """Return cards in the order in which players hold them and lay them out.

    >>> sort_hand(("KH", "0S", "10S", "2S"))
    ('2S', '10S', '0S', 'KH')
    """
    return tuple(sorted(cards, key=HAND_ORDER.__getitem__))


def lowest_card(cards: Cards) -> str:
    """Return the lowest simple card, or else the lowest special one; of equals, the first suit.

    >>> lowest_card(("9S", "3C", "3D")), lowest_card(("0S", "KH", "QC"))
    ('3D', 'QC')
    """
    return min(cards, key=RANK_ORDER.__getitem__)
