"""One seat's view of a table of Bohnanza, built by adding what it may see, never by removing secrets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from games.bohnanza import trading
from games.bohnanza.actions import Accept, Decline, Discard, Offer, Shuffle, hand_cards, hide_places
from games.bohnanza.beans import SETTINGS, next_payment
from games.bohnanza.fields import field_worth, has_room
from games.bohnanza.state import (
    Beans,
    Choosing,
    Deal,
    Dealing,
    Drawing,
    Farmer,
    Field,
    Finished,
    Layout,
    Market,
    Offered,
    Picking,
    Planting,
    Sowing,
    State,
    Tending,
    TurningUp,
)
from games.contract.asks import Ask, Step
from games.contract.seats import Seat


@dataclass(frozen=True, slots=True)
class Plot:
    """A field: its crop, what it would pay now, and how many cards it needs to pay more."""

    bean: str | None
    count: int
    pays: int
    next_at: int | None = None
    next_pays: int | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A seat as anybody may see it."""

    seat: Seat
    cards: int  # in hand
    fields: tuple[Plot, ...]
    coins: int
    aside: Beans = ()  # to be planted in phase 3
    no_deal: bool = False  # whether it has nothing (more) to offer


@dataclass(frozen=True, slots=True)
class Proposal:
    """An offer of this turn as anybody may see it; only its maker sees `places`, while it is open."""

    number: int
    by: Seat
    to: Seat | None  # None: to all
    gives: Beans
    wants: Beans
    fate: str  # "open", "accepted", "declined", "withdrawn" or "lapsed"
    declined: tuple[Seat, ...]
    accepted: Seat | None
    answers: int | None  # the number of the offer it counters
    places: tuple[int, ...] = ()  # of the hand cards given, counted from the front


@dataclass(frozen=True, slots=True)
class View:
    phase: str  # "dealing", "sowing", "turning up", "market", "planting", "drawing", "finished";
    # in the duel "offered", "tending" and "picking"
    players: int
    beans: Beans  # the beans in this game
    third_field: int | None  # its price; None: there is none for sale
    me: Seat | None
    turn: int
    active: Seat | None
    planted: int  # from the active hand in this turn's first phase
    hand: Beans  # the front card first
    up: Beans  # face up
    offer: Beans  # the duel's, to be planted or discarded
    seats: tuple[Neighbour, ...]
    offers: tuple[Proposal, ...]  # of this turn, in order
    pile: int
    discard: int
    discard_top: str | None
    exhaustions: int
    last_exhaustion: int  # the number of exhaustions that ends the game


def view(state: State, me: Seat | None) -> View:
    match state:
        case Choosing():
            return view_before_deal(state.seats, None, me)
        case Dealing():
            return view_before_deal(state.seats, state.first, me)
        case Sowing():
            return build_view("sowing", state.layout, me, planted=state.planted)
        case TurningUp():
            return build_view("turning up", state.layout, me, up=state.up)
        case Market():
            return view_market(state, me)
        case Planting():
            return build_view("planting", state.layout, me, aside=state.aside)
        case Drawing():
            return build_view("drawing", state.layout, me)
        case Finished():
            return build_view("finished", state.layout, me, offer=state.lost)
    return view_duel(state, me)


def view_duel(state: Offered | Tending | Picking, me: Seat | None) -> View:
    match state:
        case Offered():
            return build_view("offered", state.layout, me, offer=state.offer)
        case Tending():
            return build_view("tending", state.layout, me, planted=state.planted)
        case Picking():
            return build_view("picking", state.layout, me, up=state.up)


def view_before_deal(players: int, first: Seat | None, me: Seat | None) -> View:
    setting = SETTINGS[players]
    plots = (view_field(None, 0),) * setting.fields
    return View(
        phase="dealing",
        players=players,
        beans=setting.beans,
        third_field=setting.price,
        me=me,
        turn=0,
        active=first,
        planted=0,
        hand=(),
        up=(),
        offer=(),
        seats=tuple(Neighbour(seat, cards=0, fields=plots, coins=0) for seat in range(players)),
        offers=(),
        pile=len(setting.deck),
        discard=0,
        discard_top=None,
        exhaustions=0,
        last_exhaustion=setting.exhaustions,
    )


