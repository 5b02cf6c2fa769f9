"""How the bot trades: it gives cards it has no room for to players who grow them, and asks for those it grows."""

from __future__ import annotations

from collections.abc import Iterator

from games.bohnanza.actions import Accept, Decline, Done, NoDeal, Offer, bean, from_hand, from_table
from games.bohnanza.fields import matching
from games.bohnanza.prospects import fields_of, gain_of_all
from games.bohnanza.state import Beans
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.cards import without
from games.contract.notation import Action
from games.contract.seats import Seat

WORTHWHILE = 0.05  # a deal that brings less is not worth a letter
IN_HAND = 0.7  # a card in hand is planted some day, for better or worse
MOST_OFFERS = 6  # in one turn
SOON = 3  # how many cards from the front of the hand it considers


def haggle(view: View, me: Seat, ask: Ask) -> Action | None:
    """Accept the best offer, else make one, else say no deal. Close the market when everybody is through."""
    if answer := best_acceptance(view, me, ask) or next_offer(view, me):
        return answer
    unwanted = [answer for answer in ask.menu if isinstance(answer, Decline)]
    if unwanted:
        return unwanted[0]
    if ask.default is None:
        return NoDeal() if NoDeal() in ask.menu else None
    return Done() if ask.through and not any(may_try_again(view, seat) for seat in others(view, me)) else None


def may_try_again(view: View, seat: Seat) -> bool:
    """Return whether a seat whose last offer was declined may still make another: it has not said "no deal"."""
    own = [offer for offer in view.offers if offer.by == seat]
    return bool(own) and own[-1].fate == "declined" and not view.seats[seat].no_deal


def is_exhausted(view: View, me: Seat) -> bool:
    """Return whether nobody whose offer is open or was declined may make another: they have all said "no deal"."""
    waiting = {offer.by for offer in view.offers if offer.fate == "open" and offer.by != me}
    return all(view.seats[seat].no_deal for seat in waiting) and not any(
        may_try_again(view, seat) for seat in others(view, me)
    )


def best_acceptance(view: View, me: Seat, ask: Ask) -> Accept | None:
    profits = {
        answer: profit(view, me, gets=view.offers[answer.offer - 1].gives, pays=view.offers[answer.offer - 1].wants)
        for answer in ask.menu
        if isinstance(answer, Accept)
    }
    best = max(profits, key=lambda answer: profits[answer], default=None)
    return best if best and profits[best] > WORTHWHILE else None


def profit(view: View, me: Seat, gets: Beans, pays: Beans) -> float:
    """Return what a deal would bring: every card received must be planted, and a card given need not be."""
    fields = fields_of(view.seats[me])
    burden = (*view.seats[me].aside, *(view.up if me == view.active else ()))
    before = gain_of_all(fields, burden)
    after = gain_of_all(fields, (*without(burden, from_table(pays)), *map(bean, gets)))
    return after - before - IN_HAND * sum(likes(view, me, card) for card in from_hand(pays))


def likes(view: View, seat: Seat, card: str) -> float:
    """Return what planting a card would bring a seat, guessed from its fields alone."""
    return gain_of_all(fields_of(view.seats[seat]), (bean(card),))


def next_offer(view: View, me: Seat) -> Offer | None:
    """Return the first idea not yet offered in this turn."""
    mine = [offer for offer in view.offers if offer.by == me]
    if len(mine) >= MOST_OFFERS:
        return None
    said = {(offer.gives, offer.wants, offer.to) for offer in mine}
    ideas = ideas_of_the_active(view, me) if me == view.active else ideas_for_the_active(view, me)
    return next((idea for idea in ideas if (idea.gives, idea.wants, idea.to) not in said), None)


def ideas_of_the_active(view: View, me: Seat) -> Iterator[Offer]:
    """Offer cards without room to seats that grow them: first in exchange, then as a gift."""
    for card in (*(f"*{up}" for up in view.up), *view.hand[:SOON]):
        if likes(view, me, card) > WORTHWHILE:
            continue
        growers = [seat for seat in others(view, me) if grows(view, seat, bean(card))]
        yield from (Offer((card,), (wish,), seat) for seat in growers for wish in wishes(view, me, bean(card)))
        if likes(view, me, card) < 0:
            yield from (Offer((card,), (), seat) for seat in growers)
            yield from [Offer((card,), (), None)] if card.startswith("*") and not growers else []


def ideas_for_the_active(view: View, me: Seat) -> Iterator[Offer]:
    """Offer something for a face-up card the bot grows; then give the active player what they grow."""
    active = view.active
    assert active is not None
    for up in dict.fromkeys(view.up):
        price = cheapest(view, me, active)
        if grows(view, me, up) and price and profit(view, me, gets=(up,), pays=(price,)) > WORTHWHILE:
            yield Offer((price,), (f"*{up}",), active)
        if grows(view, me, up) and not grows(view, active, up):
            yield Offer((), (f"*{up}",), active)
    for card in view.hand[:SOON]:
        if likes(view, me, card) < 0 and grows(view, active, card):
            yield Offer((card,), (), active)


def cheapest(view: View, me: Seat, active: Seat) -> str | None:
    """Return the card the bot misses least for what it is worth to the active player."""
    return min(view.hand, key=lambda card: likes(view, me, card) - likes(view, active, card), default=None)


def wishes(view: View, me: Seat, not_for: str) -> list[str]:
    """Return the bean the bot grows and would most like more of, if any."""
    grown = [plot.bean for plot in view.seats[me].fields if plot.bean and plot.bean != not_for and plot.next_at]
    return sorted(grown, key=lambda wish: -likes(view, me, wish))[:1]


def grows(view: View, seat: Seat, name: str) -> bool:
    return matching(fields_of(view.seats[seat]), name) is not None


def others(view: View, me: Seat) -> list[Seat]:
    return [neighbour.seat for neighbour in view.seats if neighbour.seat != me]
