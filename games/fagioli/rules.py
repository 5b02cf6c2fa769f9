"""The rules of Fagioli, each under the name players use for it."""

from __future__ import annotations

from games.contract.asks import Ask, Result, compute_ranks
from games.contract.boxes import load_box
from games.contract.cards import ask_first_player, check_shuffle, deal_hands, expand_counts, put, same_cards, without
from games.contract.dice import Dice
from games.contract.errors import Illegal, RulesError
from games.contract.notation import Action
from games.contract.seats import DEALER, Seat
from games.fagioli import plays
from games.fagioli.actions import SIDES, Play, Shuffle, Start
from games.fagioli.bursts import is_burst, set_hand_aside, take_mildest_token
from games.fagioli.state import Cards, Choosing, Dealing, Farmer, Finished, Market, Pile, Playing, Reshuffling, State

BOX = load_box("fagioli")
DECK: Cards = expand_counts({int(value): bean["count"] for value, bean in BOX["beans"]["values"].items()})
HAND_SIZE: int = BOX["hand"]
START_PILES: tuple[Pile, Pile] = (Pile(BOX["start"]["left"]["value"]), Pile(BOX["start"]["right"]["value"]))
TOKENS: dict[int, Cards] = {int(seats): tuple(tokens) for seats, tokens in BOX["tokens"].items()}
THALERS: dict[str, int] = BOX["thalers"]


def setup(seats: int, variant: str) -> State:
    return Choosing(seats)


def apply(state: State, seat: Seat, action: Action) -> State:
    match state, action:
        case Playing(), Play():
            return play(state, action)
        case Reshuffling(), Shuffle():
            return reshuffle(state, action.cards)
        case Choosing(), Start():
            return Dealing(state.seats, action.seat)
        case Dealing(), Shuffle():
            return deal(state, action.cards)
    raise Illegal("You can’t do “{line}” now.", line=str(action))


def asks(state: State) -> tuple[Ask, ...]:
    match state:
        case Choosing():
            return (ask_first_player(Start, state.seats),)
        case Dealing():
            return (Ask(DEALER, "shuffle", free=(Shuffle,)),)
        case Playing():
            return (ask_active_seat(state),)
        case Reshuffling():  # at most once in a turn: after it nothing is left to shuffle
            return (Ask(DEALER, f"turn {state.turn} reshuffle", free=(Shuffle,)),)
        case Finished():
            return ()


def chance(state: State, dice: Dice) -> Action:
    """Answer for the dealer. Before every shuffle the cards are sorted ascending, wherever they come from."""
    match state:
        case Choosing():
            return Start(dice.below(state.seats))
        case Reshuffling():
            return Shuffle(dice.shuffle(sorted(cards_to_reshuffle(state.market))))
        case _:
            return Shuffle(dice.shuffle(DECK))


def deal(state: Dealing, cards: Cards) -> Playing:
    """Deal hands of four in seat order; the rest is the draw pile."""
    check_shuffle(cards, DECK)
    hands, rest = deal_hands(cards, HAND_SIZE, state.seats)
    farmers = tuple(Farmer(tuple(sorted(hand))) for hand in hands)
    market = Market(START_PILES, draw_pile=rest, aside=(), tokens=TOKENS[state.seats])
    return Playing(state.first, farmers, market, turn=1, seat=state.first)


# ── a turn ───────────────────────────────────────────────────────────────────────────────────────


def play(state: Playing, action: Play) -> State:
    """Play a card. It stays on its pile, even if the player bursts."""
    farmer, market = state.farmers[state.seat], state.market
    side = SIDES.index(action.pile)
    pile = market.piles[side]
    difference = plays.value_of(action.card, action.down) - plays.top_of(pile).counts
    left = len(farmer.hand) - 1
    farmer = plant(farmer, action)
    market = lay_on_pile(market, side, Pile(pile.start, (*pile.cards, action.card), action.down, state.seat))
    if is_burst(left, difference):
        return burst(state, farmer, market)
    return draw(state, farmer, market, max(difference, 0))


def lay_on_pile(market: Market, side: int, pile: Pile) -> Market:
    left, right = market.piles
    piles = (left, pile) if side else (pile, right)
    return Market(piles, market.draw_pile, market.aside, market.tokens)


