"""Standing orders for Pas de Haricots: preferences for taking and for playing a card.

>>> str(TakeInRound(("highest S", "lowest minus", "best"), round=2))
'take highest S else lowest minus else best in round 2'
"""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Action, Number
from games.contract.orders import Lapse, Response, StandingOrder, name_turn
from games.contract.phrases import Phrase, Plural
from games.contract.seats import Seat, clockwise
from games.pas_de_haricots.actions import Play, Take
from games.pas_de_haricots.card_preferences import (
    BEST,
    WISH_NAMES,
    Offered,
    Situation,
    TakingWishes,
    Wishes,
    decide,
    describe_tie,
    describe_wishes,
)
from games.pas_de_haricots.deck import lowest_card
from games.pas_de_haricots.view import View, card_on_table, collected_cards


class TakeInTurn(StandingOrder):
    """In one turn, take a card by these preferences: `best`, `wanted`, `first` clockwise, `highest S`, `lowest minus`,
    `simple`, `D`, `KD`, `from B`.
    """

    says = "take {wishes} in round {round} turn {turn}"
    about = Phrase(
        "Takes a card for you in that turn, if your preferences leave exactly one. You can write: best · wanted · "
        "first · highest S · lowest minus · simple · D · KD · from B. Write “else” before your next preference."
    )
    once = True
    wishes: TakingWishes
    round: Number
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        when = name_turn_of_round(self.round, self.turn, view)
        if tie := describe_tie(self.wishes):
            return Phrase("{when}: take {card}; if in doubt, {tie}",
                          when=when, card=describe_wishes(self.wishes[:1]), tie=tie)  # fmt: skip
        return Phrase("{when}: take {card}", when=when, card=describe_wishes(self.wishes))

    def respond(self, view: View, ask: Ask) -> Response:
        if (view.round, view.turn) != (self.round, self.turn):
            return lapse_if_turn_over(view, self.round, self.turn)
        return decide(self.wishes, takeable_cards(view, ask), read_situation(view))

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        return isinstance(other, TakeInTurn) and (other.round, other.turn) == (self.round, self.turn)


class TakeInRound(StandingOrder):
    """In every turn of a round, take a card by these preferences if they leave exactly one."""

    says = "take {wishes} in round {round}"
    about = Phrase("Takes a card for you in every turn of that round in which your preferences leave exactly one.")
    wishes: TakingWishes
    round: Number

    def describe(self, view: View | None = None) -> Phrase:
        if tie := describe_tie(self.wishes):
            return Phrase("In every turn of round {round} take {card}; if in doubt, {tie}",
                          round=self.round, card=describe_wishes(self.wishes[:1]), tie=tie)  # fmt: skip
        return Phrase("In every turn of round {round} take {card}", round=self.round, card=describe_wishes(self.wishes))

    def respond(self, view: View, ask: Ask) -> Response:
        if view.round != self.round:
            return lapse_if_round_over(view, self.round)
        return decide(self.wishes, takeable_cards(view, ask), read_situation(view))


class PlayInTurn(StandingOrder):
    """In one turn, play a card by these preferences, open or face down: `unwanted`, `lowest simple`, `highest S`,
    `minus`, `D`, `KD`.
    """

    says = "play {wishes} in round {round} turn {turn}"
    tells_hand = True
    about = Phrase(
        "Plays a card for you in that turn, if your preferences leave exactly one. You can write: "
        "unwanted · lowest simple · highest S · minus · D · KD. Write “else” before your next preference."
    )
    once = True
    wishes: Wishes
    round: Number
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        when = name_turn_of_round(self.round, self.turn, view)
        if tie := describe_tie(self.wishes):
            return Phrase("{when}: play {card}; if in doubt, {tie}",
                          when=when, card=describe_wishes(self.wishes[:1]), tie=tie)  # fmt: skip
        return Phrase("{when}: play {card}", when=when, card=describe_wishes(self.wishes))

    def respond(self, view: View, ask: Ask) -> Response:
        if (view.round, view.turn) != (self.round, self.turn):
            return lapse_if_turn_over(view, self.round, self.turn)
        return decide(self.wishes, playable_cards(ask), read_situation(view))


