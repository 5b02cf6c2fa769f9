"""The market: making and answering offers. Every deal is between the active seat and one other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from games.bohnanza.actions import (
    Accept,
    Decline,
    NoDeal,
    Offer,
    Withdraw,
    bean_of,
    face_up_beans,
    hand_cards,
    hide_places,
    is_face_up,
    place_of,
)
from games.bohnanza.beans import SETTINGS
from games.bohnanza.fields import has_room
from games.bohnanza.state import Beans, Deal, Layout, Market
from games.contract.cards import put, without
from games.contract.errors import Illegal
from games.contract.notation import Action
from games.contract.phrases import Who
from games.contract.seats import Seat


def open_market(layout: Layout, up: Beans) -> Market:
    places = tuple(tuple(range(len(farmer.hand))) for farmer in layout.farmers)
    seats = len(layout.farmers)
    return Market(layout, up, aside=((),) * seats, places=places, offers=(), no_deal=(), heard=(-1,) * seats)


def trade(market: Market, seat: Seat, action: Action) -> Market:
    after = apply_line(market, seat, action)
    return replace(after, heard=put(after.heard, seat, len(after.offers)))


def apply_line(market: Market, seat: Seat, action: Action) -> Market:
    match action:
        case Offer():
            return offer(market, seat, action)
        case Accept():
            return accept(market, seat, action)
        case Decline():
            return decline(market, seat, action.offer)
        case Withdraw():
            return withdraw(market, seat, action.offer)
        case NoDeal():
            return replace(market, no_deal=(*market.no_deal, seat))
    raise Illegal("You can’t do “{line}” in the market.", line=str(action))


# ── open offers ──────────────────────────────────────────────────────────────────────────────────


def has_its_cards(market: Market, deal: Deal) -> bool:
    """Return whether the cards of an offer are still there: the very hand cards given, and all face-up cards.

    Wanted hand cards never make an offer lapse: that would reveal what is in a hand.
    """
    held = market.places[deal.by]
    return all(card in held for card in deal.cards) and has_all(market.up, face_up_beans(deal.gives + deal.wants))


def find_fate(market: Market, deal: Deal) -> str:
    """Return the status of an offer: open, accepted, withdrawn, declined or lapsed."""
    if deal.accepted is not None:
        return "accepted"
    if deal.withdrawn:
        return "withdrawn"
    if not list_addressees(market, deal):
        return "declined"
    return "open" if has_its_cards(market, deal) else "lapsed"


def list_addressees(market: Market, deal: Deal) -> list[Seat]:
    """Return the seats that may still accept or decline, as far as the offer itself goes."""
    seats = range(len(market.places)) if deal.to is None else (deal.to,)
    return [seat for seat in seats if seat != deal.by and seat not in deal.declined]


def list_open_offers(market: Market) -> list[Deal]:
    return [deal for deal in market.offers if find_fate(market, deal) == "open"]


def is_through(market: Market, seat: Seat, offers: list[Deal]) -> bool:
    """Return whether a seat has had its say. It must have spoken since the last offer to it, and have answered every
    offer made to it alone, if only with "no deal". A seat that nothing in the market concerns is through as well.
    """
    waiting = [deal for deal in offers if seat in list_addressees(market, deal)]
    if not waiting and not has_room(market.layout.farmers[seat].fields, market.up):
        return True
    if market.heard[seat] < max((deal.number for deal in waiting), default=0):
        return False
    return seat in market.no_deal or not any(deal.to == seat for deal in waiting)


def can_pay(market: Market, seat: Seat, deal: Deal) -> bool:
    """Return whether a seat holds the hand cards an offer wants."""
    return has_all(market.layout.farmers[seat].hand, hand_cards(deal.wants))


def has_all(cards: Beans, named: Beans) -> bool:
    """Return whether some cards hold all the named ones.

    >>> has_all(("red", "soy", "red"), ("red", "red")), has_all(("red", "soy"), ("red", "red"))
    (True, False)
    """
    return all(cards.count(bean) >= named.count(bean) for bean in named)


# ── making an offer ──────────────────────────────────────────────────────────────────────────────


def offer(market: Market, seat: Seat, action: Offer) -> Market:
    """Add an offer with the next number. It cancels the seat's "no deal"."""
    check_parties(market, seat, action.to)
    check_cards(market, seat, action)
    held = market.places[seat]
    cards = tuple(held[at] for at in find_places(market.layout.farmers[seat].hand, hand_cards(action.gives)))
    gives, wants = hide_places(action.gives), hide_places(action.wants)
    answers = find_countered_offer(market, seat, action.to, gives, wants)
    deal = Deal(len(market.offers) + 1, seat, action.to, gives, wants, cards, answers=answers)
    no_deal = tuple(other for other in market.no_deal if other != seat)
    return replace(market, offers=(*market.offers, deal), no_deal=no_deal)


