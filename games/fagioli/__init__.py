"""Fagioli: draw when you play higher, plant when you play lower, and do not burst; 2 to 4 players."""

from games.chairs import Seat
from games.fagioli import bot, rules, words
from games.fagioli.actions import VOCABULARY, Play, Shuffle
from games.fagioli.state import REMEMBERED, State
from games.fagioli.view import View, view
from games.rules import Rules, Step, Words


def hears(step: Step[State], now: State, reader: Seat | None) -> str:
    """The order of the pile is nobody's to read; what lies face down or is planted, only its owner's."""
    match step.action:
        case Shuffle():
            return "shuffle …"
        case Play() as play if step.seat != reader and (play.down or play.plant):
            card = "?" if play.down else str(play.card)
            return f"play {card} {play.pile}{' down' * play.down}{' plant' * bool(play.plant)}{' ?' * len(play.plant)}"
    return str(step.action)


FAGIOLI: Rules[State, View] = Rules(
    slug="fagioli",
    title="Fagioli",
    seats=range(2, 5),
    variants=("standard",),
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
    why_not=rules.why_not,
)
