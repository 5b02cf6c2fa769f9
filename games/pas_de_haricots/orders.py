"""Standing orders for Pas de Haricots: wishes for what to take, and for what to play.

>>> str(TakeInRound(("highest S", "lowest minus", "best"), round=2))
'take highest S else lowest minus else best in round 2'
"""

from __future__ import annotations

from games.chairs import Seat
from games.notation import Number
from games.orders import Lapse, Opinion, Order
from games.pas_de_haricots.actions import Play, Take
from games.pas_de_haricots.deck import Cards, lowest
from games.pas_de_haricots.view import View, card_before, collected
from games.pas_de_haricots.wishes import Offered, TakingWishes, Wishes, decide, in_words
from games.phrases import Phrase
from games.rules import Ask


class TakeInTurn(Order):
    """Take by these wishes in one turn: `best`, `highest S`, `lowest minus`, `simple`, `D`, `KD`, `from B`."""

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


class TakeInRound(Order):
    """Take by these wishes in every turn of a round in which they leave one card alone."""

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


class PlayInTurn(Order):
    """Play by these wishes in one turn, open or face down: `lowest simple`, `highest S`, `minus`, `D`, `KD`."""

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


class PlayInRound(Order):
    """Play by these wishes in every turn of a round in which they leave one card alone."""

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
    """Why an order for another turn lapses; nothing while its turn is still to come."""
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


# ── what could be ordered now ────────────────────────────────────────────────────────────────────


def suggest(view: View) -> tuple[Order, ...]:
    """Orders that make sense now, ready to be given with one press."""
    if view.me is None or view.phase not in ("leading", "sealing", "taking"):
        return ()
    return (*suggest_takes(view, view.me), *suggest_play(view))


def suggest_takes(view: View, me: Seat) -> list[Order]:
    """For the next card this seat takes, and for all that follow in this round."""
    turn = len(mine(view)) + 1
    if turn > view.turns:
        return []
    strongest = max(view.seats[me].series, key=lambda series: series.points)
    favourite = [TakeInTurn((f"highest {strongest.suit}", "best"), view.round, turn)] if strongest.points > 0 else []
    return [TakeInTurn(("best",), view.round, turn), *favourite, TakeInRound(("best",), view.round)]


def suggest_play(view: View) -> list[Order]:
    """A card for the next turn, so that nobody has to wait for it. The last card is played by the house."""
    played = view.turns - len(view.hand)
    if played < view.turn or len(view.hand) < 2:  # this turn's card is still to be chosen
        return []
    return [PlayInTurn((lowest(view.hand),), view.round, played + 1)]
