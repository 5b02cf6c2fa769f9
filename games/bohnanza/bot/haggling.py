"""How the bot trades: it gives cards it has no room for to players who grow them, and asks for those it grows."""

from __future__ import annotations

from collections.abc import Iterator

from games.bohnanza.actions import Accept, Decline, Done, NoDeal, Offer, bean_of, face_up_beans, hand_cards
from games.bohnanza.fields import find_matching_field
from games.bohnanza.prospects import estimate_total_gain, fields_of
from games.bohnanza.state import Beans
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.cards import without
from games.contract.notation import Action
from games.contract.seats import Seat

MIN_PROFIT = 0.05  # a deal that brings less is not worth a letter
HAND_CARD_WEIGHT = 0.7  # a card in hand is planted some day, for better or worse
MAX_OFFERS = 6  # in one turn
CARDS_CONSIDERED = 3  # how many cards from the front of the hand it considers


def haggle(view: View, me: Seat, ask: Ask) -> Action | None:
    """Accept the best offer, else make one, else say no deal. Close the market when everybody is through."""
    if answer := find_best_acceptance(view, me, ask) or find_next_offer(view, me):
        return answer
    unwanted = [answer for answer in ask.menu if isinstance(answer, Decline)]
    if unwanted:
        return unwanted[0]
    if ask.default is None:
        return NoDeal() if NoDeal() in ask.menu else None
    return Done() if ask.through and not any(may_try_again(view, seat) for seat in other_seats(view, me)) else None


def may_try_again(view: View, seat: Seat) -> bool:
    """Return whether a seat whose last offer was declined may still make another: it has not said "no deal"."""
    own = [offer for offer in view.offers if offer.by == seat]
    return bool(own) and own[-1].fate == "declined" and not view.seats[seat].no_deal


def is_exhausted(view: View, me: Seat) -> bool:
    """Return whether nobody whose offer is open or was declined may make another: they have all said "no deal"."""
    waiting = {offer.by for offer in view.offers if offer.fate == "open" and offer.by != me}
    return all(view.seats[seat].no_deal for seat in waiting) and not any(
        may_try_again(view, seat) for seat in other_seats(view, me)
    )


def find_best_acceptance(view: View, me: Seat, ask: Ask) -> Accept | None:
    profits = {
        answer: estimate_profit(
            view, me, gets=view.offers[answer.offer - 1].gives, pays=view.offers[answer.offer - 1].wants
        )
        for answer in ask.menu
        if isinstance(answer, Accept)
    }
    best = max(profits, key=lambda answer: profits[answer], default=None)
    return best if best and profits[best] > MIN_PROFIT else None


def estimate_profit(view: View, me: Seat, gets: Beans, pays: Beans) -> float:
    """Return what a deal would bring: every card received must be planted, and a card given need not be."""
    fields = fields_of(view.seats[me])
    cards_to_plant = (*view.seats[me].aside, *(view.up if me == view.active else ()))
    before = estimate_total_gain(fields, cards_to_plant)
    after = estimate_total_gain(fields, (*without(cards_to_plant, face_up_beans(pays)), *map(bean_of, gets)))
    return after - before - HAND_CARD_WEIGHT * sum(estimate_value(view, me, card) for card in hand_cards(pays))


def estimate_value(view: View, seat: Seat, card: str) -> float:
    """Return what planting a card would bring a seat, guessed from its fields alone."""
    return estimate_total_gain(fields_of(view.seats[seat]), (bean_of(card),))


def find_next_offer(view: View, me: Seat) -> Offer | None:
    """Return the first idea not yet offered in this turn."""
    mine = [offer for offer in view.offers if offer.by == me]
    if len(mine) >= MAX_OFFERS:
        return None
    already_made = {(offer.gives, offer.wants, offer.to) for offer in mine}
    ideas = offers_as_active(view, me) if me == view.active else offers_to_active(view, me)
    return next((idea for idea in ideas if (idea.gives, idea.wants, idea.to) not in already_made), None)


def offers_as_active(view: View, me: Seat) -> Iterator[Offer]:
    """Offer cards without room to seats that grow them: first in exchange, then as a gift."""
    for card in (*(f"*{up}" for up in view.up), *view.hand[:CARDS_CONSIDERED]):
        if estimate_value(view, me, card) > MIN_PROFIT:
            continue
        growers = [seat for seat in other_seats(view, me) if grows(view, seat, bean_of(card))]
        yield from (
            Offer((card,), (wish,), seat) for seat in growers for wish in most_wanted_bean(view, me, bean_of(card))
        )
        if estimate_value(view, me, card) < 0:
            yield from (Offer((card,), (), seat) for seat in growers)
            yield from [Offer((card,), (), None)] if card.startswith("*") and not growers else []


def offers_to_active(view: View, me: Seat) -> Iterator[Offer]:
    """Offer something for a face-up card the bot grows; then give the active player what they grow."""
    active = view.active
    assert active is not None
    for up in dict.fromkeys(view.up):
        price = cheapest_card(view, me, active)
        if grows(view, me, up) and price and estimate_profit(view, me, gets=(up,), pays=(price,)) > MIN_PROFIT:
            yield Offer((price,), (f"*{up}",), active)
        if grows(view, me, up) and not grows(view, active, up):
            yield Offer((), (f"*{up}",), active)
    for card in view.hand[:CARDS_CONSIDERED]:
        if estimate_value(view, me, card) < 0 and grows(view, active, card):
            yield Offer((card,), (), active)


def cheapest_card(view: View, me: Seat, active: Seat) -> str | None:
    """Return the card the bot misses least for what it is worth to the active player."""
    return min(
        view.hand, key=lambda card: estimate_value(view, me, card) - estimate_value(view, active, card), default=None
    )


def most_wanted_bean(view: View, me: Seat, not_for: str) -> list[str]:
    """Return the bean the bot grows and would most like more of, if any."""
    grown = [plot.bean for plot in view.seats[me].fields if plot.bean and plot.bean != not_for and plot.next_at]
    return sorted(grown, key=lambda wish: -estimate_value(view, me, wish))[:1]


def grows(view: View, seat: Seat, name: str) -> bool:
    return find_matching_field(fields_of(view.seats[seat]), name) is not None


def other_seats(view: View, me: Seat) -> list[Seat]:
    return [neighbour.seat for neighbour in view.seats if neighbour.seat != me]
