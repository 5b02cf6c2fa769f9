"""The states of a table of Haricots. Each phase is a type: a field exists only where it means something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.contract.seats import Seat

Cards: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums that a seat has won and paid over the rounds."""

    chips: tuple[int, ...] = ()  # the numbers of the rounds it won
    paid: int = 0


@dataclass(frozen=True, slots=True)
class Farmer:
    """A seat during a round."""

    hand: Cards
    deck: Cards  # the personal deck, top card first
    inside: bool = True
    shown: Cards = ()  # the hand it folded, visible to all


Tallies: TypeAlias = tuple[Tally, ...]
Farmers: TypeAlias = tuple[Farmer, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """The cards on the table."""

    cards: Cards = ()
    to_beat: int = 0  # what they are worth
    leader: Seat | None = None  # the seat that played them


EMPTY_TABLE = Lying()


@dataclass(frozen=True, slots=True)
class Choosing:
    """Before the first round: the dealer names the first player."""

    variant: str
    seats: int


@dataclass(frozen=True, slots=True)
class Dealing:
    """Before each round: the dealer shuffles."""

    variant: str
    round: int
    first: Seat
    tallies: Tallies


@dataclass(frozen=True, slots=True)
class Playing:
    variant: str
    round: int
    first: Seat
    tallies: Tallies
    farmers: Farmers
    turn: int  # counted from 1 in each round
    seat: Seat  # the seat whose turn it is
    lying: Lying = EMPTY_TABLE


@dataclass(frozen=True, slots=True)
class Finished:
    variant: str
    rounds: int
    tallies: Tallies


State: TypeAlias = Choosing | Dealing | Playing | Finished
REMEMBERED = (Tally, Farmer, Lying, Choosing, Dealing, Playing, Finished)