class PlayInRound(StandingOrder):
    """In every turn of a round, play a card by these preferences if they leave exactly one."""

    says = "play {wishes} in round {round}"
    tells_hand = True
    about = Phrase("Plays a card for you in every turn of that round in which your preferences leave exactly one.")
    wishes: Wishes
    round: Number

    def describe(self, view: View | None = None) -> Phrase:
        if tie := describe_tie(self.wishes):
            return Phrase("In every turn of round {round} play {card}; if in doubt, {tie}",
                          round=self.round, card=describe_wishes(self.wishes[:1]), tie=tie)  # fmt: skip
        return Phrase("In every turn of round {round} play {card}", round=self.round, card=describe_wishes(self.wishes))

    def respond(self, view: View, ask: Ask) -> Response:
        if view.round != self.round:
            return lapse_if_round_over(view, self.round)
        return decide(self.wishes, playable_cards(ask), read_situation(view))


class PlayAndTake(StandingOrder):
    """In one turn, or in a few, play a card and take one by these preferences."""

    says = "play {wishes} and take {takes} in round {round} turn {turn}[ to {last}]"
    tells_hand = True
    about = Phrase("Plays a card and takes one for you in that turn, or in each turn from the first to the last.")
    wishes: Wishes
    takes: TakingWishes
    round: Number
    turn: Number
    last: Number = 0  # the same turn

    def describe(self, view: View | None = None) -> Phrase:
        cards = {"card": describe_wishes(self.wishes), "taken": describe_wishes(self.takes)}
        when = Phrase("In turns {turn} to {last} of round {round}", turn=self.turn, last=self.last, round=self.round)
        if self.last <= self.turn:
            when = name_turn_of_round(self.round, self.turn, view)
        elif turns_to(self.round, self.turn, view) == 1:
            when = Plural("In your next turn", "In your next {count} turns", count=self.last - self.turn + 1)
        return Phrase("{when}: play {card} and take {taken}", when=when, **cards)

    def respond(self, view: View, ask: Ask) -> Response:
        last = max(self.turn, self.last)
        if not (self.round, self.turn) <= (view.round, view.turn) <= (self.round, last):
            return lapse_if_turn_over(view, self.round, last)
        plays = playable_cards(ask)
        return decide(self.wishes if plays else self.takes, plays or takeable_cards(view, ask), read_situation(view))

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        if not isinstance(other, TakeInTurn | PlayInTurn | PlayAndTake):
            return False
        return other.round == self.round and self.turn <= other.turn <= max(self.turn, self.last)


ORDERS = (TakeInTurn, TakeInRound, PlayInTurn, PlayInRound, PlayAndTake)


def turns_to(round: int, turn: int, view: View | None) -> int:
    """Return how many turns from now that turn is, in which everybody plays; -1 if the viewer has no turns to count."""
    if view is None or view.me is None or view.phase == "finished":
        return -1
    return (round - view.round) * view.turns + turn - view.turn


def name_turn_of_round(round: int, turn: int, view: View | None) -> Phrase:
    own = turns_to(round, turn, view)
    if own not in range(TURNS_AHEAD + 1):
        return Phrase("In turn {turn} of round {round}", turn=turn, round=round)
    return name_turn(turn, own)


def lapse_if_turn_over(view: View, round: int, turn: int) -> Lapse | None:
    """Return why an order for another turn lapses, or None if its turn is still to come."""
    if (view.round, view.turn) < (round, turn):
        return None
    return Lapse(Phrase("turn {turn} of round {round} is over", turn=turn, round=round))


def lapse_if_round_over(view: View, round: int) -> Lapse | None:
    return Lapse(Phrase("round {round} is over", round=round)) if view.round > round else None


def takeable_cards(view: View, ask: Ask) -> Offered:
    return {answer: card_on_table(view, answer.seat) for answer in ask.menu if isinstance(answer, Take)}


