"""The states of a table of Bohnanza. Each phase is a type: a field exists only where it means something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.contract.seats import Seat

Beans: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Field:
    bean: str | None = None  # None: nothing grows here
    count: int = 0


@dataclass(frozen=True, slots=True)
class Farmer:
    """A seat and all it owns."""

    hand: Beans  # a queue: the front card first
    fields: tuple[Field, ...]
    coins: Beans = ()  # the cards turned into coins, earliest first


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of the table that exist in every phase."""

    turn: int  # counted from 1
    seat: Seat  # the active seat
    farmers: tuple[Farmer, ...]
    pile: Beans  # top card first
    discard: Beans = ()  # top card last
    exhaustions: int = 0  # how often the pile has run out
    out: Beans = ()  # cards paid for third fields in the duel


@dataclass(frozen=True, slots=True)
class Deal:
    """An offer in the market. Whether it stands is derived: see trading.has_its_cards."""

    number: int  # counted from 1 in each turn
    by: Seat
    to: Seat | None  # None: to all
    gives: Beans  # `stink` from the hand, `*stink` from the face-up cards
    wants: Beans
    cards: tuple[int, ...]  # the very hand cards it binds, by their place when the market opened
    declined: tuple[Seat, ...] = ()
    accepted: Seat | None = None
    withdrawn: bool = False
    answers: int | None = None  # the number of the offer it counters


# ── the phases ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Choosing:
    """Before the game: the dealer names the first player."""

    seats: int


@dataclass(frozen=True, slots=True)
class Dealing:
    """Before the game: the dealer shuffles."""

    seats: int
    first: Seat


@dataclass(frozen=True, slots=True)
class Sowing:
    """Phase 1: the active seat plants from the front of its hand."""

    layout: Layout
    planted: int = 0


@dataclass(frozen=True, slots=True)
class TurningUp:
    """The pile ran out while cards were turned up: the dealer shuffles, then the rest is turned up."""

    layout: Layout
    up: Beans
    owed: int


@dataclass(frozen=True, slots=True)
class Market:
    """Phase 2: the active seat deals with the others."""

    layout: Layout
    up: Beans  # the face-up cards, in the order turned up
    aside: tuple[Beans, ...]  # by seat, in the order received
    places: tuple[tuple[int, ...], ...]  # by seat: the place of each hand card when the market opened
    offers: tuple[Deal, ...]
    no_deal: tuple[Seat, ...]  # the seats that have nothing (more) to offer
    heard: tuple[int, ...]  # by seat: the number of offers when it last spoke; -1: it has not spoken


@dataclass(frozen=True, slots=True)
class Planting:
    """Phase 3: all seats plant the cards they set aside, in parallel."""

    layout: Layout
    aside: tuple[Beans, ...]
    choosers: tuple[Seat, ...]  # seats whose cards did not all fit: they are asked about every one


@dataclass(frozen=True, slots=True)
class Drawing:
    """The pile ran out in phase 4 while cards were drawn: the dealer shuffles, then the rest is drawn."""

    layout: Layout
    owed: int


@dataclass(frozen=True, slots=True)
class Offered:
    """Duel, step 1: the active seat plants or discards the cards the other left."""

    layout: Layout
    offer: Beans


@dataclass(frozen=True, slots=True)
class Tending:
    """Duel, step 2: the active seat plants from the front of its hand and may discard a card."""

    layout: Layout
    planted: int = 0


@dataclass(frozen=True, slots=True)
class Picking:
    """Duel, step 3: the active seat plants any of the face-up cards and leaves the rest."""

    layout: Layout
    up: Beans


@dataclass(frozen=True, slots=True)
class Finished:
    layout: Layout
    lost: Beans = ()  # the duel's last offer, which nobody gets


Duel: TypeAlias = Offered | Tending | Picking
Running: TypeAlias = Sowing | TurningUp | Market | Planting | Drawing | Duel
State: TypeAlias = Choosing | Dealing | Running | Finished
REMEMBERED = (
    Field, Farmer, Layout, Deal,
    Choosing, Dealing, Sowing, TurningUp, Market, Planting, Drawing, Offered, Tending, Picking, Finished,
)  # fmt: skip
