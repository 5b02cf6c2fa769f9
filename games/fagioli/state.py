"""The states of a table of Fagioli. Each phase is a type: a field exists only where it means something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.contract.seats import Seat

Cards: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Farmer:
    """A seat: its hand, its planted cards, and the penalty tokens it took."""

    hand: Cards
    planted: Cards = ()
    tokens: Cards = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """One of the two piles that cards are played on. Only its top counts."""

    start: int  # the start card at the bottom
    cards: Cards = ()  # the last one lies on top
    down: bool = False  # whether the top lies face down
    by: Seat | None = None  # the seat that played the top


@dataclass(frozen=True, slots=True)
class Market:
    """The cards and tokens on the table."""

    piles: tuple[Pile, Pile]  # left and right
    draw_pile: Cards  # top card first
    aside: Cards  # hands set aside after bursts, face down
    tokens: Cards  # the penalty tokens left, mildest first


@dataclass(frozen=True, slots=True)
class Choosing:
    """First, the dealer names the first player."""

    seats: int


@dataclass(frozen=True, slots=True)
class Dealing:
    """Then the dealer shuffles."""

    seats: int
    first: Seat


@dataclass(frozen=True, slots=True)
class Playing:
    first: Seat
    farmers: tuple[Farmer, ...]
    market: Market
    turn: int  # counted from 1
    seat: Seat  # the seat whose turn it is


@dataclass(frozen=True, slots=True)
class Reshuffling:
    """The draw pile ran out in mid-turn: the dealer shuffles a new one."""

    first: Seat
    farmers: tuple[Farmer, ...]
    market: Market
    turn: int
    seat: Seat
    owed: int  # cards the seat still has to draw


@dataclass(frozen=True, slots=True)
class Finished:
    first: Seat
    farmers: tuple[Farmer, ...]
    market: Market


Dealt: TypeAlias = Playing | Reshuffling | Finished
State: TypeAlias = Choosing | Dealing | Dealt
REMEMBERED = (Farmer, Pile, Market, Choosing, Dealing, Playing, Reshuffling, Finished)
