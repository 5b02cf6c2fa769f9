"""How a table of Haricots stands. Phases are types: a field exists only where it means something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.chairs import Seat

Cards: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """What a seat has gathered over the rounds."""

    chips: tuple[int, ...] = ()  # the numbers of the rounds it won
    paid: int = 0


@dataclass(frozen=True, slots=True)
class Farmer:
    """A seat during a round."""

    hand: Cards
    deck: Cards  # the personal deck, top card first
    inside: bool = True
    shown: Cards = ()  # the hand it folded, open to all


@dataclass(frozen=True, slots=True)
class Choosing:
    """Before the first round: the dealer says who begins."""

    variant: str
    seats: int


@dataclass(frozen=True, slots=True)
class Dealing:
    """Before each round: the dealer shuffles."""

    variant: str
    round: int
    first: Seat
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Playing:
    variant: str
    round: int
    first: Seat
    tallies: tuple[Tally, ...]
    farmers: tuple[Farmer, ...]
    turn: int  # counted from 1 in each round
    seat: Seat  # whose turn it is
    leader: Seat | None = None  # who played what lies on the table
    lying: Cards = ()
    to_beat: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    variant: str
    rounds: int
    tallies: tuple[Tally, ...]


State: TypeAlias = Choosing | Dealing | Playing | Finished
REMEMBERED = (Tally, Farmer, Choosing, Dealing, Playing, Finished)
