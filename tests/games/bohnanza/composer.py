"""Compose random offers, and random copies to give."""

from __future__ import annotations

import random

from games.bohnanza.actions import Accept, Discard, Offer, hand_cards
from games.bohnanza.view import Proposal, View
from games.contract.asks import Ask
from games.contract.notation import Action


def compose(view: View, ask: Ask, chance: random.Random) -> Action | None:
    kind = chance.choice(ask.free)
    if kind is Accept:
        return acceptance(view, ask, chance)
    if kind is Discard:
        at = chance.randrange(len(view.hand))
        return Discard(f"{view.hand[at]}@{at + 1}")
    return offer(view, chance)


def offer(view: View, chance: random.Random) -> Offer | None:
    active = view.me == view.active
    gives = some(placed(view.hand, chance), chance)
    wants = some(list(view.beans), chance)
    lying = some([f"*{bean}" for bean in view.up], chance)
    gives, wants = (gives + lying, wants) if active else (gives, wants + lying)
    others = [seat.seat for seat in view.seats if seat.seat != view.me]
    to = chance.choice([*others, None]) if active else view.active
    return Offer(gives, wants, to) if gives or wants else None


def acceptance(view: View, ask: Ask, chance: random.Random) -> Accept | None:
    ready = {answer.offer for answer in ask.menu if isinstance(answer, Accept)}
    offers = [offer for offer in view.offers if offer.number in ready and offer.wants]
    return giving(view, chance.choice(offers), chance) if offers else None


def giving(view: View, offer: Proposal, chance: random.Random) -> Accept:
    """Name any copies that will do, in any order."""
    left = placed(view.hand, chance)
    chance.shuffle(left)
    cards = [card for card in offer.wants if card not in hand_cards(offer.wants)]
    for wanted in hand_cards(offer.wants):
        card = next(card for card in left if card.partition("@")[0] == wanted)
        left.remove(card)
        cards.append(card)
    chance.shuffle(cards)
    return Accept(offer.number, tuple(cards))


def placed(hand: tuple[str, ...], chance: random.Random) -> list[str]:
    return [f"{bean}@{at}" for at, bean in enumerate(hand, start=1)]


def some(cards: list[str], chance: random.Random) -> tuple[str, ...]:
    """Return none, one or two of the cards."""
    return tuple(chance.sample(cards, k=min(len(cards), chance.choice([0, 1, 1, 2]))))
