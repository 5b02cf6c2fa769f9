"""Standing orders for Haricots. In a long round most turns are passes."""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Number
from games.contract.orders import Lapse, Opinion, StandingOrder
from games.contract.phrases import Phrase
from games.haricots.actions import Fold, Pass
from games.haricots.view import View


class PassUntil(StandingOrder):
    """Pass while the value to beat is at least this. When somebody plays below it, you are asked again."""

    says = "pass until someone plays below {value}"
    about = Phrase("Passes while the value to beat is at least that. If it drops below, we ask you.")
    value: Number

    def in_words(self) -> Phrase:
        return Phrase("Pass until the value to beat is below {value}", value=self.value)

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.to_beat < self.value:
            return Lapse(Phrase("the value to beat is below {value}", value=self.value))
        return pass_or_lapse(view)


class PassInRound(StandingOrder):
    """Pass on every turn of this round, as long as your personal deck lasts."""

    says = "always pass in round {round}"
    about = Phrase("Passes on every turn of that round, as long as your deck lasts.")
    round: Number

    def in_words(self) -> Phrase:
        return Phrase("Pass on every turn of round {round}", round=self.round)

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.round != self.round:
            return over_or_not_yet(view, self.round)
        return pass_or_lapse(view)


class FoldInRound(StandingOrder):
    """Fold on the first turn of this round on which nothing in your hand beats the table."""

    says = "fold in round {round} when nothing can be played"
    about = Phrase(
        "Folds the first time that round nothing in your hand beats the table. There’s no folding in the basic game."
    )
    round: Number
    once = True

    def in_words(self) -> Phrase:
        return Phrase("In round {round}, fold as soon as you can’t play", round=self.round)

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.round != self.round:
            return over_or_not_yet(view, self.round)
        return Fold() if set(map(type, ask.menu)) <= {Pass, Fold} and Fold() in ask.menu else None


def over_or_not_yet(view: View, round: int) -> Opinion:
    """Return the opinion of an order for another round: it lapses if that round is over."""
    return Lapse(Phrase("round {round} is over", round=round)) if view.round > round else None


def pass_or_lapse(view: View) -> Opinion:
    """Pass, which is safe while the personal deck lasts; after that the player decides."""
    if view.me is None or not view.seats[view.me].deck:
        return Lapse(Phrase("your deck is empty"))
    return Pass()


HIGH = 9  # a value that is rarely beaten
ORDERS = (PassUntil, PassInRound, FoldInRound)


def suggest(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders that make sense now, each given with one click."""
    if view.me is None or view.phase != "playing" or not view.seats[view.me].inside:
        return ()
    passing = (PassUntil(max(view.to_beat, HIGH)), PassInRound(view.round)) if view.seats[view.me].deck else ()
    return passing if view.variant == "basic" else (*passing, FoldInRound(view.round))
