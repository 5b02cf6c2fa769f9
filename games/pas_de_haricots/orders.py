"""Standing orders for Pas de Haricots: preferences for taking and for playing a card.

>>> str(TakeInRound(("highest S", "lowest minus", "best"), round=2))
'take highest S else lowest minus else best in round 2'
"""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Number
from games.contract.orders import Lapse, Opinion, StandingOrder
from games.contract.phrases import Phrase
from games.contract.seats import Seat
from games.pas_de_haricots.actions import Play, Take
from games.pas_de_haricots.card_preferences import Offered, TakingWishes, Wishes, decide, in_words
from games.pas_de_haricots.deck import Cards, lowest
from games.pas_de_haricots.view import View, card_before, collected


class TakeInTurn(StandingOrder):
    """In one turn, take a card by these preferences: `best`, `highest S`, `lowest minus`, `simple`, `D`, `KD`, `from
    B`.
    """

    says = "take {wishes} in round {round} turn {turn}"
    about = Phrase(
        "Takes a card for you in that turn, if your wishes leave one card alone. What can be wished: "
        "best · highest S · lowest minus · simple · D · KD · from B. After “else” comes what you wish next."
    )
    once = True
    wishes: TakingWishes
    round: Number
    turn: Number

    def in_words(self) -> Phrase:
        return Phrase("In turn {turn} of round {round} take {card}",
                      turn=self.turn, round=self.round, card=in_words(self.wishes))  # fmt: skip

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if (view.round, view.turn) != (self.round, self.turn):
            return turn_is_over(view, self.round, self.turn)
        return decide(self.wishes, to_take(view, ask), mine(view))


class TakeInRound(StandingOrder):
    """In every turn of a round, take a card by these preferences if they leave exactly one."""

    says = "take {wishes} in round {round}"
    about = Phrase("Takes a card for you in every turn of that round in which your wishes leave one card alone.")
    wishes: TakingWishes
    round: Number

    def in_words(self) -> Phrase:
        return Phrase("In every turn of round {round} take {card}", round=self.round, card=in_words(self.wishes))

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.round != self.round:
            return round_is_over(view, self.round)
        return decide(self.wishes, to_take(view, ask), mine(view))


class PlayInTurn(StandingOrder):
    """In one turn, play a card by these preferences, open or face down: `lowest simple`, `highest S`, `minus`, `D`,
    `KD`.
    """

    says = "play {wishes} in round {round} turn {turn}"
    about = Phrase(
        "Plays a card for you in that turn, if your wishes leave one card alone. What can be wished: "
        "lowest simple · highest S · minus · D · KD. After “else” comes what you wish next."
    )
    once = True
    wishes: Wishes
    round: Number
    turn: Number

    def in_words(self) -> Phrase:
        return Phrase("In turn {turn} of round {round} play {card}",
                      turn=self.turn, round=self.round, card=in_words(self.wishes))  # fmt: skip

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if (view.round, view.turn) != (self.round, self.turn):
            return turn_is_over(view, self.round, self.turn)
        return decide(self.wishes, to_play(ask))


class PlayInRound(StandingOrder):
    """In every turn of a round, play a card by these preferences if they leave exactly one."""

    says = "play {wishes} in round {round}"
    about = Phrase("Plays a card for you in every turn of that round in which your wishes leave one card alone.")
    wishes: Wishes
    round: Number

    def in_words(self) -> Phrase:
        return Phrase("In every turn of round {round} play {card}", round=self.round, card=in_words(self.wishes))

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.round != self.round:
            return round_is_over(view, self.round)
        return decide(self.wishes, to_play(ask))


ORDERS = (TakeInTurn, TakeInRound, PlayInTurn, PlayInRound)


def turn_is_over(view: View, round: int, turn: int) -> Lapse | None:
    """Return why an order for another turn lapses, or None if its turn is still to come."""
    if (view.round, view.turn) < (round, turn):
        return None
    return Lapse(Phrase("turn {turn} of round {round} is over", turn=turn, round=round))


def round_is_over(view: View, round: int) -> Lapse | None:
    return Lapse(Phrase("round {round} is over", round=round)) if view.round > round else None


def to_take(view: View, ask: Ask) -> Offered:
    return {answer: card_before(view, answer.seat) for answer in ask.menu if isinstance(answer, Take)}


def to_play(ask: Ask) -> Offered:
    return {answer: answer.card for answer in ask.menu if isinstance(answer, Play)}


def mine(view: View) -> Cards:
    return () if view.me is None else collected(view.seats[view.me])


# ── suggested orders ─────────────────────────────────────────────────────────────────────────────


def suggest(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders that make sense now, each given with one click."""
    if view.me is None or view.phase not in ("leading", "sealing", "taking"):
        return ()
    return (*suggest_takes(view, view.me), *suggest_play(view))


def suggest_takes(view: View, me: Seat) -> list[StandingOrder]:
    """Suggest orders for the next card this seat takes, and for all later ones in this round."""
    turn = len(mine(view)) + 1
    if turn > view.turns:
        return []
    strongest = max(view.seats[me].series, key=lambda series: series.points)
    favourite = [TakeInTurn((f"highest {strongest.suit}", "best"), view.round, turn)] if strongest.points > 0 else []
    return [TakeInTurn(("best",), view.round, turn), *favourite, TakeInRound(("best",), view.round)]


def suggest_play(view: View) -> list[StandingOrder]:
    """Suggest a card for the next turn, so that nobody waits for it. The house plays the last card."""
    played = view.turns - len(view.hand)
    if played < view.turn or len(view.hand) < 2:  # this turn's card has yet to be chosen
        return []
    return [PlayInTurn((lowest(view.hand),), view.round, played + 1)]
