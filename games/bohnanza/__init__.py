"""Bohnanza: plant, trade and harvest beans; 3 to 7 players, and the duel for 2."""

from games.bohnanza import asking, bot, rules, telling, words
from games.bohnanza.actions import VOCABULARY, Accept, Discard, Offer, Shuffle, place, unplaced
from games.bohnanza.state import REMEMBERED, State
from games.bohnanza.view import View, view
from games.chairs import Seat
from games.rules import Rules, Step, Words


def hears(step: Step[State], now: State, reader: Seat | None) -> str:
    """Everything is said aloud but the order of a pile and, to all but their owner, places in a hand."""
    match step.action:
        case Shuffle():
            return "shuffle …"
        case Offer(gives, wants, to) if step.seat != reader:
            return str(Offer(unplaced(gives), wants, to))
        case Accept(number, cards) if step.seat != reader and any(map(place, cards)):
            return str(Accept(number))
        case Discard(card) if step.seat != reader:
            return str(Discard(*unplaced((card,))))
    return str(step.action)


BOHNANZA: Rules[State, View] = Rules(
    slug="bohnanza",
    title="Bohnanza",
    seats=range(2, 8),
    variants=("standard",),
    vocabulary=VOCABULARY,
    remembers=REMEMBERED,
    setup=rules.setup,
    asks=asking.asks,
    apply=rules.apply,
    view=view,
    result=rules.result,
    chance=rules.chance,
    words=Words(telling.tell, words.question, words.label, words.otherwise),
    bot=bot.choose,
    hears=hears,
    forced=asking.forced,
    why_not=asking.why_not,
)
