"""The states of a table of Pas de Haricots. Each phase is a type: a field exists only where it means something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.contract.seats import Seat
from games.pas_de_haricots.deck import Cards


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's entry on the score sheet for one round."""

    plus: int
    minus: int  # a negative number, or 0
    sum: int


Row: TypeAlias = tuple[Score, ...]  # a row of the score sheet: every seat's score in one round


@dataclass(frozen=True, slots=True)
class Farmer:
    """A seat during a round."""

    hand: Cards
    collected: Cards = ()  # visible to all, in the order taken


@dataclass(frozen=True, slots=True)
class Choosing:
    """Before the first round: the dealer names the holder of the bean."""

    variant: str
    seats: int


@dataclass(frozen=True, slots=True)
class Dealing:
    """Before each round: the dealer shuffles."""

    variant: str
    seats: int
    round: int
    holder: Seat
    sheet: tuple[Row, ...]  # by round, then by seat


@dataclass(frozen=True, slots=True)
class Leading:
    """The holder of the bean plays an open card."""

    variant: str
    round: int
    turn: int  # counted from 1 in each round
    holder: Seat
    sheet: tuple[Row, ...]
    farmers: tuple[Farmer, ...]


@dataclass(frozen=True, slots=True)
class Sealing:
    """The others choose their cards, all at the same time and face down."""

    variant: str
    round: int
    turn: int
    holder: Seat
    sheet: tuple[Row, ...]
    farmers: tuple[Farmer, ...]
    played: tuple[str | None, ...]  # by seat; None: not chosen yet. Only the holder's card is open.


@dataclass(frozen=True, slots=True)
class Taking:
    """All cards are open, and the seats take one each, in turn."""

    variant: str
    round: int
    turn: int
    holder: Seat
    sheet: tuple[Row, ...]
    farmers: tuple[Farmer, ...]
    lying: tuple[str | None, ...]  # by the seat that played it; None: taken
    taker: Seat


@dataclass(frozen=True, slots=True)
class Finished:
    variant: str
    sheet: tuple[Row, ...]
    collected: tuple[Cards, ...]  # the cards each seat had collected when the last round ended


State: TypeAlias = Choosing | Dealing | Leading | Sealing | Taking | Finished
REMEMBERED = (Score, Farmer, Choosing, Dealing, Leading, Sealing, Taking, Finished)
