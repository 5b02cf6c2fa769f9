"""Standing orders for Le Haricot Magique: a turn played by plan, once its card is chosen.

>>> str(PlaySoundly(6, round=3))
'play soundly on at most 6 levels in round 3'
"""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Action, Number
from games.contract.orders import Lapse, Response, StandingOrder
from games.contract.phrases import Phrase
from games.haricot_magique.actions import Axe, Choose, More, Roll, Skip, Spare, Steal
from games.haricot_magique.bot.player import TALL_STALK, choose
from games.haricot_magique.view import View


class PlaySoundly(StandingOrder):
    """In one round, make the choices of your turn that promise most, on any stalk or while it is low. You choose the
    card.
    """

    says = "play soundly[ on at most {levels} levels] in round {round}"
    about = Phrase(
        "In that round, makes the choices of your turn that promise most: how many dice, powers, and how to stack. If "
        "the stalk has more levels than that, we ask you. You always choose the card yourself."
    )
    levels: Number = 0  # no limit
    round: Number = 0

    def describe(self, view: View | None = None) -> Phrase:
        if not self.levels:
            return Phrase("In round {round}, make the most promising choices in your turn", round=self.round)
        return Phrase("In round {round}, make the most promising choices in your turn while the stalk has at most "
                      "{levels} levels", round=self.round, levels=self.levels)  # fmt: skip

    def respond(self, view: View, ask: Ask) -> Response:
        if view.round > self.round:
            return Lapse(Phrase("round {round} is over", round=self.round))
        if view.round < self.round or view.phase == "choosing" or 0 < self.levels < len(view.stalk):
            return None
        return choose(view, ask)

    def supersedes(self, view: View, other: StandingOrder) -> bool:
        return view.round == self.round


ORDERS = (PlaySoundly,)


# ── suggested orders ─────────────────────────────────────────────────────────────────────────────


def suggest(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders that make sense now, each given with one click: for this round, until the turn is over."""
    return suggest_for_turn(view) if is_turn_to_come(view) else ()


def choices(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders to choose from: for this round and the next, on any stalk or while it is low."""
    if view.me is None or view.phase in ("dealing", "finished"):
        return ()
    rounds = range(view.round + (not is_turn_to_come(view)), min(view.round + 1, view.rounds) + 1)
    return tuple(PlaySoundly(levels, round) for round in rounds for levels in (0, TALL_STALK))


def suggest_beside(view: View, answer: Action) -> tuple[StandingOrder, ...]:
    """Return the orders to offer beside a card, for the turn that follows; or beside a choice, for the next ones."""
    if isinstance(answer, Choose):
        return suggest_for_turn(view)
    return suggest_for_turn(view)[:1] if isinstance(answer, Roll | Axe | More | Skip | Spare | Steal) else ()


def count_turns(view: View) -> int:
    return view.round - 1


def suggest_for_turn(view: View) -> tuple[StandingOrder, ...]:
    return PlaySoundly(0, view.round), PlaySoundly(TALL_STALK, view.round)


def is_turn_to_come(view: View) -> bool:
    if view.me is None or view.phase in ("dealing", "finished"):
        return False
    if view.phase == "choosing" or view.turn is None:
        return True
    return view.order.index(view.me) >= view.order.index(view.turn)