def find_countered_offer(market: Market, seat: Seat, to: Seat | None, gives: Beans, wants: Beans) -> int | None:
    """Return the number of the offer that this one counters, if any: the other seat's latest offer to this seat that
    shares a bean with it and is open, or was declined by this seat.
    """
    for deal in reversed(market.offers):
        to_me = deal.by == to and deal.to in (None, seat)
        alive = seat in deal.declined or find_fate(market, deal) == "open"
        if to_me and alive and (shares_bean(gives, deal.wants) or shares_bean(wants, deal.gives)):
            return deal.number
    return None


def shares_bean(cards: Beans, others: Beans) -> bool:
    """Return whether two sets of cards have a bean in common.

    >>> shares_bean(("*red", "soy"), ("red",)), shares_bean(("soy",), ("red",))
    (True, False)
    """
    return not set(map(bean_of, cards)).isdisjoint(map(bean_of, others))


def check_parties(market: Market, seat: Seat, to: Seat | None) -> None:
    active = market.layout.seat
    if to is None:
        if seat != active:
            raise Illegal("Only the player whose turn it is can make an offer to everyone.")
    elif to >= len(market.places):
        raise Illegal("That seat is empty.")
    elif to == seat:
        raise Illegal("You can’t make yourself an offer.")
    elif active not in (seat, to):
        raise Illegal("You can only trade with {who}, whose turn it is.", who=Who(active))


def check_cards(market: Market, seat: Seat, action: Offer) -> None:
    """Refuse an impossible offer. A refusal may mention open cards and the player's own hand, never another hand."""
    named = action.gives + action.wants
    if not named:
        raise Illegal("An offer needs at least one card.")
    if strangers := [card for card in map(bean_of, named) if card not in SETTINGS[len(market.places)].beans]:
        raise Illegal("This game has no “{bean}”.", bean=strangers[0])
    if any(place_of(card) for card in action.wants):
        raise Illegal("You can’t ask for a card by its place in someone else’s hand.")
    if any(place_of(card) for card in named if is_face_up(card)):
        raise Illegal("A face-up card has no place in a hand.")
    if seat == market.layout.seat and face_up_beans(action.wants):
        raise Illegal("The face-up cards are all yours, so you can only ask for cards from other players’ hands.")
    if seat != market.layout.seat and face_up_beans(action.gives):
        raise Illegal("The face-up cards aren’t yours, so you can only give cards from your hand.")
    if not has_all(market.up, face_up_beans(named)):
        raise Illegal("That card isn’t face up.")


def find_places(hand: Beans, cards: Beans) -> list[int]:
    """Return the places of the hand cards meant: first those named with a place, then the free copies nearest the
    front.

    >>> find_places(("red", "soy", "red", "red"), ("red", "red@1"))
    [0, 2]
    """
    taken: list[int] = []
    for card in sorted(cards, key=lambda card: place_of(card) is None):
        at = find_named_place(hand, card) if place_of(card) else find_nearest_free(hand, card, taken)
        if at in taken:
            raise Illegal("You can name each card only once.")
        taken.append(at)
    return sorted(taken)


