"""The words of offers: drafts and examples for a player who makes one."""

from __future__ import annotations

from games.bohnanza.actions import Decline, Offer
from games.bohnanza.names import name_cards
from games.bohnanza.state import Beans
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.game import Draft
from games.contract.notation import Action
from games.contract.phrases import Phrase, Who
from games.contract.seats import Seat


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
