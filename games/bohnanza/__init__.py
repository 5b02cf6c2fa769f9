"""Bohnanza: plant, trade and harvest beans; 3 to 7 players, and the duel for 2."""

from games.bohnanza import asking, rules
from games.bohnanza.actions import VOCABULARY, Decline, NoDeal, Withdraw
from games.bohnanza.bot import player, trades
from games.bohnanza.orders import ORDERS, suggestions
from games.bohnanza.page import LOOK, OFFER, note_key
from games.bohnanza.replies import REPLIES
from games.bohnanza.state import REMEMBERED, State
from games.bohnanza.view import View, concerns, has_offer_failed, may_be_shortened, redact, view
from games.bohnanza.words import offers, questions, telling
from games.contract.game import Days, Game, Menus, Rules, Secrecy, StandingOrders, TableKind, Words
from games.contract.phrases import Phrase

BOHNANZA: Game[State, View] = Game(
    slug="bohnanza",
    title="Bohnanza",
    seats=range(2, 8),
    vocabulary=VOCABULARY,
    remembers=REMEMBERED,
    play=Rules(
        setup=rules.setup,
        asks=asking.asks,
        apply=rules.apply,
        result=rules.result,
        chance=rules.chance,
        forced=asking.forced,
        why_not=asking.why_not,
    ),
    view=view,
    words=Words(
        telling.tell,
        questions.question,
        questions.label,
        questions.otherwise,
        telling.tell_forced,
        opportunity=questions.opportunity,
        own_deadline=Phrase("The market has its own deadline, because other players can trade too."),
        addressee=offers.addressee,
        note_key=note_key,
    ),
    bot=player.choose,
    tables=(TableKind(seats=range(3, 8)), TableKind("duel", Phrase("Bohnanza: the duel"), range(2, 3))),
    durations={
        ("standard", 4): Days(11.4, 35.4),
        ("standard", 2): Days(7.7, 7.7),
    },
    secrecy=Secrecy(redact=redact, may_be_shortened=may_be_shortened, quiet=(Decline, Withdraw, NoDeal)),
    writes_often=True,
    orders=StandingOrders(
        kinds=ORDERS,
        suggest=suggestions.suggest,
        choices=suggestions.choices,
        suggest_beside=suggestions.suggest_beside,
        count_turns=suggestions.count_turns,
    ),
    menus=Menus(
        ready_answers=trades.ready_answers,
        explain=offers.explain,
        drafts=offers.draft_counter_offers,
        example=offers.example_offer,
        find_danger=questions.find_danger,
        group_key=questions.group_key,
        has_offer_failed=has_offer_failed,
        concerns=concerns,
    ),
    replies=REPLIES,
    composers=(OFFER,),
    look=LOOK,
)