def view_market(state: Market, me: Seat | None) -> View:
    return build_view(
        "market",
        state.layout,
        me,
        up=state.up,
        aside=state.aside,
        no_deal=state.no_deal,
        offers=tuple(view_proposal(state, deal, me) for deal in state.offers),
    )


def build_view(
    phase: str,
    layout: Layout,
    me: Seat | None,
    *,
    planted: int = 0,
    up: Beans = (),
    offer: Beans = (),
    aside: tuple[Beans, ...] = (),
    no_deal: tuple[Seat, ...] = (),
    offers: tuple[Proposal, ...] = (),
) -> View:
    setting = SETTINGS[len(layout.farmers)]
    return View(
        phase=phase,
        players=len(layout.farmers),
        beans=setting.beans,
        third_field=setting.price,
        me=me,
        turn=layout.turn,
        active=None if phase == "finished" else layout.seat,
        planted=planted,
        hand=() if me is None else layout.farmers[me].hand,
        up=up,
        offer=offer,
        seats=tuple(
            view_neighbour(seat, farmer, aside[seat] if aside else (), seat in no_deal)
            for seat, farmer in enumerate(layout.farmers)
        ),
        offers=offers,
        pile=len(layout.pile),
        discard=len(layout.discard),
        discard_top=layout.discard[-1] if layout.discard else None,
        exhaustions=layout.exhaustions,
        last_exhaustion=setting.exhaustions,
    )


def has_offer_failed(before: View, now: View) -> bool:
    """Return whether an open offer of the viewer has failed in between: all declined it, or its cards are gone."""
    fates = {offer.number: offer.fate for offer in now.offers} if now.turn == before.turn else {}
    mine = (offer.number for offer in before.offers if offer.by == before.me and offer.fate == "open")
    return any(fates.get(number) in ("declined", "lapsed") for number in mine)


def concerns(view: View, ask: Ask) -> bool:
    """Return whether a market concerns a seat that is not active: an open offer names it, or a face-up card fits one of
    its fields. All of that is public.
    """
    plots = tuple([Field(plot.bean, plot.count) for plot in view.seats[ask.seat].fields])
    return has_room(plots, view.up) or any(isinstance(answer, Decline) for answer in ask.menu)


def view_neighbour(seat: Seat, farmer: Farmer, aside: Beans, no_deal: bool) -> Neighbour:
    plots = tuple([view_field(field.bean, field.count) for field in farmer.fields])
    return Neighbour(seat, len(farmer.hand), plots, len(farmer.coins), aside, no_deal)


@cache
def view_field(bean: str | None, count: int) -> Plot:
    step = next_payment(bean, count) if bean else None
    return Plot(bean, count, field_worth(Field(bean, count)), *(step or (None, None)))


def view_proposal(market: Market, deal: Deal, me: Seat | None) -> Proposal:
    fate, held = trading.find_fate(market, deal), market.places[deal.by]
    mine = deal.by == me and fate == "open"
    return Proposal(
        number=deal.number,
        by=deal.by,
        to=deal.to,
        gives=deal.gives,
        wants=deal.wants,
        fate=fate,
        declined=deal.declined,
        accepted=deal.accepted,
        answers=deal.answers,
        places=tuple(held.index(card) + 1 for card in deal.cards) if mine else (),
    )


# ── lines of the log ──


def redact(step: Step[State], now: State, reader: Seat | None) -> str:
    """Return a line as this reader may read it. The order of a pile is secret; only the owner of a hand reads places in
    it.
    """
    match step.action:
        case Shuffle():
            return "shuffle …"
        case Offer(gives, wants, to) if step.seat != reader:
            return str(Offer(hide_places(gives), wants, to))
        case Accept(number) if step.seat != reader:
            return str(Accept(number))
        case Discard(card) if step.seat != reader:
            return str(Discard(*hide_places((card,))))
    return str(step.action)


def may_be_shortened(step: Step[State], reader: Seat | None) -> bool:
    """Return whether this reader's version of a line may leave out a place in a hand. Even the fact that a place was
    named says something about the hand, so only the player may verify a line that could name one.
    """
    match step.before, step.action:
        case _, Offer(gives):
            return step.seat != reader and bool(hand_cards(gives))
        case _, Accept():
            return step.seat != reader
        case Tending(), Discard():
            return step.seat != reader
    return False
