"""The rules of Haricots, each under the name players use for it."""

from __future__ import annotations

from functools import cache

from games.contract.asks import Ask, Result, compute_ranks
from games.contract.boxes import load_box
from games.contract.cards import ask_first_player, check_shuffle, count_copies, deal_hands, expand_counts, put, without
from games.contract.dice import Dice
from games.contract.errors import Illegal, RulesError
from games.contract.notation import Action
from games.contract.seats import DEALER, Seat, clockwise
from games.haricots.actions import Fold, Pass, Play, Shuffle, Start
from games.haricots.state import (
    EMPTY_TABLE,
    Cards,
    Choosing,
    Dealing,
    Farmer,
    Farmers,
    Finished,
    Lying,
    Playing,
    State,
    Tallies,
    Tally,
)

BOX = load_box("haricots")
DECK: Cards = expand_counts({int(value): count for value, count in BOX["cards"].items()})
MIGHTY = {int(value): worth for value, worth in BOX["mighty"].items()}
TIPPING_POINT: int = BOX["tipping_point"]
LONGEST_RUN: int = BOX["longest_run"]
HAND_SIZE: int = BOX["hand"]
PERSONAL_DECK_SIZE: int = BOX["personal_deck"]
CHIP: int = BOX["chip"]
CHIPS_TO_WIN: int = BOX["chips_to_win"]


def setup(seats: int, variant: str) -> State:
    return Choosing(variant, seats)


def apply(state: State, seat: Seat, action: Action) -> State:
    match state, action:
        case Choosing(), Start():
            return Dealing(state.variant, 1, action.seat, (Tally(),) * state.seats)
        case Dealing(), Shuffle():
            return deal(state, action.cards)
        case Playing(), Play():
            return play(state, action.cards)
        case Playing(), Pass():
            return draw_and_pass(state)
        case Playing(), Fold():
            return fold(state)
    raise Illegal("You can’t do “{line}” now.", line=str(action))


def asks(state: State) -> tuple[Ask, ...]:
    match state:
        case Choosing():
            return (ask_first_player(Start, state.seats),)
        case Dealing():
            return (Ask(DEALER, f"round {state.round} shuffle", free=(Shuffle,)),)
        case Playing():
            about = f"round {state.round} turn {state.turn}"
            return (Ask(state.seat, about, menu=build_menu(state), default=default_answer(state)),)
        case Finished():
            return ()


def chance(state: State, dice: Dice) -> Action:
    match state:
        case Choosing():
            return Start(dice.below(state.seats))
        case _:
            return Shuffle(dice.shuffle(DECK))


# ── a round ──────────────────────────────────────────────────────────────────────────────────────


def deal(state: Dealing, pile: Cards) -> Playing:
    """Deal hands of ten in seat order, then personal decks of four. The rest is out of the game, unseen."""
    check_shuffle(pile, DECK)
    seats = len(state.tallies)
    hands, rest = deal_hands(pile, HAND_SIZE, seats)
    decks, _ = deal_hands(rest, PERSONAL_DECK_SIZE, seats)
    farmers = tuple(Farmer(tuple(sorted(hand)), deck) for hand, deck in zip(hands, decks, strict=True))
    return Playing(state.variant, state.round, state.first, state.tallies, farmers, turn=1, seat=state.first)


def play(state: Playing, cards: Cards) -> State:
    farmer = state.farmers[state.seat]
    left = without(farmer.hand, cards)
    farmers = put(state.farmers, state.seat, Farmer(left, farmer.deck))
    if not left:
        return end_round(state, farmers, state.tallies, winner=state.seat)
    return next_turn(state, farmers, state.tallies, Lying(cards, worth(cards, state.lying.to_beat), state.seat))


def draw_and_pass(state: Playing) -> State:
    """Draw the top card of the personal deck. With an empty deck (basic rules) the seat drops out."""
    farmer = state.farmers[state.seat]
    if not farmer.deck:
        return leave_round(state, Farmer((), (), inside=False), state.tallies)
    drawn, *deck = farmer.deck
    farmer = Farmer(tuple(sorted((*farmer.hand, drawn))), tuple(deck))
    return next_turn(state, put(state.farmers, state.seat, farmer), state.tallies, state.lying)


def fold(state: Playing) -> State:
    """Show the hand, set a longest run aside, and pay one for each card left."""
    farmer = state.farmers[state.seat]
    tallies = pay(state.tallies, state.seat, cost_of_folding(farmer.hand))
    return leave_round(state, Farmer((), farmer.deck, inside=False, shown=farmer.hand), tallies)


def leave_round(state: Playing, farmer: Farmer, tallies: Tallies) -> State:
    farmers = put(state.farmers, state.seat, farmer)
    inside = [seat for seat, other in enumerate(farmers) if other.inside]
    if len(inside) == 1:
        return end_round(state, farmers, tallies, winner=inside[0])
    return next_turn(state, farmers, tallies, state.lying)


def next_turn(state: Playing, farmers: Farmers, tallies: Tallies, lying: Lying) -> Playing:
    """Move to the next seat still in the round. If the cards on the table are its own, nobody beat them."""
    heir = next(seat for seat in clockwise(len(farmers), after=state.seat) if farmers[seat].inside)
    if heir == lying.leader:  # everyone passed: a fresh start
        lying = EMPTY_TABLE
    return Playing(state.variant, state.round, state.first, tallies, farmers, state.turn + 1, heir, lying)


