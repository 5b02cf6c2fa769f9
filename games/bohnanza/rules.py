"""The rules of Bohnanza, each under the name players use for it.

The market is in `trading`, the duel in `duel`, the questions in `asking`.
"""

from __future__ import annotations

from dataclasses import replace

from games.bohnanza import duel, fields, trading
from games.bohnanza.actions import Buy, Done, Harvest, Plant, Reveal, Shuffle, Start
from games.bohnanza.beans import SETTINGS, sort_as_in_box
from games.bohnanza.pile import draw_cards, must_shuffle, nothing_left, reshuffle, runs_out_for_good
from games.bohnanza.state import (
    Beans,
    Choosing,
    Dealing,
    Drawing,
    Farmer,
    Field,
    Finished,
    Layout,
    Market,
    Offered,
    Picking,
    Planting,
    Sowing,
    State,
    Tending,
    TurningUp,
)
from games.contract.asks import Result, compute_ranks
from games.contract.cards import check_shuffle, put, without
from games.contract.dice import Dice
from games.contract.errors import Illegal
from games.contract.notation import Action
from games.contract.seats import Seat

MAX_PLANTED = 2  # cards from the hand in phase 1


def setup(seats: int, variant: str) -> State:
    return Choosing(seats)


def apply(state: State, seat: Seat, action: Action) -> State:
    match state, action:
        case Choosing(), Start():
            return Dealing(state.seats, action.seat)
        case Dealing(), Shuffle():
            return deal(state, action.cards)
        case TurningUp(), Shuffle():
            return turn_up(reshuffle(state.layout, action.cards), state.up, state.owed)
        case Drawing(), Shuffle():
            return draw(reshuffle(state.layout, action.cards), state.owed)
        case ((Sowing() | Market() | Planting() | Offered() | Tending() | Picking()), Harvest()):
            return replace(state, layout=fields.harvest(state.layout, seat, action.field))
        case ((Sowing() | Market() | Planting() | Offered() | Tending() | Picking()), Buy()):
            return replace(state, layout=fields.buy(state.layout, seat))
    return play(state, seat, action)


def play(state: State, seat: Seat, action: Action) -> State:
    match state, action:
        case Sowing(), Plant():
            return sow(state, action)
        case Sowing(), Reveal():
            return turn_up(state.layout)
        case Market(), Done():
            return close_market(state)
        case Market(), _:
            return trading.trade(state, seat, action)
        case Planting(), Plant():
            return plant_aside(state, seat, action)
        case ((Offered() | Tending() | Picking()), _):
            return duel.play(state, action)
    raise Illegal("You can’t do “{line}” now.", line=str(action))


def chance(state: State, dice: Dice) -> Action:
    """Answer for the dealer. Before every shuffle the cards are in the order of the box, bean by bean."""
    match state:
        case Choosing(seats):
            return Start(dice.below(seats))
        case Dealing(seats):
            return Shuffle(dice.shuffle(SETTINGS[seats].deck))
        case TurningUp(layout) | Drawing(layout):
            return Shuffle(dice.shuffle(sort_as_in_box(layout.discard)))
    raise Illegal("The table isn’t waiting for the dealer.")


# ── a turn ───────────────────────────────────────────────────────────────────────────────────────


def deal(state: Dealing, pile: Beans) -> State:
    """Deal hands in seat order from the top of the pile. Their sizes are counted from the first player."""
    setting = SETTINGS[state.seats]
    check_shuffle(pile, setting.deck)
    farmers = []
    for seat in range(state.seats):
        size = setting.hands[(seat - state.first) % state.seats]
        farmers.append(Farmer(hand=pile[:size], fields=(Field(),) * setting.fields))
        pile = pile[size:]
    return start_turn(Layout(turn=1, seat=state.first, farmers=tuple(farmers), pile=pile))


def start_turn(layout: Layout) -> State:
    if len(layout.farmers) == fields.DUEL:
        return duel.start_turn(layout)
    if nothing_left(layout):
        return finish(layout)
    return Sowing(layout) if layout.farmers[layout.seat].hand else turn_up(layout)


def sow(state: Sowing, action: Plant) -> State:
    """Phase 1: plant the front card; a second one is optional. Then turn up cards."""
    seat = state.layout.seat
    _, *hand = state.layout.farmers[seat].hand
    layout = fields.plant(state.layout, seat, action.bean, action.field, hand=tuple(hand))
    planted = state.planted + 1
    return Sowing(layout, planted) if hand and planted < MAX_PLANTED else turn_up(layout)


def turn_up(layout: Layout, up: Beans = (), owed: int | None = None) -> State:
    """Turn up the cards owed, or as many as there are. Then phase 2 opens."""
    owed = SETTINGS[len(layout.farmers)].turned_up if owed is None else owed
    turned, owed, layout = draw_cards(layout, owed)
    if must_shuffle(layout):
        return TurningUp(layout, up + turned, owed)
    return trading.open_market(layout, up + turned)


def close_market(state: Market) -> State:
    """Open phase 3: the active seat sets aside the face-up cards it kept, after those it received."""
    active = state.layout.seat
    aside = put(state.aside, active, state.aside[active] + state.up)
    farmers = state.layout.farmers
    choosers = tuple(
        [seat for seat, cards in enumerate(aside) if not fields.fit_without_harvest(farmers[seat].fields, cards)]
    )
    return Planting(state.layout, aside, choosers) if any(aside) else end_planting(state.layout)


def plant_aside(state: Planting, seat: Seat, action: Plant) -> State:
    layout = fields.plant(state.layout, seat, action.bean, action.field)
    aside = put(state.aside, seat, without(state.aside[seat], (action.bean,)))
    return Planting(layout, aside, state.choosers) if any(aside) else end_planting(layout)


def end_planting(layout: Layout) -> State:
    """Go on to phase 4, unless the pile has run out for the last time."""
    if runs_out_for_good(layout):
        return finish(layout)
    return draw(layout, SETTINGS[len(layout.farmers)].drawn)


def draw(layout: Layout, owed: int) -> State:
    """Phase 4: draw cards to the back of the hand, in the order drawn."""
    drawn, owed, layout = draw_cards(layout, owed)
    layout = fields.replace_hand(layout, layout.farmers[layout.seat].hand + drawn)
    if runs_out_for_good(layout):
        return finish(layout)
    if must_shuffle(layout):
        return Drawing(layout, owed)
    turn, seat = layout.turn + 1, (layout.seat + 1) % len(layout.farmers)
    return start_turn(Layout(turn, seat, layout.farmers, layout.pile, layout.discard, layout.exhaustions, layout.out))


def finish(layout: Layout) -> Finished:
    return Finished(fields.harvest_all(layout))


def result(state: State) -> Result | None:
    """Rank by coins, then by cards in hand."""
    if not isinstance(state, Finished):
        return None
    coins = tuple(len(farmer.coins) for farmer in state.layout.farmers)
    return Result(coins, compute_ranks((len(farmer.coins), len(farmer.hand)) for farmer in state.layout.farmers))
