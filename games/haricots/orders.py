"""Standing orders for Haricots. In a long round most turns are passes."""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Action, Number
from games.contract.orders import Lapse, Response, StandingOrder
from games.contract.phrases import Phrase
from games.haricots.actions import Fold, Pass, Play
from games.haricots.bot import breaks_a_set
from games.haricots.rules import worth
from games.haricots.view import View


class PassUntil(StandingOrder):
    """Pass while the value to beat is at least this. When a player plays below it, you are asked again."""

    says = "pass until someone plays below {value}"
    about = Phrase("Passes while the value to beat is at least that. If it drops below, we ask you.")
    value: Number

    def describe(self, view: View | None = None) -> Phrase:
        return Phrase("Pass until the value to beat is below {value}", value=self.value)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.to_beat < self.value:
            return Lapse(Phrase("the value to beat is below {value}", value=self.value))
        return pass_or_lapse(view)


class PassInRound(StandingOrder):
    """Pass on every turn of this round, as long as your personal deck lasts."""

    says = "always pass in round {round}"
    about = Phrase("Passes on every turn of that round, as long as your deck lasts.")
    round: Number

    def describe(self, view: View | None = None) -> Phrase:
        return Phrase("Pass on every turn of round {round}", round=self.round)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.round != self.round:
            return lapse_if_over(view, self.round)
        return pass_or_lapse(view)


class FoldInRound(StandingOrder):
    """Fold on the first turn of this round on which nothing in your hand beats the table."""

    says = "fold in round {round} when nothing can be played"
    tells_hand = True
    about = Phrase(
        "Folds the first time that round nothing in your hand beats the table. There’s no folding in the basic game."
    )
    round: Number
    once = True

    def describe(self, view: View | None = None) -> Phrase:
        return Phrase("In round {round}, fold as soon as you can’t play", round=self.round)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.round != self.round:
            return lapse_if_over(view, self.round)
        return Fold() if set(map(type, ask.menu)) <= {Pass, Fold} and Fold() in ask.menu else None


class BeatInRound(StandingOrder):
    """Beat the table in this round as cheaply as you can, up to a value or without limit, and pass otherwise. You are
    asked to lead.
    """

    says = "beat it cheaply[ up to {value}] else pass in round {round}"
    about = Phrase(
        "In that round, beats the table with your lowest play, whole sets first, and goes out as soon as it can. If "
        "nothing beats the table, or only something above that value, it passes. We ask you to lead."
    )
    value: Number = 0  # no limit
    round: Number = 0

    def describe(self, view: View | None = None) -> Phrase:
        if not self.value:
            return Phrase("In round {round}, beat the table as cheaply as you can, or else pass", round=self.round)
        return Phrase("In round {round}, beat the table as cheaply as you can up to {value}, or else pass",
                      round=self.round, value=self.value)  # fmt: skip

    def respond(self, view: View, ask: Ask) -> Response:
        if view.round != self.round:
            return lapse_if_over(view, self.round)
        if not view.to_beat:
            return None
        plays = [answer for answer in ask.menu if isinstance(answer, Play)]
        low = [play for play in plays if not self.value or worth(play.cards, view.to_beat) <= self.value]
        if low:
            return cheapest_play(low, view)
        return Pass() if Pass() in ask.menu and (not plays or own_deck_size(view)) else None

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        return view.round == self.round


def cheapest_play(plays: list[Play], view: View) -> Play:
    """Return the play that ends the round, or else the lowest, whole sets first."""
    last = [play for play in plays if len(play.cards) == len(view.hand)]
    return min(last or plays, key=lambda play: (breaks_a_set(play, view), worth(play.cards, view.to_beat)))


def own_deck_size(view: View) -> int:
    return 0 if view.me is None else view.seats[view.me].deck


def lapse_if_over(view: View, round: int) -> Response:
    """Respond for an order of another round: it lapses if that round is over."""
    return Lapse(Phrase("round {round} is over", round=round)) if view.round > round else None


def pass_or_lapse(view: View) -> Response:
    """Pass, which is safe while the personal deck lasts; after that the player decides."""
    if not own_deck_size(view):
        return Lapse(Phrase("your deck is empty"))
    return Pass()


HIGH_VALUE = 9  # a value that is rarely beaten
MIDDLE_VALUE = 12  # higher plays cost cards that win tricks later
ORDERS = (PassUntil, PassInRound, FoldInRound, BeatInRound)


LIMITS = (8, 10, 12, 15, 18, 20, 24, 30)  # values to choose from


def suggest(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders that make sense now, each given with one click."""
    if view.me is None or view.phase != "playing" or not view.seats[view.me].inside:
        return ()
    beating = (BeatInRound(0, view.round), BeatInRound(MIDDLE_VALUE, view.round))
    passing = (PassUntil(max(view.to_beat, HIGH_VALUE)), PassInRound(view.round)) if own_deck_size(view) else ()
    folding = () if view.variant == "basic" else (FoldInRound(view.round),)
    return (*beating, *passing, *folding)


def choices(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders to choose from, by kind: for this round and the next ones."""
    if view.me is None or view.phase != "playing":
        return ()
    rounds = range(view.round, min(view.rounds or view.round + 1, view.round + 2) + 1)
    folding = () if view.variant == "basic" else map(FoldInRound, rounds)
    beating = (BeatInRound(value, number) for number in rounds for value in (0, *LIMITS))
    return (*map(PassUntil, LIMITS), *map(PassInRound, rounds), *folding, *beating)


def suggest_beside(view: View, answer: Action) -> tuple[StandingOrder, ...]:
    """Return the orders to offer beside a move, for the rest of the round."""
    goes_out = isinstance(answer, Play) and len(answer.cards) == len(view.hand)
    if isinstance(answer, Fold) or goes_out or (isinstance(answer, Pass) and not own_deck_size(view)):
        return ()
    passing = (PassUntil(HIGH_VALUE),) if own_deck_size(view) > isinstance(answer, Pass) else ()
    return (BeatInRound(0, view.round), *passing)
