"""What is said at a table of Pas de Haricots."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from games.notation import Action, Kind, SeatLetter, several
from games.pas_de_haricots.deck import RANKS, SUITS

CARD = Kind(f"(?:{'|'.join(RANKS)})(?:{'|'.join(SUITS)})", str.upper)

Card: TypeAlias = Annotated[str, CARD]
Pile: TypeAlias = Annotated[tuple[str, ...], several(CARD)]


class Start(Action):
    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    says = "shuffle {cards}"
    cards: Pile


class Play(Action):
    says = "play {card}"
    card: Card


class Take(Action):
    says = "take {seat}"
    seat: SeatLetter


VOCABULARY = (Start, Shuffle, Play, Take)
