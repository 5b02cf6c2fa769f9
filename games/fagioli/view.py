"""One seat's view of a table of Fagioli, built by adding what it may see, never by removing secrets.

It does not show how many cards lie beneath the tops or were set aside: with the other counts that would reveal how many
cards the others have planted.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.contract.seats import Seat
from games.fagioli import plays
from games.fagioli.actions import Play
from games.fagioli.rules import START, TOKENS, result
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
            return before_the_deal(state.seats, None, me)
        case Dealing():
            return before_the_deal(state.seats, state.first, me)
        case Playing():
            return at_play(state, "playing", me)
        case Reshuffling():
            return at_play(state, "reshuffling", me)
        case Finished():
            return at_the_end(state, me)


def before_the_deal(seats: int, first: Seat | None, me: Seat | None) -> View:
    left, right = (seen_top(pile, me) for pile in START)
    neighbours = tuple(Neighbour(seat, 0, (), 0, 0) for seat in range(seats))
    return View("dealing", me, first, None, left, right, 0, TOKENS[seats], (), (), neighbours)


def at_play(state: Playing | Reshuffling, phase: str, me: Seat | None) -> View:
    neighbours = tuple(seen_seat(seat, farmer, seat == me) for seat, farmer in enumerate(state.farmers))
    return table(state, phase, me, state.seat, neighbours)


def at_the_end(state: Finished, me: Seat | None) -> View:
    final = result(state)
    assert final is not None
    neighbours = tuple(
        seen_seat(seat, farmer, True, score, rank)
        for seat, (farmer, score, rank) in enumerate(zip(state.farmers, final.scores, final.ranks, strict=True))
    )
    return table(state, "finished", me, None, neighbours)


def table(state: Dealt, phase: str, me: Seat | None, turn: Seat | None, seats: tuple[Neighbour, ...]) -> View:
    left, right = (seen_top(pile, me) for pile in state.market.piles)
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


def seen_top(pile: Pile, me: Seat | None) -> TopCard:
    counts, wallet = plays.top(pile)
    if not pile.cards:
        return TopCard("start", counts, wallet, pile.start)
    if not pile.down:
        return TopCard("up", counts, wallet, pile.cards[-1], pile.by)
    return TopCard("down", counts, wallet, pile.cards[-1] if pile.by == me else None, pile.by)


def seen_seat(
    seat: Seat, farmer: Farmer, may_count: bool, score: int | None = None, rank: int | None = None
) -> Neighbour:
    planted = len(farmer.planted) if may_count else None
    return Neighbour(seat, len(farmer.hand), farmer.tokens, sum(farmer.tokens), planted, score, rank)


def difference(view: View, play: Play) -> int:
    """Return how much more a card would count than the top this seat sees."""
    lies = view.left if play.pile == "left" else view.right
    return plays.counts(play.card, play.down) - lies.counts
