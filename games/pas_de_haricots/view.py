"""One seat's view of a table of Pas de Haricots, built by adding what it may see, never by removing secrets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.contract.asks import Step
from games.contract.seats import Seat
from games.pas_de_haricots.actions import Play, Shuffle
from games.pas_de_haricots.deck import SUITS, Cards
from games.pas_de_haricots.rules import HAND_SIZES, ROUNDS, is_sealed
from games.pas_de_haricots.scoring import group_by_suit, points, score
from games.pas_de_haricots.state import (
    Choosing,
    Dealing,
    Farmer,
    Finished,
    Leading,
    Row,
    Score,
    Sealing,
    State,
    Taking,
)

PHASES: dict[type, str] = {Leading: "leading", Sealing: "sealing", Taking: "taking"}


@dataclass(frozen=True, slots=True)
class Series:
    """The collected cards of one suit, special cards last, and what they count now."""

    suit: str
    cards: Cards
    points: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A seat as this reader may see it."""

    seat: Seat
    cards: int  # in hand
    chosen: bool  # whether it has played a card in this turn
    card: str | None  # its card on the table, if the reader may see it and nobody has taken it
    series: tuple[Series, ...]
    so_far: Score  # what the collected cards would count now
    sheet: tuple[Score, ...]  # one for each round that is over
    total: int  # over the rounds on the sheet


@dataclass(frozen=True, slots=True)
class View:
    phase: str  # "dealing", "leading", "sealing", "taking" or "finished"
    variant: str
    round: int
    rounds: int
    turn: int
    turns: int  # in each round
    me: Seat | None
    holder: Seat | None  # the seat that has the bean
    taker: Seat | None
    hand: Cards
    seats: tuple[Neighbour, ...]


def view(state: State, me: Seat | None) -> View:
    match state:
        case Choosing():
            return view_between_rounds(state.variant, state.seats, 1, None, (), me)
        case Dealing():
            return view_between_rounds(state.variant, state.seats, state.round, state.holder, state.sheet, me)
        case Leading() | Sealing() | Taking():
            return view_round(state, me)
        case Finished():
            return view_end(state, me)


def view_between_rounds(
    variant: str, seats: int, number: int, holder: Seat | None, sheet: tuple[Row, ...], me: Seat | None
) -> View:
    return View(
        phase="dealing",
        variant=variant,
        round=number,
        rounds=ROUNDS[variant],
        turn=0,
        turns=HAND_SIZES[seats],
        me=me,
        holder=holder,
        taker=None,
        hand=(),
        seats=view_neighbours((Farmer(()),) * seats, (False,) * seats, (None,) * seats, sheet),
    )


def view_round(state: Leading | Sealing | Taking, me: Seat | None) -> View:
    seats = len(state.farmers)
    return View(
        phase=PHASES[type(state)],
        variant=state.variant,
        round=state.round,
        rounds=ROUNDS[state.variant],
        turn=state.turn,
        turns=HAND_SIZES[seats],
        me=me,
        holder=state.holder,
        taker=state.taker if isinstance(state, Taking) else None,
        hand=() if me is None else state.farmers[me].hand,
        seats=view_neighbours(state.farmers, who_has_chosen(state), visible_cards(state, me), state.sheet),
    )


def view_end(state: Finished, me: Seat | None) -> View:
    seats = len(state.collected)
    farmers = tuple(Farmer((), collected) for collected in state.collected)
    return View(
        phase="finished",
        variant=state.variant,
        round=len(state.sheet),
        rounds=len(state.sheet),
        turn=HAND_SIZES[seats],
        turns=HAND_SIZES[seats],
        me=me,
        holder=None,
        taker=None,
        hand=(),
        seats=view_neighbours(farmers, (False,) * seats, (None,) * seats, state.sheet),
    )


def who_has_chosen(state: Leading | Sealing | Taking) -> tuple[bool, ...]:
    match state:
        case Leading():
            return (False,) * len(state.farmers)
        case Sealing():
            return tuple(card is not None for card in state.played)
        case Taking():
            return (True,) * len(state.farmers)


def visible_cards(state: Leading | Sealing | Taking, me: Seat | None) -> tuple[str | None, ...]:
    """Return the visible cards on the table: until all are in, only the bean card and the reader's own."""
    match state:
        case Leading():
            return (None,) * len(state.farmers)
        case Sealing():
            return tuple(card if seat in (state.holder, me) else None for seat, card in enumerate(state.played))
        case Taking():
            return state.lying


def view_neighbours(
    farmers: tuple[Farmer, ...],
    chosen: tuple[bool, ...],
    cards: tuple[str | None, ...],
    sheet: tuple[Row, ...],
) -> tuple[Neighbour, ...]:
    return tuple(
        Neighbour(
            seat,
            cards=len(farmer.hand),
            chosen=chosen[seat],
            card=cards[seat],
            series=lay_out_series(farmer.collected),
            so_far=score(farmer.collected),
            sheet=tuple([row[seat] for row in sheet]),
            total=sum([row[seat].sum for row in sheet]),
        )
        for seat, farmer in enumerate(farmers)
    )


@lru_cache(maxsize=1_024)
def lay_out_series(collected: Cards) -> tuple[Series, ...]:
    return tuple(
        Series(suit, cards, points(cards)) for suit, cards in zip(SUITS, group_by_suit(collected), strict=True)
    )


def collected_cards(neighbour: Neighbour) -> Cards:
    return tuple(card for series in neighbour.series for card in series.cards)


def card_on_table(view: View, seat: Seat) -> str:
    """Return the card before a seat. While cards are being taken, every seat on the menu has one."""
    return view.seats[seat].card or ""


# ── lines of the log ──


def redact(step: Step[State], now: State, reader: Seat | None) -> str:
    """Return a line as this reader may read it. The order of the pile is secret, and a sealed card until all are in."""
    match step.before, step.action:
        case _, Shuffle():
            return "shuffle …"
        case Sealing() as before, Play() if step.seat != reader and is_sealed(before, now):
            return "play …"
    return str(step.action)
