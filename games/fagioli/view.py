"""One seat's view of a table of Fagioli, built by adding what it may see, never by removing secrets.

It does not show how many cards lie beneath the tops or were set aside: with the other counts that would reveal how many
cards the others have planted.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.contract.asks import Step
from games.contract.seats import Seat
from games.fagioli import plays
from games.fagioli.actions import Play, Shuffle
from games.fagioli.rules import START_PILES, TOKENS, result
from games.fagioli.state import Cards, Choosing, Dealing, Dealt, Farmer, Finished, Pile, Playing, Reshuffling, State


@dataclass(frozen=True, slots=True)
class TopCard:
    """The top of a pile; `card` is None if another seat played it face down."""

    kind: str  # "start", "up" or "down"
    counts: int
    wallet: bool  # whether a card may be played on it face down
    card: int | None
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A seat as this reader may see it; `planted` is None if only its owner may know."""

    seat: Seat
    cards: int
    tokens: Cards
    penalty: int
    planted: int | None
    score: int | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class View:
    phase: str  # "dealing", "playing", "reshuffling" or "finished"
    me: Seat | None
    first: Seat | None
    turn: Seat | None  # the seat whose turn it is
    left: TopCard
    right: TopCard
    draw_pile: int
    tokens: Cards  # the tokens left, mildest first
    hand: Cards
    farm: Cards  # the cards this seat has planted
    seats: tuple[Neighbour, ...]
    number: int = 0  # of the turn, counted from 1; 0 before the first and after the last


def view(state: State, me: Seat | None) -> View:
    match state:
        case Choosing():
            return view_before_deal(state.seats, None, me)
        case Dealing():
            return view_before_deal(state.seats, state.first, me)
        case Playing():
            return view_turn(state, "playing", me)
        case Reshuffling():
            return view_turn(state, "reshuffling", me)
        case Finished():
            return view_end(state, me)


def view_before_deal(seats: int, first: Seat | None, me: Seat | None) -> View:
    left, right = (view_top(pile, me) for pile in START_PILES)
    neighbours = tuple(Neighbour(seat, 0, (), 0, 0) for seat in range(seats))
    return View("dealing", me, first, None, left, right, 0, TOKENS[seats], (), (), neighbours)


def view_turn(state: Playing | Reshuffling, phase: str, me: Seat | None) -> View:
    neighbours = tuple(view_seat(seat, farmer, seat == me) for seat, farmer in enumerate(state.farmers))
    return build_view(state, phase, me, state.seat, neighbours)


def view_end(state: Finished, me: Seat | None) -> View:
    final = result(state)
    assert final is not None
    neighbours = tuple(
        view_seat(seat, farmer, True, score, rank)
        for seat, (farmer, score, rank) in enumerate(zip(state.farmers, final.scores, final.ranks, strict=True))
    )
    return build_view(state, "finished", me, None, neighbours)


def build_view(state: Dealt, phase: str, me: Seat | None, turn: Seat | None, seats: tuple[Neighbour, ...]) -> View:
    left, right = (view_top(pile, me) for pile in state.market.piles)
    return View(
        phase=phase,
        me=me,
        first=state.first,
        turn=turn,
        left=left,
        right=right,
        draw_pile=len(state.market.draw_pile),
        tokens=state.market.tokens,
        hand=() if me is None else state.farmers[me].hand,
        farm=() if me is None else state.farmers[me].planted,
        seats=seats,
        number=0 if isinstance(state, Finished) else state.turn,
    )


def view_top(pile: Pile, me: Seat | None) -> TopCard:
    counts, wallet = plays.top_of(pile)
    if not pile.cards:
        return TopCard("start", counts, wallet, pile.start)
    if not pile.down:
        return TopCard("up", counts, wallet, pile.cards[-1], pile.by)
    return TopCard("down", counts, wallet, pile.cards[-1] if pile.by == me else None, pile.by)


def view_seat(
    seat: Seat, farmer: Farmer, may_count: bool, score: int | None = None, rank: int | None = None
) -> Neighbour:
    planted = len(farmer.planted) if may_count else None
    return Neighbour(seat, len(farmer.hand), farmer.tokens, sum(farmer.tokens), planted, score, rank)


def difference(view: View, play: Play) -> int:
    """Return how much more a card would count than the top this seat sees."""
    top = view.left if play.pile == "left" else view.right
    return plays.value_of(play.card, play.down) - top.counts


# ── lines of the log ──


def redact(step: Step[State], now: State, reader: Seat | None) -> str:
    """Return a line as this reader may read it. The order of the pile is secret; only the player of a card knows it if
    it was planted or played face down.
    """
    match step.action:
        case Shuffle():
            return "shuffle …"
        case Play() as play if step.seat != reader:
            return mask_play(play)
    return str(step.action)


def mask_play(play: Play) -> str:
    """Return a play as the other players read it.

    >>> mask_play(Play(9, "right", down=True, plant=(1, 3, 5)))
    'play ? right down plant ? ? ?'
    """
    card = f"? {play.pile} down" if play.down else f"{play.card} {play.pile}"
    return " ".join(["play", card, *(["plant"] if play.plant else []), *("?" for _ in play.plant)])
