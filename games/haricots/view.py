"""One seat's view of a table of Haricots, built by adding what it may see, never by removing secrets."""

from __future__ import annotations

from dataclasses import dataclass

from games.contract.asks import Step
from games.contract.seats import Seat
from games.haricots.actions import Shuffle
from games.haricots.rules import TIPPING_POINT, count_rounds, result
from games.haricots.state import Cards, Choosing, Dealing, Finished, Playing, State, Tally


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A seat as anybody may see it; `paid` is None if only its owner may know."""

    seat: Seat
    cards: int
    deck: int
    inside: bool
    shown: Cards
    chips: int
    paid: int | None
    score: int | None = None


@dataclass(frozen=True, slots=True)
class View:
    phase: str  # "dealing", "playing" or "finished"
    variant: str
    round: int
    rounds: int | None  # None: until a seat has enough chips
    me: Seat | None
    first: Seat | None
    turn: Seat | None
    to_beat: int
    mighty: bool  # whether small beans are mighty now
    lying: Cards
    leader: Seat | None
    hand: Cards
    seats: tuple[Neighbour, ...]


def view(state: State, me: Seat | None) -> View:
    match state:
        case Choosing():
            return view_between_rounds(state.variant, 1, None, (Tally(),) * state.seats, me)
        case Dealing():
            return view_between_rounds(state.variant, state.round, state.first, state.tallies, me)
        case Playing():
            return view_round(state, me)
        case Finished():
            return view_end(state, me)


def view_between_rounds(
    variant: str, round: int, first: Seat | None, tallies: tuple[Tally, ...], me: Seat | None
) -> View:
    neighbours = tuple(
        Neighbour(seat, 0, 0, True, (), len(tally.chips), visible_payment(variant, tally, seat == me))
        for seat, tally in enumerate(tallies)
    )
    total_rounds = count_rounds(variant, len(tallies))
    return View("dealing", variant, round, total_rounds, me, first, None, 0, False, (), None, (), neighbours)


def view_round(state: Playing, me: Seat | None) -> View:
    neighbours = tuple(
        Neighbour(
            seat,
            cards=len(farmer.hand),
            deck=len(farmer.deck),
            inside=farmer.inside,
            shown=farmer.shown,
            chips=len(tally.chips),
            paid=visible_payment(state.variant, tally, seat == me),
        )
        for seat, (farmer, tally) in enumerate(zip(state.farmers, state.tallies, strict=True))
    )
    return View(
        phase="playing",
        variant=state.variant,
        round=state.round,
        rounds=count_rounds(state.variant, len(state.farmers)),
        me=me,
        first=state.first,
        turn=state.seat,
        to_beat=state.lying.to_beat,
        mighty=state.lying.to_beat >= TIPPING_POINT,
        lying=state.lying.cards,
        leader=state.lying.leader,
        hand=() if me is None else state.farmers[me].hand,
        seats=neighbours,
    )


def view_end(state: Finished, me: Seat | None) -> View:
    final = result(state)
    assert final is not None
    neighbours = tuple(
        Neighbour(seat, 0, 0, False, (), len(tally.chips), visible_payment(state.variant, tally, True), score)
        for seat, (tally, score) in enumerate(zip(state.tallies, final.scores, strict=True))
    )
    return View(
        "finished",
        state.variant,
        state.rounds,
        state.rounds,
        me,
        None,
        None,
        0,
        False,
        (),
        None,
        (),
        neighbours,
    )


def visible_payment(variant: str, tally: Tally, may_know: bool) -> int | None:
    return tally.paid if may_know and variant != "basic" else None


# ── lines of the log ──


def redact(step: Step[State], now: State, reader: Seat | None) -> str:
    """Return a line as this reader may read it: only the order of the pile is secret."""
    return "shuffle …" if isinstance(step.action, Shuffle) else str(step.action)