def playable_cards(ask: Ask) -> Offered:
    return {answer: answer.card for answer in ask.menu if isinstance(answer, Play)}


def read_situation(view: View) -> Situation:
    if view.me is None:
        return Situation()
    mine = collected_cards(view.seats[view.me])
    others = tuple(collected_cards(other) for other in view.seats if other.seat != view.me)
    return Situation(mine, others, clockwise(len(view.seats), after=view.me))


# ── suggested orders ─────────────────────────────────────────────────────────────────────────────

TURNS_AHEAD = 2  # turns that a suggested plan covers

RANKED_WISHES = tuple(wish for wish in WISH_NAMES if " " in wish)  # preferences such as the highest spade


def suggest(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders that make sense now, each given with one click."""
    if view.me is None or view.phase not in ("leading", "sealing", "taking"):
        return ()
    return (*suggest_turns(view), *suggest_takes(view, view.me), *suggest_play(view))


def choices(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders to choose from, by kind: preferences for the next turns, and for the whole round."""
    if view.me is None or view.phase not in ("leading", "sealing", "taking"):
        return ()
    turns = range(view.turn + 1, min(view.turn + TURNS_AHEAD, view.turns) + 1)
    taking = [(wish, *then) for wish in ("best", "wanted", *RANKED_WISHES) for then in ((), ("first",))]
    playing = [(wish,) for wish in ("unwanted", *RANKED_WISHES)]
    return (
        *(TakeInTurn(wishes, view.round, turn) for turn in turns for wishes in taking),
        *(TakeInRound(wishes, view.round) for wishes in taking),
        *(PlayInTurn(wishes, view.round, turn) for turn in turns for wishes in playing),
        *(PlayInRound(wishes, view.round) for wishes in playing),
    )


def suggest_beside(view: View, answer: Action) -> tuple[StandingOrder, ...]:
    """Return the orders to offer beside a card: for the take that follows it, or for the turns after it."""
    match answer:
        case Play():
            return TakeInTurn(BEST, view.round, view.turn), TakeInTurn(("best",), view.round, view.turn)
        case Take():
            return tuple(orders_for_next_turns(view))
    return ()


def count_turns(view: View) -> int:
    return (view.round - 1) * view.turns + view.turn - 1


def suggest_turns(view: View) -> list[StandingOrder]:
    """Suggest to play and take in the next turns, once the card of this turn is chosen."""
    return orders_for_next_turns(view) if has_chosen(view) else []


def orders_for_next_turns(view: View) -> list[StandingOrder]:
    """Return orders for the next turns of this round, or for the first ones of the next round."""
    if view.turn < view.turns:
        number, turn = view.round, view.turn + 1
    elif view.round < view.rounds:
        number, turn = view.round + 1, 1
    else:
        return []
    last = min(turn + TURNS_AHEAD - 1, view.turns)
    spans = [last, 0] if last > turn else [0]
    return [PlayAndTake(("unwanted",), BEST, number, turn, last) for last in spans]


def suggest_takes(view: View, me: Seat) -> list[StandingOrder]:
    """Suggest orders for the next card this seat takes, and for all later ones in this round."""
    turn = len(read_situation(view).mine) + 1
    if turn > view.turns:
        return []
    strongest = max(view.seats[me].series, key=lambda series: series.points)
    favourite = [TakeInTurn((f"highest {strongest.suit}", *BEST), view.round, turn)] if strongest.points > 0 else []
    return [TakeInTurn(BEST, view.round, turn), *favourite, TakeInRound(BEST, view.round)]


def suggest_play(view: View) -> list[StandingOrder]:
    """Suggest a card for the next turn, so that nobody waits for it. The house plays the last card."""
    if not has_chosen(view) or len(view.hand) < 2:
        return []
    return [PlayInTurn((lowest_card(view.hand),), view.round, view.turn + 1)]


def has_chosen(view: View) -> bool:
    """Return whether this seat's card of this turn is chosen."""
    return view.turns - len(view.hand) >= view.turn
