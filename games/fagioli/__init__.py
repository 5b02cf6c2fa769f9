"""Fagioli: draw when you play higher, plant when you play lower, and do not burst; 2 to 4 players."""

from games.contract.game import Days, Game, Menus, Rules, Secrecy, StandingOrders, Words
from games.contract.look import Look, draw_by_name
from games.fagioli import bot, orders, rules, words
from games.fagioli.actions import VOCABULARY
from games.fagioli.replies import REPLIES
from games.fagioli.state import REMEMBERED, State
from games.fagioli.view import View, redact, view

FAGIOLI: Game[State, View] = Game(
    slug="fagioli",
    title="Fagioli",
    seats=range(2, 5),
    vocabulary=VOCABULARY,
    remembers=REMEMBERED,
    play=Rules(
        setup=rules.setup,
        asks=rules.asks,
        apply=rules.apply,
        result=rules.result,
        chance=rules.chance,
        why_not=rules.why_not,
    ),
    view=view,
    words=Words(words.tell, words.question, words.label, words.otherwise),
    bot=bot.choose,
    durations={
        ("standard", 4): Days(5.1, 10.4),
    },
    secrecy=Secrecy(redact=redact),
    orders=StandingOrders(
        kinds=orders.ORDERS,
        suggest=orders.suggest,
        choices=orders.choices,
        suggest_beside=orders.suggest_beside,
    ),
    menus=Menus(find_place=words.find_place, ready_answers=words.arrange_menu, find_danger=words.find_danger),
    replies=REPLIES,
    look=Look(drawings=draw_by_name(set(rules.DECK))),
)
