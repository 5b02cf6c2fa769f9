"""The dealer's part: preparing the garden, and everything left to chance."""

from __future__ import annotations

from dataclasses import replace

from games.contract.boxes import load_box
from games.contract.cards import expand_counts, same_cards
from games.contract.dice import Dice
from games.contract.errors import Illegal
from games.contract.notation import Action
from games.contract.seats import Seat, seat_label
from games.haricot_magique.actions import Bag, Faces, Rolled, ShuffleBags, ShuffleCards, Start, Strike, Sway
from games.haricot_magique.stalk import THROWS, sway_width
from games.haricot_magique.state import (
    Cards,
    Choosing,
    Climber,
    Dealing,
    Filling,
    Garden,
    Grabbing,
    Rerolling,
    Rolling,
    Starting,
    State,
    Swaying,
    Throwing,
)
from games.haricot_magique.steps.gold import BAGS
from games.haricot_magique.steps.rolling import REROLLED_FACE
from games.haricot_magique.steps.rounds import CARDS, HAND_SIZE
from games.haricot_magique.steps.stacking import list_pieces

BOX = load_box("haricot_magique")
DIE_SIDES: Faces = expand_counts(BOX["faces"])
AXE_SPREAD: int = BOX["axe"]["spread"]


def fill_bags(state: Filling, bags: tuple[int, ...]) -> Dealing:
    if not same_cards(bags, BAGS):
        raise Illegal("A shuffle must name each of the {count} bags once.", count=len(BAGS))
    return Dealing(Garden(state.variant, state.holder, bags, ()), state.seats)


def deal(state: Dealing, seat: Seat, cards: Cards) -> State:
    """Give a seat its own pile of cards and a hand of the top three. After the last seat the first round begins."""
    if seat != len(state.garden.climbers):
        raise Illegal("The cards to shuffle are {seat}’s.", seat=seat_label(len(state.garden.climbers)))
    if not same_cards(cards, CARDS):
        raise Illegal("A shuffle must name each of the {count} cards once.", count=len(CARDS))
    has_axe = state.garden.variant == "base"
    climber = Climber(tuple(sorted(cards[:HAND_SIZE])), cards[HAND_SIZE:], has_axe)
    garden = replace(state.garden, climbers=(*state.garden.climbers, climber))
    if len(garden.climbers) < state.seats:
        return Dealing(garden, state.seats)
    return Choosing(garden, 1, (None,) * state.seats)


def chance(state: State, dice: Dice) -> Action:
    """Answer for the dealer. Before a shuffle, bags are sorted by value and cards by initiative, ascending; a die's
    sides are in the order of the box.
    """
    match state:
        case Starting():
            return Start(dice.below(state.seats))
        case Filling():
            return ShuffleBags(dice.shuffle(BAGS))
        case Dealing():
            return ShuffleCards(len(state.garden.climbers), dice.shuffle(CARDS))
        case Grabbing():
            return Bag(dice.between(1, len(state.garden.climbers[state.victim].bags)))
        case Throwing():
            return Strike(dice.between(state.aim - AXE_SPREAD, state.aim + AXE_SPREAD))
        case Rolling():
            return Rolled(tuple(dice.pick(DIE_SIDES) for _ in range(state.count)))
        case Rerolling():
            return Rolled(tuple(dice.pick(DIE_SIDES) for _ in range(state.dice.count(REROLLED_FACE))))
        case Swaying():
            return throw_sway(state, dice)
    raise AssertionError(f"The dealer is not asked in {type(state).__name__}.")


def throw_sway(state: Swaying, dice: Dice) -> Sway:
    """Return one swing per element in placing order, each the sum of four throws. Higher elements sway further."""
    elements = len(state.garden.stalk)
    row = list_pieces(state.garden.stalk, state.round.seat, state.dice)
    tremors = (sway_width(n) for n, _ in enumerate(row, elements))
    return Sway(tuple(sum(dice.between(-width, width) for _ in range(THROWS)) for width in tremors))
