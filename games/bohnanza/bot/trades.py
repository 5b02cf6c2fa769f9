"""Trades worth offering: what they bring both sides by the bot's estimates, from what one seat may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from games.bohnanza.actions import Accept, Decline, Offer, Withdraw, bean_of, hand_cards
from games.bohnanza.bot.haggling import MIN_PROFIT, estimate_profit, other_seats
from games.bohnanza.fields import fit_without_harvest
from games.bohnanza.prospects import fields_of
from games.bohnanza.state import Beans
from games.bohnanza.view import View
from games.contract.asks import Ask
from games.contract.notation import Action
from games.contract.seats import Seat

MAX_TRADES = 3
MAX_CARDS = 2  # that one side gives
MIN_SHARE = 0.2  # of what both gain: a player who would keep less is not advised to offer it
CHANCE_TO_HOLD = 0.4  # that the other player holds a card one asks for, roughly, as nobody may look


def ready_answers(view: View, ask: Ask) -> tuple[Action, ...]:
    """Return the menu, with trades worth offering between the answers to offers and the rest."""
    trades = suggest_trades(view, ask.seat) if Offer in ask.free and not view.seats[ask.seat].no_deal else ()
    answers = sum(isinstance(action, Accept | Decline | Withdraw) for action in ask.menu)
    return (*ask.menu[:answers], *trades, *ask.menu[answers:])


def suggest_trades(view: View, me: Seat) -> tuple[Offer, ...]:
    """Return the offers that bring both sides most, each unlike the others. None was made in this turn."""
    known = find_known_trades(view, me)
    rated = [(rate_trade(view, me, offer), offer) for offer in list_possible_trades(view, me) if offer not in known]
    found: list[Offer] = []
    for rating, offer in sorted(rated, key=lambda pair: -pair[0]):
        if rating and len(found) < MAX_TRADES and is_unlike(offer, found):
            found.append(offer)
    return tuple(found)


def find_known_trades(view: View, me: Seat) -> set[Offer]:
    """Return what this seat has offered in this turn, and what it could get by accepting an open offer."""
    mine = {make_offer(one.gives, one.wants, one.to) for one in view.offers if one.by == me}
    open_to_me = (one for one in view.offers if one.by != me and one.fate == "open" and one.to in (None, me))
    return mine | {make_offer(one.wants, one.gives, one.by) for one in open_to_me}


def make_offer(gives: Beans, wants: Beans, to: Seat | None) -> Offer:
    """Return an offer with its cards in order, so that equal offers are equal."""
    return Offer(tuple(sorted(gives)), tuple(sorted(wants)), to)


def list_possible_trades(view: View, me: Seat) -> Iterator[Offer]:
    """Yield offers of up to two cards: for face-up cards, or in one's own market for a bean that one grows."""
    face_up = tuple(f"*{bean}" for bean in view.up)
    if me == view.active:
        given, partners = choose_cards((*face_up, *view.hand)), other_seats(view, me)
        wanted: list[Beans] = [(), *((plot.bean,) for plot in view.seats[me].fields if plot.bean)]
    else:
        assert view.active is not None
        given, partners, wanted = choose_cards(view.hand), [view.active], choose_cards(face_up)
    yield from (Offer(gives, wants, to) for to in partners for gives in given for wants in wanted if gives or wants)


def choose_cards(cards: Sequence[str]) -> list[Beans]:
    """Return every choice of up to two cards.

    >>> choose_cards(("soy", "red", "soy"))
    [(), ('red',), ('soy',), ('red', 'soy'), ('soy', 'soy')]
    """
    chosen = {tuple(sorted(some)) for count in range(MAX_CARDS + 1) for some in combinations(cards, count)}
    return sorted(chosen, key=lambda some: (len(some), some))


def rate_trade(view: View, me: Seat, offer: Offer) -> float:
    """Return what both gain, weighed with the chance that the other can pay; 0 for a trade that one of them had
    better not make.
    """
    partner = offer.to
    assert partner is not None
    gives, wants = tuple(map(bean_of, offer.gives)), tuple(map(bean_of, offer.wants))
    if set(gives) & set(wants) or not has_place_for(view, me, wants) or not has_place_for(view, partner, gives):
        return 0
    mine = estimate_profit(view, me, gets=offer.wants, pays=offer.gives)
    theirs = estimate_profit(view, partner, gets=offer.gives, pays=offer.wants)
    if min(mine, theirs) <= MIN_PROFIT or mine < MIN_SHARE * (mine + theirs):
        return 0
    return (mine + theirs) * (CHANCE_TO_HOLD if hand_cards(offer.wants) else 1)


def has_place_for(view: View, seat: Seat, beans: Beans) -> bool:
    """Return whether a seat could plant these beans without a harvest."""
    return fit_without_harvest(fields_of(view.seats[seat]), beans)


def is_unlike(offer: Offer, others: Sequence[Offer]) -> bool:
    """Return whether no other offer gives the same cards, and at most one asks for the same cards."""
    asking_alike = [other for other in others if (other.wants, other.to) == (offer.wants, offer.to)]
    return len(asking_alike) <= bool(offer.gives) and not any(offer.gives == other.gives != () for other in others)
