"""The rules of Pas de Haricots, each under the name players use for it."""

from __future__ import annotations

from games.contract.asks import Ask, Result, compute_ranks
from games.contract.cards import ask_first_player, check_shuffle, deal_hands, put, without
from games.contract.dice import Dice
from games.contract.errors import Illegal, RulesError
from games.contract.notation import Action
from games.contract.seats import DEALER, Seat
from games.pas_de_haricots.actions import Play, Shuffle, Start, Take
from games.pas_de_haricots.deck import BOX, DECK, Cards, lowest_card, sort_hand
from games.pas_de_haricots.scoring import score, sum_rounds
from games.pas_de_haricots.state import Choosing, Dealing, Farmer, Finished, Leading, Sealing, State, Taking
from games.pas_de_haricots.taking import best_seat_to_take, take_card, takeable_seats

HAND_SIZES = {int(seats): cards for seats, cards in BOX["hand"].items()}
ROUNDS: dict[str, int] = BOX["rounds"]
# Built once, because every line builds a menu.
PLAYS = {card: Play(card) for card in DECK}
TAKES = tuple(Take(seat) for seat in range(max(HAND_SIZES)))


def setup(seats: int, variant: str) -> State:
    return Choosing(variant, seats)


def apply(state: State, seat: Seat, action: Action) -> State:
    match state, action:
        case Choosing(), Start():
            return Dealing(state.variant, state.seats, 1, action.seat, ())
        case Dealing(), Shuffle():
            return deal(state, action.cards)
        case Leading(), Play():
            return lead(state, action.card)
        case Sealing(), Play():
            return seal(state, seat, action.card)
        case Taking(), Take():
            return take(state, action.seat)
    raise Illegal("You can’t do “{line}” now.", line=str(action))


def asks(state: State) -> tuple[Ask, ...]:
    match state:
        case Choosing():
            return (ask_first_player(Start, state.seats),)
        case Dealing():
            return (Ask(DEALER, f"round {state.round} shuffle", free=(Shuffle,)),)
        case Leading():
            return (ask_for_card(state, state.holder, "lead"),)
        case Sealing():
            return tuple(ask_for_card(state, seat, "card") for seat in seats_to_choose(state))
        case Taking():
            return (ask_to_take(state),)
        case Finished():
            return ()


def chance(state: State, dice: Dice) -> Action:
    match state:
        case Choosing():
            return Start(dice.below(state.seats))
        case _:  # before the shuffle the deck is sorted by suit (S H D C), each 1 to 10, J N Q K 0
            return Shuffle(dice.shuffle(DECK))


# ── a turn ───────────────────────────────────────────────────────────────────────────────────────


def deal(state: Dealing, pile: Cards) -> Leading:
    """Deal the whole deck, in blocks in seat order."""
    check_shuffle(pile, DECK)
    hands, _ = deal_hands(pile, HAND_SIZES[state.seats], state.seats)
    farmers = tuple(Farmer(sort_hand(hand)) for hand in hands)
    return Leading(state.variant, state.round, 1, state.holder, state.sheet, farmers)


def lead(state: Leading, card: str) -> Sealing:
    """Lay the holder's card open, with the bean on it."""
    played = put((None,) * len(state.farmers), state.holder, card)
    farmers = remove_from_hand(state.farmers, state.holder, card)
    return Sealing(state.variant, state.round, state.turn, state.holder, state.sheet, farmers, played)


def seal(state: Sealing, seat: Seat, card: str) -> Sealing | Taking:
    """Choose a card face down, for good. The last choice reveals all cards, and the holder takes first."""
    played = put(state.played, seat, card)
    farmers = remove_from_hand(state.farmers, seat, card)
    variant, round_, turn, holder, sheet = state.variant, state.round, state.turn, state.holder, state.sheet
    if None in played:
        return Sealing(variant, round_, turn, holder, sheet, farmers, played)
    return Taking(variant, round_, turn, holder, sheet, farmers, lying=played, taker=holder)


def remove_from_hand(farmers: tuple[Farmer, ...], seat: Seat, card: str) -> tuple[Farmer, ...]:
    farmer = farmers[seat]
    return put(farmers, seat, Farmer(without(farmer.hand, (card,)), farmer.collected))


def take(state: Taking, owner: Seat) -> State:
    """Take a card. The seat left with the bean card holds the bean next."""
    after = take_card(state, owner)
    if owner != state.holder:
        return after
    if after.farmers[owner].hand:
        return Leading(state.variant, state.round, state.turn + 1, state.taker, state.sheet, after.farmers)
    return end_round(after, heir=state.taker)


# ── what can be said ─────────────────────────────────────────────────────────────────────────────


def ask_for_card(state: Leading | Sealing, seat: Seat, what: str) -> Ask:
    """Ask for a card, even the last one: everybody must play theirs, so the house may answer."""
    hand = state.farmers[seat].hand
    about = f"round {state.round} turn {state.turn} {what}"
    return Ask(seat, about, menu=tuple([PLAYS[card] for card in hand]), default=PLAYS[lowest_card(hand)])


def ask_to_take(state: Taking) -> Ask:
    about = f"round {state.round} turn {state.turn} take {state.lying.count(None) + 1}"
    menu = tuple([TAKES[seat] for seat in takeable_seats(state)])
    return Ask(state.taker, about, menu=menu, default=TAKES[best_seat_to_take(state)])


def seats_to_choose(state: Sealing) -> list[Seat]:
    return [seat for seat, card in enumerate(state.played) if card is None]


def why_not(state: State, ask: Ask, action: Action) -> RulesError | None:
    """Return a reason the player can act on. Only the asked seat reads it, so it may name cards of the hand."""
    match state, action:
        case ((Leading() | Sealing()), Play(card)):
            return Illegal("You don’t have {card} in your hand.", card=card)
        case Taking(), Take(owner) if owner >= len(state.lying):
            return Illegal("That seat is empty.")
        case Taking(), Take(owner) if state.lying[owner] is None:
            return Illegal("That card has already been taken.")
        case Taking(), Take(owner) if owner == state.taker:
            return Illegal("You can’t take the card you’ve just played.")
        case Taking(), Take():
            return Illegal("The bean card goes last. Take another one.")
    return None


# ── the end of a round and of the game ───────────────────────────────────────────────────────────


def end_round(state: Taking, heir: Seat) -> Dealing | Finished:
    """Write everybody's score on the sheet. The taker of the last bean card begins the next round."""
    collected = tuple(farmer.collected for farmer in state.farmers)
    sheet = (*state.sheet, tuple(map(score, collected)))
    if state.round == ROUNDS[state.variant]:
        return Finished(state.variant, sheet, collected)
    return Dealing(state.variant, len(collected), state.round + 1, heir, sheet)


def result(state: State) -> Result | None:
    if not isinstance(state, Finished):
        return None
    scores = sum_rounds(state.sheet)
    return Result(scores, compute_ranks(scores))


# ── sealed cards ─────────────────────────────────────────────────────────────────────────────────


def is_sealed(before: Sealing, now: State) -> bool:
    """Return whether a card chosen in this turn is still face down."""
    return last_reveal(now) < (before.round, before.turn)


def last_reveal(state: State) -> tuple[int, int]:
    """Return the latest (round, turn) whose cards everybody has seen."""
    match state:
        case Choosing():
            return 0, 0
        case Dealing():
            return state.round, 0
        case Leading() | Sealing():
            return state.round, state.turn - 1
        case Taking():
            return state.round, state.turn
        case Finished():
            return len(state.sheet) + 1, 0