def worth(cards: Cards, to_beat: int) -> int:
    """Return what cards count when this value is to be beaten: from 15 on, small beans are mighty.

    >>> worth((5, 5), 9), worth((1, 1), 9), worth((1, 1), 15)
    (10, 2, 34)
    """
    value = cards[0]
    if to_beat >= TIPPING_POINT:
        value = MIGHTY.get(value, value)
    return value * len(cards)


def cost_of_folding(hand: Cards) -> int:
    """Return one for each card outside a longest run.

    >>> cost_of_folding((2, 3, 4, 4, 5, 5, 7, 8, 9)), cost_of_folding((5, 6, 7, 8)), cost_of_folding((12, 15))
    (5, 0, 1)
    """
    values = set(hand)
    longest = run = 0
    for value in range(1, LONGEST_RUN + 1):
        run = run + 1 if value in values else 0
        longest = max(longest, run)
    return len(hand) - max(longest, 1)


# ── what can be said ─────────────────────────────────────────────────────────────────────────────


def build_menu(state: Playing) -> tuple[Action, ...]:
    farmer = state.farmers[state.seat]
    answers: list[Action] = list(list_plays(farmer.hand, state.lying.to_beat))
    if state.variant == "basic" or farmer.deck:
        answers.append(Pass())
    if state.variant != "basic":
        answers.append(Fold())
    return tuple(answers)


def list_plays(hand: Cards, to_beat: int) -> list[Play]:
    """Return every play that beats a value, lowest cards first."""
    return [play for value, most in count_copies(hand) for play in plays_of_value(value, most, to_beat)]


@cache
def plays_of_value(value: int, most: int, to_beat: int) -> tuple[Play, ...]:
    fewest = to_beat // worth((value,), to_beat) + 1
    return tuple(Play((value,) * count) for count in range(fewest, most + 1))


def default_answer(state: Playing) -> Action:
    return Pass() if state.variant == "basic" or state.farmers[state.seat].deck else Fold()


def forced(state: State, ask: Ask) -> Action | None:
    """Let the house answer only a last fold: passing for a seat would show that it cannot play."""
    return Fold() if ask.menu == (Fold(),) else None


def why_not(state: State, ask: Ask, action: Action) -> RulesError | None:
    """Return a reason the player can act on. Only the asked seat reads it, so it may name cards of the hand."""
    match state, action:
        case Playing(), Play(cards) if len(set(cards)) > 1:
            return Illegal("Cards played together must all have the same value.")
        case Playing(), Play(cards) if state.farmers[state.seat].hand.count(cards[0]) < len(cards):
            return Illegal("You don’t have {cards} in your hand.", cards=cards)
        case Playing(), Play(cards):
            value = worth(cards, state.lying.to_beat)
            return Illegal("{cards} is worth {value}, which doesn’t beat {to_beat}.",
                           cards=cards, value=value, to_beat=state.lying.to_beat)  # fmt: skip
        case Playing(), Pass():
            return Illegal("Your deck is empty, so you can only play or fold.")
        case Playing(), Fold():
            return Illegal("You can’t fold in the basic game.")
    return None


# ── the end of a round and of the game ───────────────────────────────────────────────────────────


def end_round(state: Playing, farmers: Farmers, tallies: Tallies, winner: Seat) -> State:
    if state.variant != "basic" and not farmers[winner].hand:
        for seat, farmer in enumerate(farmers):  # players who have not folded pay their whole hand
            tallies = pay(tallies, seat, len(farmer.hand))
    tally = tallies[winner]
    tallies = put(tallies, winner, Tally((*tally.chips, state.round), tally.paid))
    if is_last_round(state.variant, state.round, tallies):
        return Finished(state.variant, state.round, tallies)
    first = (state.first + 1) % len(tallies)
    return Dealing(state.variant, state.round + 1, first, tallies)


def pay(tallies: Tallies, seat: Seat, cost: int) -> Tallies:
    tally = tallies[seat]
    return put(tallies, seat, Tally(tally.chips, tally.paid + cost)) if cost else tallies


def count_rounds(variant: str, seats: int) -> int | None:
    """Return the number of rounds, or None if it is not fixed in advance."""
    return {"advanced": seats, "sprint": 1}.get(variant)


def is_last_round(variant: str, round: int, tallies: Tallies) -> bool:
    if variant == "basic":
        return any(len(tally.chips) == CHIPS_TO_WIN for tally in tallies)
    return round == count_rounds(variant, len(tallies))


def result(state: State) -> Result | None:
    if not isinstance(state, Finished):
        return None
    if state.variant == "basic":
        chips = tuple(len(tally.chips) for tally in state.tallies)
        return Result(chips, compute_ranks(chips))
    scores = tuple(CHIP * len(tally.chips) - tally.paid for tally in state.tallies)
    merits = ((score, len(t.chips), max(t.chips, default=0)) for score, t in zip(scores, state.tallies, strict=True))
    return Result(scores, compute_ranks(merits))