def find_named_place(hand: Beans, card: str) -> int:
    at = (place_of(card) or 0) - 1
    if at >= len(hand) or hand[at] != bean_of(card):
        raise Illegal("There’s no “{bean}” in place {place} of your hand.", bean=bean_of(card), place=at + 1)
    return at


def find_nearest_free(hand: Beans, card: str, taken: Collection[int]) -> int:
    at = next((n for n, other in enumerate(hand) if other == card and n not in taken), None)
    if at is None:
        raise Illegal("You don’t have that many “{bean}” in your hand.", bean=card)
    return at


# ── answering an offer ───────────────────────────────────────────────────────────────────────────


def accept(market: Market, seat: Seat, action: Accept) -> Market:
    """Exchange the cards of both sides at once. Each side sets its cards aside, in the order the offer names them."""
    deal = get_offer_to(market, seat, action.offer)
    paid = find_places(market.layout.farmers[seat].hand, hand_cards(choose_payment(deal, action)))
    given = [market.places[deal.by].index(card) for card in deal.cards]
    market = hand_over(market, deal.by, given, to=seat, beans=deal.gives)
    market = hand_over(market, seat, paid, to=deal.by, beans=deal.wants)
    up = without(market.up, face_up_beans(deal.gives + deal.wants))
    return replace(market, up=up, offers=put(market.offers, deal.number - 1, replace(deal, accepted=seat)))


def choose_payment(deal: Deal, action: Accept) -> Beans:
    """Return the cards the accepting seat gives: those it named, or else those the offer wants."""
    if action.cards and not deal.wants:
        raise Illegal("Offer {number} is a gift: you give nothing for it.", number=deal.number)
    if action.cards and Counter(hide_places(action.cards)) != Counter(deal.wants):
        raise Illegal("For offer {number}, you give {cards}.", number=deal.number, cards=deal.wants)
    if any(place_of(card) for card in action.cards if is_face_up(card)):
        raise Illegal("A face-up card has no place in a hand.")
    return action.cards or deal.wants


def hand_over(market: Market, seat: Seat, at: Collection[int], *, to: Seat, beans: Beans) -> Market:
    """Remove the cards at these places from a hand, and set all the named beans aside for the other seat."""
    if not beans:
        return market
    farmers = market.layout.farmers
    hand = tuple(card for n, card in enumerate(farmers[seat].hand) if n not in at)
    places = tuple(card for n, card in enumerate(market.places[seat]) if n not in at)
    return replace(
        market,
        layout=replace(market.layout, farmers=put(farmers, seat, replace(farmers[seat], hand=hand))),
        aside=put(market.aside, to, market.aside[to] + tuple(map(bean_of, beans))),
        places=put(market.places, seat, places),
    )


def decline(market: Market, seat: Seat, number: int) -> Market:
    deal = get_offer_to(market, seat, number)
    return replace(market, offers=put(market.offers, number - 1, replace(deal, declined=(*deal.declined, seat))))


def withdraw(market: Market, seat: Seat, number: int) -> Market:
    deal = get_open_offer(market, number)
    if deal.by != seat:
        raise Illegal("You can only withdraw your own offers.")
    return replace(market, offers=put(market.offers, number - 1, replace(deal, withdrawn=True)))


def get_offer_to(market: Market, seat: Seat, number: int) -> Deal:
    deal = get_open_offer(market, number)
    if seat in deal.declined:
        raise Illegal("You’ve already declined offer {number}.", number=number)
    if seat not in list_addressees(market, deal):
        raise Illegal("Offer {number} isn’t for you.", number=number)
    return deal


def get_open_offer(market: Market, number: int) -> Deal:
    if not 1 <= number <= len(market.offers):
        raise Illegal("There’s no offer {number} this turn.", number=number)
    deal = market.offers[number - 1]
    match find_fate(market, deal):
        case "accepted":
            raise Illegal("Offer {number} has already been accepted.", number=number)
        case "withdrawn":
            raise Illegal("Offer {number} was withdrawn.", number=number)
        case "declined":
            raise Illegal("Offer {number} was declined.", number=number)
        case "lapsed":
            raise Illegal("Offer {number} is off: its cards are gone.", number=number)
    return deal