def plant(farmer: Farmer, action: Play) -> Farmer:
    """Move cards from the hand to the planted ones; they never come back into play."""
    planted = tuple(sorted(farmer.planted + action.plant)) if action.plant else farmer.planted
    return Farmer(without(farmer.hand, (action.card, *action.plant)), planted, farmer.tokens)


def burst(state: Playing, farmer: Farmer, market: Market) -> State:
    """Take a token, set the hand aside and draw a new one. With the last token the game ends before that."""
    farmer, market = take_mildest_token(farmer, market)
    if not market.tokens:
        return Finished(state.first, put(state.farmers, state.seat, farmer), market)
    return draw(state, *set_hand_aside(farmer, market), owed=HAND_SIZE)


def draw(state: Playing | Reshuffling, farmer: Farmer, market: Market, owed: int) -> State:
    """Draw cards. The draw pile has run out as soon as its last card is drawn."""
    if owed:
        drawn, left = market.draw_pile[:owed], market.draw_pile[owed:]
        farmer = Farmer(tuple(sorted(farmer.hand + drawn)), farmer.planted, farmer.tokens)
        market = Market(market.piles, left, market.aside, market.tokens)
        if not left and cards_to_reshuffle(
            market
        ):  # with nothing to shuffle, the next draw from the empty pile reshuffles
            farmers = put(state.farmers, state.seat, farmer)
            return Reshuffling(state.first, farmers, market, state.turn, state.seat, owed - len(drawn))
    return next_turn(state, farmer, market)


def cards_to_reshuffle(market: Market) -> Cards:
    """Return the bean cards of both piles and all cards set aside."""
    left, right = market.piles
    return left.cards + right.cards + market.aside


def reshuffle(state: Reshuffling, cards: Cards) -> State:
    """Make a new draw pile. The start cards become the tops again, and the mildest token left goes back to the box."""
    if not same_cards(cards, cards_to_reshuffle(state.market)):
        raise Illegal("A reshuffle must name each card of both piles and each card set aside once.")
    market = Market(START_PILES, draw_pile=cards, aside=(), tokens=state.market.tokens[1:])
    if not market.tokens:
        return Finished(state.first, state.farmers, market)
    return draw(state, state.farmers[state.seat], market, state.owed)


def next_turn(state: Playing | Reshuffling, farmer: Farmer, market: Market) -> Playing:
    farmers = put(state.farmers, state.seat, farmer)
    return Playing(state.first, farmers, market, state.turn + 1, (state.seat + 1) % len(farmers))


# ── what can be said ─────────────────────────────────────────────────────────────────────────────


def ask_active_seat(state: Playing) -> Ask:
    hand, left, right = hand_and_tops(state)
    ways = plays.list_lays(hand, left, right)
    return Ask(
        state.seat, f"turn {state.turn}", menu=plays.build_menu(ways, hand), default=plays.steadiest_play(ways, hand)
    )


def hand_and_tops(state: Playing) -> tuple[Cards, plays.Top, plays.Top]:
    """Return the hand of the active seat and the two tops."""
    left, right = state.market.piles
    return state.farmers[state.seat].hand, plays.top_of(left), plays.top_of(right)


def why_not(state: State, ask: Ask, action: Action) -> RulesError | None:
    match state, action:
        case Playing(), Play():
            return plays.why_not(action, *hand_and_tops(state))
    return None


# ── the end ──────────────────────────────────────────────────────────────────────────────────────


def result(state: State) -> Result | None:
    """Score the game. Of tied seats, the one later in turn order ranks better."""
    if not isinstance(state, Finished):
        return None
    farmers, first = state.farmers, state.first
    lowest = min(sum(farmer.tokens) for farmer in farmers)
    scores = tuple(count_thalers(farmer, lowest) for farmer in farmers)
    return Result(scores, compute_ranks((score, (seat - first) % len(farmers)) for seat, score in enumerate(scores)))


def count_thalers(farmer: Farmer, lowest: int) -> int:
    penalty = sum(farmer.tokens)
    return (
        THALERS["planted"] * len(farmer.planted)
        + THALERS["lowest_penalty"] * (penalty == lowest)
        + THALERS["no_tokens"] * (not farmer.tokens)
        - penalty
    )
