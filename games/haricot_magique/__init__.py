"""Le Haricot Magique: roll dice, stack them into a beanstalk and carry off the giant's gold; 2 to 5 players."""

from games.contract.asks import Step
from games.contract.game import Game, Words
from games.contract.seats import Seat, called
from games.haricot_magique import advice, asking, bot, dealing, rules, words
from games.haricot_magique.actions import VOCABULARY, ShuffleBags, ShuffleCards
from games.haricot_magique.questions import find, label, otherwise, question
from games.haricot_magique.state import REMEMBERED, State
from games.haricot_magique.view import View, view


def hears(step: Step[State], now: State, reader: Seat | None) -> str:
    """Return a line as this reader may read it. Shuffles are secret; a chosen card is, until all are revealed."""
    match step.action:
        case ShuffleBags():
            return "shuffle …"
        case ShuffleCards(seat):
            return f"shuffle {called(seat)} …"
    return "choose …" if words.sealed(step, now, reader) else str(step.action)


HARICOT_MAGIQUE: Game[State, View] = Game(
    slug="haricot_magique",
    title="Le Haricot Magique",
    seats=range(2, 6),
    variants=("base", "expert"),
    vocabulary=VOCABULARY,
    remembers=REMEMBERED,
    setup=rules.setup,
    asks=asking.asks,
    apply=rules.apply,
    view=view,
    result=rules.result,
    chance=dealing.chance,
    words=Words(words.tell, question, label, otherwise, find, ready=advice.ready, shows=words.shows),
    bot=bot.choose,
    hears=hears,
    why_not=asking.why_not,
)
