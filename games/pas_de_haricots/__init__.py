"""Pas de Haricots: everybody plays a card and takes another's, and each suit counts for itself; 3 to 6 players."""

from games.contract.game import Days, Game, Menus, Practice, Rules, Secrecy, StandingOrders, Words
from games.contract.phrases import Phrase
from games.pas_de_haricots import bot, orders, rules, words
from games.pas_de_haricots.actions import VOCABULARY, Take
from games.pas_de_haricots.page import LOOK
from games.pas_de_haricots.replies import REPLIES
from games.pas_de_haricots.state import REMEMBERED, State
from games.pas_de_haricots.view import View, redact, view

PAS_DE_HARICOTS: Game[State, View] = Game(
    slug="pas_de_haricots",
    title="Pas de Haricots",
    seats=range(3, 7),
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
    words=Words(words.tell, words.question, words.label, words.otherwise, words.tell_forced),
    variants=tuple(rules.ROUNDS),
    variant_names={"one": Phrase("one round"), "three": Phrase("three rounds")},
    practice=Practice("one"),
    bot=bot.choose,
    durations={
        ("three", 4): Days(10.9, 51.6),
        ("one", 4): Days(3.3, 17.2),
    },
    secrecy=Secrecy(redact=redact, quiet=(Take,)),
    writes_often=True,
    orders=StandingOrders(
        kinds=orders.ORDERS,
        suggest=orders.suggest,
        choices=orders.choices,
        suggest_beside=orders.suggest_beside,
        count_turns=orders.count_turns,
    ),
    menus=Menus(find_place=words.find_place, find_danger=words.find_danger),
    replies=REPLIES,
    look=LOOK,
)
