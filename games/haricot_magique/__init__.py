"""Le Haricot Magique: roll dice, stack them into a beanstalk and carry off the giant's gold; 2 to 5 players."""

from games.contract.game import Days, Game, Menus, Rules, Secrecy, StandingOrders, Words
from games.contract.phrases import Phrase
from games.haricot_magique import menus, orders, turn
from games.haricot_magique.actions import VOCABULARY
from games.haricot_magique.bot import player, suggestions
from games.haricot_magique.page import LOOK, STACK
from games.haricot_magique.replies import REPLIES
from games.haricot_magique.state import REMEMBERED, State
from games.haricot_magique.steps import dealing
from games.haricot_magique.view import View, redact, view
from games.haricot_magique.words import questions, telling

HARICOT_MAGIQUE: Game[State, View] = Game(
    slug="haricot_magique",
    title="Le Haricot Magique",
    seats=range(2, 6),
    vocabulary=VOCABULARY,
    remembers=REMEMBERED,
    play=Rules(
        setup=turn.setup,
        asks=turn.asks,
        apply=turn.apply,
        result=turn.result,
        chance=dealing.chance,
        why_not=menus.why_not,
    ),
    view=view,
    words=Words(
        telling.tell,
        questions.question,
        questions.label,
        questions.otherwise,
        telling.tell_forced,
        show_picture=telling.show_attempt,
    ),
    variants=("base", "expert"),
    variant_names={"base": Phrase("base"), "expert": Phrase("expert")},
    bot=player.choose,
    durations={
        ("base", 2): Days(1.9, 5.0),
        ("base", 4): Days(3.3, 10.3),
        ("expert", 4): Days(3.2, 9.2),
    },
    secrecy=Secrecy(redact=redact),
    orders=StandingOrders(
        kinds=orders.ORDERS,
        suggest=orders.suggest,
        choices=orders.choices,
        suggest_beside=orders.suggest_beside,
        count_turns=orders.count_turns,
    ),
    menus=Menus(
        find_place=questions.find_place,
        ready_answers=suggestions.ready_answers,
        find_danger=questions.find_danger,
        group_key=suggestions.group_key,
    ),
    replies=REPLIES,
    composers=(STACK,),
    look=LOOK,
)
