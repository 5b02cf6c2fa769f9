"""Standing orders for Haricots: passing takes most of a long round."""

from __future__ import annotations

from games.haricots.actions import Fold, Pass
from games.haricots.view import View
from games.notation import Number
from games.orders import Lapse, Opinion, Order
from games.phrases import Phrase
from games.rules import Ask


class PassUntil(Order):
    """Pass while the value to beat is at least this; when somebody plays below it, you are asked again."""

    says = "pass until someone plays below {value}"
    value: Number

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.to_beat < self.value:
            return Lapse(Phrase("the value to beat is below {value}", value=self.value))
        return pass_or_lapse(view)


class PassInRound(Order):
    """Pass on every turn of this round, as long as the personal deck lasts."""

    says = "always pass in round {round}"
    round: Number

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.round != self.round:
            return Lapse(Phrase("round {round} is over", round=self.round))
        return pass_or_lapse(view)


class FoldInRound(Order):
    """Fold on the first turn of this round on which nothing in the hand beats the table."""

    says = "fold in round {round} when nothing can be played"
    round: Number
    once = True

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.round != self.round:
            return Lapse(Phrase("round {round} is over", round=self.round))
        return Fold() if set(map(type, ask.menu)) <= {Pass, Fold} and Fold() in ask.menu else None


def pass_or_lapse(view: View) -> Opinion:
    """Passing is safe while the personal deck lasts; after that the player decides."""
    if view.me is None or not view.seats[view.me].deck:
        return Lapse(Phrase("your personal deck is empty"))
    return Pass()


HIGH = 9  # a value that is not beaten lightly
ORDERS = (PassUntil, PassInRound, FoldInRound)


def suggest(view: View) -> tuple[Order, ...]:
    """Orders that make sense now, ready to be given with one press."""
    passing = (PassUntil(max(view.to_beat, HIGH)), PassInRound(view.round))
    return passing if view.variant == "basic" else (*passing, FoldInRound(view.round))
