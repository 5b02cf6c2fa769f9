"""One seat's view of a table of Le Haricot Magique, built by adding what it may see, never by removing secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.contract.asks import Step
from games.contract.seats import Seat, seat_label
from games.haricot_magique.actions import Aimed, Faces, ShuffleBags, ShuffleCards
from games.haricot_magique.stalk import BARE, Stalk, count_elements, count_tokens
from games.haricot_magique.state import (
    Cards,
    Choosing,
    Climber,
    Dealing,
    Extending,
    Filling,
    Finished,
    Garden,
    Rerolling,
    Rolling,
    Sparing,
    Squinting,
    Stacking,
    Starting,
    State,
    Swaying,
    Turn,
)
from games.haricot_magique.steps.gold import BAGS, count_gold
from games.haricot_magique.steps.rolling import DICE, count_reserve, wakes_giant
from games.haricot_magique.steps.rounds import ROUNDS
from games.haricot_magique.steps.stacking import CYLINDERS, TOKENS


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A seat as anybody may see it. Bags are counted; their values are shown only at the end."""

    seat: Seat
    cards: int = 0  # in its hand
    deck: int = 0  # in its own pile
    played: Cards = ()
    card: int | None = None  # this round's card, once the cards are revealed
    has_chosen: bool = False
    tokens: int = TOKENS  # not in the stalk
    axe: bool = False  # whether it can still be thrown
    eye: bool = False  # whether it has the eye token
    bags: int = 0
    opened: Cards = ()  # the values of its bags, at the end
    score: int | None = None


@dataclass(frozen=True, slots=True)
class View:
    phase: str  # "dealing", "finished" or the name of the phase, such as "choosing" or "stacking"
    variant: str
    round: int
    me: Seat | None
    holder: Seat | None  # the holder of the Haricot token
    seats: tuple[Neighbour, ...]
    rounds: int = ROUNDS
    pile: int = len(BAGS)  # gold bags left
    stalk: Stalk = BARE
    reserve: int = DICE - 1
    cylinders: int = CYLINDERS  # cylinders not in the stalk
    hand: Cards = ()
    chosen: int | None = None  # the card I have sealed
    order: tuple[Seat, ...] = ()  # all seats in this round's order of play
    turn: Seat | None = None
    used: Cards = ()  # cards whose power has been used in this round
    dice: Faces = ()  # of this turn, in the order rolled
    awake: bool = False  # whether these dice wake the giant
    stacked: tuple[Aimed, ...] = ()  # the dice being placed


def view(state: State, me: Seat | None) -> View:
    match state:
        case Starting():
            return view_before_deal(state.variant, state.seats, None, me)
        case Filling():
            return view_before_deal(state.variant, state.seats, state.holder, me)
        case Dealing():
            return view_before_deal(state.garden.variant, state.seats, state.garden.holder, me)
        case Choosing():
            return view_choosing(state, me)
        case Finished():
            return view_end(state, me)
        case _:
            return view_turn(state, me)


def view_before_deal(variant: str, seats: int, holder: Seat | None, me: Seat | None) -> View:
    """Return the view while the dealer prepares the game: nobody has anything yet."""
    return View("dealing", variant, 1, me, holder, tuple(map(Neighbour, range(seats))))


def view_choosing(state: Choosing, me: Seat | None) -> View:
    garden = state.garden
    seats = tuple(
        view_neighbour(garden, seat, climber, has_chosen=state.sealed[seat] is not None)
        for seat, climber in enumerate(garden.climbers)
    )
    chosen = None if me is None else state.sealed[me]
    return build_view("choosing", garden, state.number, me, seats, chosen=chosen)


def view_turn(state: Turn, me: Seat | None) -> View:
    garden, round = state.garden, state.round
    seats = tuple(
        view_neighbour(garden, seat, climber, card=climber.played[-1], eye=round.eye == seat)
        for seat, climber in enumerate(garden.climbers)
    )
    dice = dice_in_hand(state)
    return build_view(
        type(state).__name__.lower(),
        garden,
        round.number,
        me,
        seats,
        order=round.order,
        turn=round.seat,
        used=round.used,
        dice=dice,
        awake=wakes_giant(round, dice),
        stacked=state.dice if isinstance(state, Swaying) else (),
    )


def view_end(state: Finished, me: Seat | None) -> View:
    """Return the view at the end: bags are opened, unplayed cards stay secret."""
    garden = state.garden
    seats = tuple(
        view_neighbour(garden, seat, climber, opened=climber.bags, score=count_gold(climber))
        for seat, climber in enumerate(garden.climbers)
    )
    return build_view("finished", garden, state.number, me, seats)


def build_view(
    phase: str,
    garden: Garden,
    round: int,
    me: Seat | None,
    seats: tuple[Neighbour, ...],
    *,
    dice: Faces = (),
    **more: Any,
) -> View:
    """Return a view with the parts every phase has, the reader's own hand, and this phase's own parts."""
    return View(
        phase=phase,
        variant=garden.variant,
        round=round,
        me=me,
        holder=garden.holder,
        seats=seats,
        pile=len(garden.pile),
        stalk=garden.stalk,
        reserve=count_reserve(garden.stalk, dice),
        cylinders=CYLINDERS - count_elements(garden.stalk, "cylinder"),
        hand=() if me is None else garden.climbers[me].hand,
        dice=dice,
        **more,
    )


def view_neighbour(
    garden: Garden,
    seat: Seat,
    climber: Climber,
    *,
    card: int | None = None,
    has_chosen: bool = False,
    eye: bool = False,
    opened: Cards = (),
    score: int | None = None,
) -> Neighbour:
    return Neighbour(
        seat=seat,
        cards=len(climber.hand),
        deck=len(climber.deck),
        played=climber.played,
        card=card,
        has_chosen=has_chosen,
        tokens=TOKENS - count_tokens(garden.stalk, seat),
        axe=climber.axe,
        eye=eye,
        bags=len(climber.bags),
        opened=opened,
        score=score,
    )


def dice_in_hand(state: Turn) -> Faces:
    """Return the dice rolled in this turn and not yet in the stalk."""
    match state:
        case Swaying():
            return tuple(die.face for die in state.dice)
        case Rolling() | Sparing() | Extending() | Squinting() | Rerolling() | Stacking():
            return state.dice
        case _:
            return ()


# ── lines of the log ──


def redact(step: Step[State], now: State, reader: Seat | None) -> str:
    """Return a line as this reader may read it. Shuffles are secret; a chosen card is, until all are revealed."""
    match step.action:
        case ShuffleBags():
            return "shuffle …"
        case ShuffleCards(seat):
            return f"shuffle {seat_label(seat)} …"
    return "choose …" if is_sealed(step, now, reader) else str(step.action)


def is_sealed(step: Step[State], now: State, reader: Seat | None) -> bool:
    """Return whether a chosen card is still face down for this reader: until everybody has chosen."""
    if not isinstance(step.before, Choosing) or step.seat == reader:
        return False
    match now:
        case Finished():
            return False
        case Choosing():
            return now.number <= step.before.number
        case Starting() | Filling() | Dealing():
            return True
        case _:
            return now.round.number < step.before.number
