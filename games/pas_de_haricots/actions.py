"""The moves of Pas de Haricots, as sentences."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from games.contract.notation import Action, Kind, SeatLetter, several
from games.pas_de_haricots.deck import RANKS, SUITS

CARD = Kind(f"(?:{'|'.join(RANKS)})(?:{'|'.join(SUITS)})", str.upper)

Card: TypeAlias = Annotated[str, CARD]
Pile: TypeAlias = Annotated[tuple[str, ...], several(CARD)]


class Start(Action):
    """The dealer: this seat holds the bean first; once in each game."""

    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    """The dealer: all cards in their new order, top card first; once in each round."""

    says = "shuffle {cards}"
    cards: Pile


class Play(Action):
    """Play a card of your hand, rank before suit: face up if you hold the bean, face down otherwise."""

    says = "play {card}"
    card: Card


class Take(Action):
    """Take the card that this seat played."""

    says = "take {seat}"
    seat: SeatLetter


VOCABULARY = (Start, Shuffle, Play, Take)
