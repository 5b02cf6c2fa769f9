"""What is said at a table of Pas de Haricots."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from games.notation import Action, Kind, SeatLetter, several
from games.pas_de_haricots.deck import RANKS, SUITS

CARD = Kind(f"(?:{'|'.join(RANKS)})(?:{'|'.join(SUITS)})", str.upper)

Card: TypeAlias = Annotated[str, CARD]
Pile: TypeAlias = Annotated[tuple[str, ...], several(CARD)]


class Start(Action):
    """The dealer: this seat holds the bean first; once in each game."""

    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    """The dealer: all cards in their new order, the top one first; once in each round."""

    says = "shuffle {cards}"
    cards: Pile


class Play(Action):
    """A card of one's hand, rank before suit: open by the holder of the bean, face down by the others."""

    says = "play {card}"
    card: Card


class Take(Action):
    """The card that this seat has played."""

    says = "take {seat}"
    seat: SeatLetter


VOCABULARY = (Start, Shuffle, Play, Take)
