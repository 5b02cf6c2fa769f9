"""Standing orders that plan for several turns. They choose as the bot does, and ask their owner about the rest."""

from __future__ import annotations

from games.bohnanza.actions import Buy, NoDeal
from games.bohnanza.bot.haggling import haggle
from games.bohnanza.bot.player import choose
from games.bohnanza.orders.kinds import CloseWhenThrough, Farmhand, PlantReceived, Sow, has_nothing_to_answer
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.notation import Number
from games.contract.orders import Lapse, Opinion, StandingOrder
from games.contract.phrases import Phrase


class PlantWell(Farmhand):
    """Plant for you through this turn: the front card of your hand at the start of your turns, and what you get."""

    says = "plant well through turn {turn}"
    about = Phrase(
        "Until that turn is over, plants for you where it pays best: the front card at the start of your turn, a "
        "second one only if it brings something, and what you get in markets. It turns up cards, and harvests a field "
        "that can pay no more. If buying a field would help, we ask you."
    )
    turn: Number

    def in_words(self) -> Phrase:
        return Phrase("Through turn {turn}, plant for you where it pays best", turn=self.turn)

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.turn > self.turn:
            return Lapse(Phrase("turn {turn} is over", turn=self.turn))
        if view.phase not in ("sowing", "planting") or ask.default is None:
            return None
        answer = choose(view, ask)
        return None if isinstance(answer, Buy) else answer

    def settles(self, view: View, other: StandingOrder) -> bool:
        return isinstance(other, PlantWell | Sow | PlantReceived) and other.turn <= self.turn


class NoDealUnlessItPays(Farmhand):
    """Say "no deal" in every market before this turn in which nothing is worth a trade and nobody offers anything."""

    says = "no deal until turn {turn} unless a trade pays"
    about = Phrase(
        "Says “no deal” for you in every market before that turn, unless someone offers you something, a face-up card "
        "is worth asking for, or the other player grows what you’d rather give away. Then we ask you."
    )
    turn: Number

    def in_words(self) -> Phrase:
        return Phrase("No deal until turn {turn}, unless a trade would pay", turn=self.turn)

    def opinion(self, view: View, ask: Ask) -> Opinion:
        if view.turn >= self.turn:
            return Lapse(Phrase("turn {turn} has started", turn=self.turn))
        if view.phase != "market" or NoDeal() not in ask.menu:
            return None
        return NoDeal() if haggle(view, ask.seat, ask) == NoDeal() else None

    def minds(self, view: View, ask: Ask) -> bool:
        return view.turn < self.turn and has_nothing_to_answer(view, ask)

    def settles(self, view: View, other: StandingOrder) -> bool:
        """Return whether the other order also trades while its owner is away: this one asks instead."""
        return not isinstance(other, CloseWhenThrough | Sow | PlantReceived | PlantWell) and view.turn < self.turn
