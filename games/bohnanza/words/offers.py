"""The words of offers: labels, what each side would get, and drafts and examples for a player who makes one."""

from __future__ import annotations

from collections import Counter
from functools import reduce

from games.bohnanza.actions import Decline, Offer, bean_of
from games.bohnanza.beans import coins_for, next_payment
from games.bohnanza.names import name_beans, name_cards, name_coins
from games.bohnanza.state import Beans
from games.bohnanza.view import Neighbour, View
from games.contract.asks import Ask
from games.contract.game import Draft
from games.contract.notation import Action
from games.contract.phrases import Phrase, Plural, Who
from games.contract.seats import Seat


def label_offer(gives: Beans, wants: Beans, to: Seat | None) -> Phrase:
    given, wanted = name_cards(gives), name_cards(wants)
    if to is None:
        return Phrase("Offer everyone {gives} for {wants}", gives=given, wants=wanted)
    if not wants:
        return Phrase("Give {who} {gives}", who=Who(to), gives=given)
    if not gives:
        return Phrase("Ask {who} for {wants}", who=Who(to), wants=wanted)
    return Phrase("Offer {who} {gives} for {wants}", who=Who(to), gives=given, wants=wanted)


def explain(view: View, action: Action) -> Phrase | None:
    """Say what an offer brings both sides, if it is accepted: their open fields show it."""
    if not isinstance(action, Offer) or action.to is None or view.me is None:
        return None
    return Phrase(
        "You: {mine}. {who}: {theirs}.",
        mine=describe_gain(view.seats[view.me], gets=action.wants, gives=action.gives),
        who=Who(action.to),
        theirs=describe_gain(view.seats[action.to], gets=action.gives, gives=action.wants),
    )


def describe_gain(owner: Neighbour, *, gets: Beans, gives: Beans) -> Phrase:
    if not gets:
        return Plural("one card fewer to plant", "{count} cards fewer to plant", count=len(gives))
    grown = [describe_growth(owner, bean, count) for bean, count in Counter(map(bean_of, gets)).items()]
    return reduce(lambda some, more: Phrase("{some}; {more}", some=some, more=more), grown)


def describe_growth(owner: Neighbour, bean: str, more: int) -> Phrase:
    """Say what a field pays with more beans, or how many it takes for the next coin."""
    before = next((plot.count for plot in owner.fields if plot.bean == bean), 0)
    pays, paid, crop = coins_for(bean, before + more), coins_for(bean, before), name_beans(bean, before + more)
    step = next_payment(bean, before + more)
    if pays > paid > 0:
        return Phrase("{beans}, so {coins} instead of {before}", beans=crop, coins=name_coins(pays), before=paid)
    if pays > paid:
        return Phrase("{beans}, so {coins}", beans=crop, coins=name_coins(pays))
    if step is None:
        return crop
    return Phrase("{beans} of the {cards} that pay {coins}", beans=crop, cards=step[0], coins=name_coins(step[1]))


def draft_counter_offers(view: View, ask: Ask) -> tuple[Draft, ...]:
    """Return a counter-offer draft for every open offer to this seat."""
    offers = [view.offers[answer.offer - 1] for answer in ask.menu if isinstance(answer, Decline)]
    return tuple(
        Draft(
            offer.number,
            Phrase("Make a counter-offer to {who}’s offer {number}", number=offer.number, who=Who(offer.by)),
        )
        for offer in offers
    )


def example_offer(view: View, ask: Ask) -> Phrase | None:
    """Return an example offer of cards that exist: a face-up card for a hand card, or for a bean the player grows."""
    if Offer not in ask.free or view.me is None or view.active is None:
        return None
    face_up, mine = tuple(f"*{card}" for card in view.up[:1]), view.hand[:1]
    if view.me != view.active:
        return format_offer(mine, face_up, to=view.active)
    grown = tuple(plot.bean for plot in view.seats[view.me].fields if plot.bean)
    return format_offer(face_up or mine, grown[:1], to=(view.me + 1) % view.players)


def format_offer(gives: Beans, wants: Beans, *, to: Seat) -> Phrase | None:
    if not (gives or wants):
        return None
    return Phrase("offer {gives} for {wants} to {who}", gives=name_cards(gives), wants=name_cards(wants), who=Who(to))


def addressee(action: Action) -> Seat | None:
    """Return the only reader of a note sent with an offer: the seat the offer is made to."""
    return action.to if isinstance(action, Offer) else None
