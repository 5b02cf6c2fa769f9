"""Haricots: shed your hand by playing higher than the others; 3 to 5 players."""

from games.contract.game import Days, Game, Menus, Practice, Rules, Secrecy, StandingOrders, Words
from games.contract.look import Look, draw_by_name
from games.contract.phrases import Phrase
from games.haricots import bot, coach, orders, rules, words
from games.haricots.actions import VOCABULARY
from games.haricots.replies import REPLIES
from games.haricots.state import REMEMBERED, State
from games.haricots.view import View, redact, view

HARICOTS: Game[State, View] = Game(
    slug="haricots",
    title="Haricots",
    seats=range(3, 6),
    vocabulary=VOCABULARY,
    remembers=REMEMBERED,
    play=Rules(
        setup=rules.setup,
        asks=rules.asks,
        apply=rules.apply,
        result=rules.result,
        chance=rules.chance,
        forced=rules.forced,
        why_not=rules.why_not,
    ),
    view=view,
    words=Words(words.tell, words.question, words.label, words.otherwise, words.tell_forced),
    variants=("advanced", "basic", "sprint"),
    variant_names={"advanced": Phrase("advanced"), "basic": Phrase("basic"), "sprint": Phrase("sprint")},
    practice=Practice("sprint", advise=coach.advise),
    bot=bot.choose,
    durations={
        ("advanced", 4): Days(6.6, 36.9),
        ("basic", 4): Days(4.3, 22.6),
        ("sprint", 4): Days(1.7, 10.0),
    },
    secrecy=Secrecy(redact=redact),
    orders=StandingOrders(
        kinds=orders.ORDERS,
        suggest=orders.suggest,
        choices=orders.choices,
        suggest_beside=orders.suggest_beside,
    ),
    menus=Menus(find_danger=words.find_danger),
    replies=REPLIES,
    look=Look(drawings=draw_by_name(set(rules.DECK))),
)
