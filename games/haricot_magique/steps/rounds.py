"""Rounds and turns: the order of play, and the expert powers used around the dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.contract.boxes import load_box
from games.contract.cards import put, without
from games.contract.errors import Illegal
from games.contract.seats import Seat
from games.haricot_magique.state import (
    Cards,
    Choosing,
    Climber,
    Finished,
    Garden,
    Grabbing,
    Hiding,
    Preparing,
    Round,
    State,
    Stealing,
    Winking,
)
from games.haricot_magique.steps import gold

BOX = load_box("haricot_magique")
CARDS: Cards = tuple(map(int, BOX["cards"]))
POWERS: dict[int, str] = {int(card): printed["power"] for card, printed in BOX["cards"].items()}
ROUNDS = len(CARDS)  # every card is played once
HAND_SIZE: int = BOX["hand"]


def seal(state: Choosing, seat: Seat, card: int) -> State:
    sealed = put(state.sealed, seat, card)
    if None in sealed:
        return Choosing(state.garden, state.number, sealed)
    return reveal_cards(state.garden, state.number, [card for card in sealed if card])


def reveal_cards(garden: Garden, number: int, cards: Sequence[int]) -> State:
    """Reveal the cards. Lower initiative plays first; ties go clockwise from the holder of the Haricot token."""
    seats = len(cards)
    order = sorted(range(seats), key=lambda seat: (cards[seat], (seat - garden.holder) % seats))
    climbers = tuple(map(play_card, garden.climbers, cards))
    return begin_turn(replace(garden, climbers=climbers), Round(number, tuple(order)))


def play_card(climber: Climber, card: int) -> Climber:
    return Climber(without(climber.hand, (card,)), climber.deck, climber.axe, (*climber.played, card), climber.bags)


def end_turn(garden: Garden, round: Round) -> State:
    """Pass to the next in order. An empty pile ends the game at once."""
    if not garden.pile:
        return Finished(garden, round.number)
    if not round.to_play:
        return end_round(garden, round)
    eye = None if round.eye == round.seat else round.eye
    return begin_turn(garden, Round(round.number, round.order, round.turn + 1, round.used, eye))


def end_round(garden: Garden, round: Round) -> State:
    """Give the Haricot token to the last player, and refill the hands."""
    garden = replace(garden, holder=round.seat, climbers=tuple(map(refill_hand, garden.climbers)))
    if round.number == ROUNDS:
        return Finished(garden, round.number)
    return Choosing(garden, round.number + 1, (None,) * len(garden.climbers))


def refill_hand(climber: Climber) -> Climber:
    missing = HAND_SIZE - len(climber.hand)
    hand = tuple(sorted((*climber.hand, *climber.deck[:missing])))
    return Climber(hand, climber.deck[missing:], climber.axe, climber.played, climber.bags)


# ── powers of the expert game ────────────────────────────────────────────────────────────────────


def active_card(garden: Garden, round: Round) -> int:
    """Return the action card of the active seat."""
    return garden.climbers[round.seat].played[-1]


def has_power(garden: Garden, round: Round, power: str) -> bool:
    """Return whether the active seat may use a power. Each works once per round: of several seats with the same card,
    the first that can and wants to has it.
    """
    if garden.variant != "expert":
        return False
    card = active_card(garden, round)
    return POWERS[card] == power and card not in round.used


def use_power(garden: Garden, round: Round) -> Round:
    return replace(round, used=(*round.used, active_card(garden, round)))


def begin_turn(garden: Garden, round: Round) -> State:
    """Begin a turn. Some powers come before the dice."""
    if has_power(garden, round, "hide"):
        return Hiding(garden, round)
    if has_power(garden, round, "steal") and gold.richer_seats(garden, round.seat):
        return Stealing(garden, round)
    return Preparing(garden, round)


def hide(state: Hiding) -> State:
    return end_turn(state.garden, use_power(state.garden, state.round))


def grab(state: Grabbing, place: int) -> State:
    if not 1 <= place <= len(state.garden.climbers[state.victim].bags):
        raise Illegal("There’s no bag {place}.", place=place)
    garden = gold.steal(state.garden, state.round.seat, state.victim, place)
    return Preparing(garden, use_power(garden, state.round))


def wink(state: Winking, seat: Seat) -> State:
    round = use_power(state.garden, state.round)
    return end_turn(state.garden, replace(round, eye=seat))
