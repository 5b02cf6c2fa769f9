"""Haricots: shed your hand by playing higher than the others; 3 to 5 players."""

from games.contract.asks import Step
from games.contract.game import Game, Words
from games.contract.seats import Seat
from games.haricots import bot, orders, rules, words
from games.haricots.actions import VOCABULARY, Shuffle
from games.haricots.state import REMEMBERED, State
from games.haricots.view import View, view


def hears(step: Step[State], now: State, reader: Seat | None) -> str:
    """Return a line as this reader may read it: only the order of the pile is secret."""
    return "shuffle …" if isinstance(step.action, Shuffle) else str(step.action)


HARICOTS: Game[State, View] = Game(
    slug="haricots",
    title="Haricots",
    seats=range(3, 6),
    variants=("advanced", "basic", "sprint"),
    vocabulary=VOCABULARY,
    remembers=REMEMBERED,
    setup=rules.setup,
    asks=rules.asks,
    apply=rules.apply,
    view=view,
    result=rules.result,
    chance=rules.chance,
    words=Words(words.tell, words.question, words.label, words.otherwise),
    bot=bot.choose,
    hears=hears,
    forced=rules.forced,
    why_not=rules.why_not,
    orders=orders.ORDERS,
    suggest=orders.suggest,
)
