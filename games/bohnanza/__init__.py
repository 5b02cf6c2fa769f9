"""Bohnanza: plant, trade and harvest beans; 3 to 7 players, and the duel for 2."""

from games.bohnanza import advice, asking, bot, rules, telling, words
from games.bohnanza.actions import (
    VOCABULARY,
    Accept,
    Decline,
    Discard,
    NoDeal,
    Offer,
    Shuffle,
    Withdraw,
    from_hand,
    somewhere,
)
from games.bohnanza.orders import ORDERS
from games.bohnanza.state import REMEMBERED, State
from games.bohnanza.view import View, turned_down, view
from games.chairs import Seat
from games.rules import Rules, Step, Words


def hears(step: Step[State], now: State, reader: Seat | None) -> str:
    """Everything is said aloud but the order of a pile and, to all but their owner, places in a hand."""
    match step.action:
        case Shuffle():
            return "shuffle …"
        # Whether a place was named tells something of the hand too: such a line is never heard in full.
        case Offer(gives, wants, to) if step.seat != reader and from_hand(gives):
            return str(Offer(somewhere(gives), wants, to))
        case Accept(number) if step.seat != reader:
            return f"{Accept(number)} ?"
        case Discard(card) if step.seat != reader and from_hand((card,)):
            return str(Discard(*somewhere((card,))))
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
    words=Words(
        telling.tell,
        words.question,
        words.label,
        words.otherwise,
        drafts=words.counters,
        example=words.example,
        addressee=words.addressee,
    ),
    bot=bot.choose,
    hears=hears,
    forced=asking.forced,
    why_not=asking.why_not,
    orders=ORDERS,
    suggest=advice.suggest,
    alongside=advice.alongside,
    turned_down=turned_down,
    quiet=(Decline, Withdraw, NoDeal),
)
