"""Advice for a first round: one sentence on what just happened and why a move is good."""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.phrases import Phrase, Value, Who
from games.haricots import bot
from games.haricots.actions import Play
from games.haricots.rules import MIGHTY, worth
from games.haricots.state import Cards
from games.haricots.view import View


def advise(view: View, ask: Ask) -> Phrase | None:
    """Recommend the move that the game's own bot would choose, and say why."""
    match bot.choose(view, ask):
        case Play(cards) if view.leader is None:
            return advise_lead(view, cards)
        case Play(cards):
            return advise_follow(view, ask, cards)
    return advise_pass(view)


def advise_lead(view: View, cards: Cards) -> Phrase:
    if len(cards) > 1:
        return Phrase(
            "The table is empty, so anything goes: {cards} is a good start, because equal cards leave your hand "
            "together.",
            cards=cards,
        )
    lower = {card for card in view.hand if card < cards[0]}
    if lower - MIGHTY.keys():
        return Phrase(
            "The table is empty, so anything goes: {cards} is a good start, because it’s low and your equal cards stay "
            "together.",
            cards=cards,
        )
    if lower:
        return Phrase(
            "The table is empty, so anything goes: {cards} is a good start, because small beans are worth more later.",
            cards=cards,
        )
    return Phrase(
        "The table is empty, so anything goes: {cards} is a good start, because low cards are hard to play later.",
        cards=cards,
    )


def advise_follow(view: View, ask: Ask, cards: Cards) -> Phrase:
    assert view.leader is not None
    value = worth(cards, view.to_beat)
    values: dict[str, Value] = {"who": Who(view.leader), "lying": view.lying, "cards": cards}
    if view.mighty and worth(cards, 0) != value:
        return Phrase(
            "{who} played {lying}, and from 15 on small beans are mighty: {cards} is good, because it now counts "
            "{value}.",
            value=value,
            **values,
        )
    lower = (worth(play.cards, view.to_beat) < value for play in ask.menu if isinstance(play, Play))
    if any(lower):
        return Phrase(
            "{who} played {lying}: {cards} is good, because it beats that and your equal cards stay together.", **values
        )
    return Phrase(
        "{who} played {lying}: {cards} is good, because {value} is just enough and you keep your stronger cards.",
        value=value,
        **values,
    )


def advise_pass(view: View) -> Phrase | None:
    if view.leader is None or view.me is None or not view.seats[view.me].deck:
        return None
    return Phrase(
        "{who} played {lying}, and you can’t beat that: pass, because you draw a card and stay in the round.",
        who=Who(view.leader),
        lying=view.lying,
    )
