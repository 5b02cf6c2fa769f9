"""Standing orders that plan for several turns. They choose as the bot does, and ask their owner about the rest."""

from __future__ import annotations

from games.bohnanza.actions import Buy, Done, NoDeal
from games.bohnanza.bot.haggling import find_best_acceptance, find_next_offer, haggle, is_exhausted
from games.bohnanza.bot.player import choose
from games.bohnanza.orders.kinds import (
    CloseWhenThrough,
    OrderForThreeOrMore,
    PlantReceived,
    Sow,
    has_nothing_to_answer,
    own_turns_to,
)
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.notation import Action, Number
from games.contract.orders import Lapse, Response, StandingOrder, name_end, name_last_turn
from games.contract.phrases import Phrase


class PlantWell(OrderForThreeOrMore):
    """Plant for you through this turn: the front card of your hand at the start of your turns, and what you get."""

    says = "plant well through turn {turn}"
    tells_hand = True
    about = Phrase(
        "Plants for you where it pays best: the front card at the start of your turn, a "
        "second one only if it brings something, and what you get in markets. It turns up cards, and harvests a field "
        "that can pay no more. If buying a field would help, we ask you."
    )
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        when = name_last_turn(self.turn, own_turns_to(self.turn, view))
        return Phrase("{when}: plant for you where it pays best", when=when)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.turn > self.turn:
            return Lapse(Phrase("turn {turn} is over", turn=self.turn))
        if view.phase not in ("sowing", "planting") or ask.default is None:
            return None
        answer = choose(view, ask)
        return None if isinstance(answer, Buy) else answer

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        return isinstance(other, PlantWell | Sow | PlantReceived) and other.turn <= self.turn


class NoDealUnlessItPays(OrderForThreeOrMore):
    """Say "no deal" in every market before this turn in which nothing is worth a trade and nobody offers anything."""

    says = "no deal until turn {turn} unless a trade pays"
    tells_hand = True
    about = Phrase(
        "Says “no deal” for you in every market before that turn, unless someone offers you something, a face-up card "
        "is worth asking for, or the other player grows what you’d rather give away. Then we ask you."
    )
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        until = name_end(self.turn, own_turns_to(self.turn, view))
        return Phrase("No deal {until}, unless a trade would pay", until=until)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.turn >= self.turn:
            return Lapse(Phrase("turn {turn} has started", turn=self.turn))
        if view.phase != "market" or NoDeal() not in ask.menu:
            return None
        return NoDeal() if haggle(view, ask.seat, ask) == NoDeal() else None

    def handles(self, view: View, ask: Ask) -> bool:
        return view.turn < self.turn and has_nothing_to_answer(view, ask)

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        """Return whether the other order also trades while its owner is away: this one asks instead."""
        return not isinstance(other, CloseWhenThrough | Sow | PlantReceived | PlantWell) and view.turn < self.turn


class PlayOn(OrderForThreeOrMore):
    """Plant through this turn, and trade in other players' markets where it pays; ask before offering in your own."""

    says = "play on through turn {turn}"
    tells_hand = True
    about = Phrase(
        "Plants for you where it pays best, buys a field if that helps, trades in other "
        "players’ markets where a trade pays, and says “no deal” otherwise. In your own market it accepts offers that "
        "pay, and closes it when nothing is left to trade. If you could offer something there, we ask you."
    )
    turn: Number

    def describe(self, view: View | None = None) -> Phrase:
        when = name_last_turn(self.turn, own_turns_to(self.turn, view))
        return Phrase("{when}: plant and trade for you where it pays", when=when)

    def respond(self, view: View, ask: Ask) -> Response:
        if view.turn > self.turn:
            return Lapse(Phrase("turn {turn} is over", turn=self.turn))
        if view.phase == "market":
            return choose_trade(view, ask)
        return choose(view, ask) if view.phase in ("sowing", "planting") else None

    def handles(self, view: View, ask: Ask) -> bool:
        """Return whether it plays this market alone: the owner is asked only if they could offer in their own."""
        if view.turn > self.turn or view.phase != "market":
            return False
        return view.me != view.active or find_next_offer(view, ask.seat) is None

    def needs_no_letter(self, view: View, ask: Ask) -> bool:
        return self.handles(view, ask)

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        """Return whether another order would overrule it: while it stands, all the others would."""
        return view.turn <= self.turn


def choose_trade(view: View, ask: Ask) -> Action | None:
    """Trade as the bot does, but decline nothing, and leave offers in the owner's market to the owner."""
    if answer := find_best_acceptance(view, ask.seat, ask):
        return answer
    offer = find_next_offer(view, ask.seat)
    if view.me != view.active:
        return offer or (NoDeal() if NoDeal() in ask.menu else None)
    return Done() if ask.through and not offer and is_exhausted(view, ask.seat) else None
