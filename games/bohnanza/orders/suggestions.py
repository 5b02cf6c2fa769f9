"""Suggest standing orders that make sense now, each given with one click."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from games.bohnanza.actions import Accept, Offer, bean_of, face_up_beans
from games.bohnanza.fields import fields_for, find_matching_field, fit_without_harvest
from games.bohnanza.orders.kinds import (
    AcceptGifts,
    CloseWhenThrough,
    Give,
    HideOffers,
    NoDealUntil,
    PlantReceived,
    Sow,
    next_own_turn,
)
from games.bohnanza.orders.plans import NoDealUnlessItPays, PlantWell, PlayOn
from games.bohnanza.orders.spots import Spot, Spots, count_wasted, sells_crop, ways_to_plant
from games.bohnanza.prospects import Fields, fields_of
from games.bohnanza.state import Beans
from games.bohnanza.view import Proposal, View
from games.contract.cards import without
from games.contract.notation import Action
from games.contract.orders import StandingOrder
from games.contract.seats import Seat

PHASES_WITH_MARKET = ("sowing", "market", "planting")  # the phases of the game for three or more players
MAX_SUGGESTED = 4  # the most ways to plant that are suggested
TURNS_AHEAD = 4  # the player's own turns to choose from
MAX_SPOTS = 3  # the most spots in one suggestion


def suggest(view: View) -> tuple[StandingOrder, ...]:
    """Suggest how your own market ends; in another player's market, orders for your next turn and for trades."""
    if view.me is None or view.phase not in PHASES_WITH_MARKET:
        return ()
    ending = (*suggest_closing(view, view.me), *filter(is_brief, suggest_spots(view, cards_to_come(view, view.me))))
    turn = next_own_turn(view, view.me)
    plans = (suggest_play_on(view, turn), *ending, PlantWell(turn), NoDealUnlessItPays(turn))
    if view.me == view.active:
        return plans
    detailed = (*suggest_sowing(view, view.me, turn), *suggest_trades(view, view.me), *suggest_hiding(view, view.me))
    return (*plans, *detailed, NoDealUntil(turn))


def choices(view: View) -> tuple[StandingOrder, ...]:
    """Return the orders to choose from, by kind: beans to trade, get or hide, and turns to be away for."""
    if view.me is None or view.phase not in PHASES_WITH_MARKET:
        return ()
    first = next_own_turn(view, view.me)
    turns = [first + own * view.players for own in range(TURNS_AHEAD)]
    giving = (Give(one, (other,)) for one in dict.fromkeys(view.hand) for other in view.beans if other != one)
    return (
        *giving,
        *(AcceptGifts((one,)) for one in view.beans),
        *(HideOffers((one,)) for one in view.beans),
        *map(NoDealUntil, turns),
        *map(NoDealUnlessItPays, turns),
        CloseWhenThrough(),
        *map(CloseWhenThrough, turns),
        *map(PlantWell, turns),
        *map(PlayOn, turns),
    )


def suggest_beside(view: View, answer: Action) -> tuple[StandingOrder, ...]:
    """Suggest orders for planting, for the end of this market or the next ones, and for planting accepted cards."""
    if view.me is None or view.phase not in PHASES_WITH_MARKET:
        return ()
    turn = next_own_turn(view, view.me)
    if isinstance(answer, Accept):
        beans = cards_after_deal(view, view.me, view.offers[answer.offer - 1])
        return (suggest_play_on(view, turn), PlantWell(turn), *suggest_spots(view, beans))
    if isinstance(answer, Offer) and view.me == view.active:
        return suggest_play_on(view, turn), PlantWell(turn), CloseWhenThrough(view.turn)
    return suggest_play_on(view, turn), PlantWell(turn), NoDealUnlessItPays(turn)


def count_turns(view: View) -> int:
    return (view.turn - 1) // view.players


def suggest_play_on(view: View, turn: int) -> PlayOn:
    """Suggest a plan through the player's own turn after next, so that it seldom runs out between two visits."""
    return PlayOn(turn + view.players)


def cards_after_deal(view: View, me: Seat, offer: Proposal) -> Beans:
    """Return all cards a seat would have to plant after accepting an offer: set aside, still face up, or received."""
    kept = without(view.up, map(bean_of, face_up_beans(offer.wants))) if me == view.active else ()
    return (*view.seats[me].aside, *kept, *map(bean_of, offer.gives))


def suggest_closing(view: View, me: Seat) -> tuple[StandingOrder, ...]:
    return (CloseWhenThrough(view.turn),) if view.phase == "market" and me == view.active else ()


def cards_to_come(view: View, me: Seat) -> Beans:
    """Return the cards a seat may have to plant after this market: set aside, face up, or asked for."""
    if view.phase != "market":
        return ()
    asked = [card for offer in view.offers if offer.by == me and offer.fate == "open" for card in offer.wants]
    return (*view.seats[me].aside, *(view.up if me == view.active else ()), *map(bean_of, asked))


def suggest_spots(view: View, beans: Beans) -> tuple[PlantReceived, ...]:
    """Suggest ways to make room for cards that do not fit. The house plants cards that do."""
    assert view.me is not None
    fields = fields_of(view.seats[view.me])
    if fit_without_harvest(fields, beans):
        return ()
    kinds = tuple(dict.fromkeys(beans))
    found = sorted((spots for spots in ways_to_plant(fields, kinds) if sells_crop(spots)), key=count_wasted)
    return tuple(PlantReceived(view.turn, (*spots, *spare_spots(fields, spots))) for spots in found[:MAX_SUGGESTED])


def is_brief(order: PlantReceived) -> bool:
    """Return whether an order can be read at a glance. With many offers open, it has a spot for every case."""
    return len(order.spots) <= MAX_SPOTS


def spare_spots(fields: Fields, spots: Spots) -> Iterator[Spot]:
    """Return other spots for beans whose spot depends on earlier plantings, in case those cards are traded away."""
    for spot in spots:
        if not spot.is_unchanged(fields) or spot.field not in fields_for(fields, spot.bean):
            yield from next(ways_to_plant(fields, (spot.bean,)))


def suggest_sowing(view: View, me: Seat, turn: int) -> tuple[StandingOrder, ...]:
    """Suggest the front card in every possible field, and the first two cards where nothing has to be sold."""
    fields = fields_of(view.seats[me])
    if not view.hand:
        return ()
    one = islice(ways_to_plant(fields, view.hand[:1]), MAX_SUGGESTED)
    two = islice((spots for spots in ways_to_plant(fields, view.hand[:2]) if not sells_crop(spots)), 2)
    return tuple(Sow(turn, spots) for spots in (*one, *(spots for spots in two if len(spots) == 2)))


def suggest_trades(view: View, me: Seat) -> tuple[StandingOrder, ...]:
    """Suggest accepting gifts of beans one grows, and giving the first card one does not grow for them."""
    fields = fields_of(view.seats[me])
    grown = tuple(field.bean for field in fields if field.bean)
    if not grown:
        return ()
    spare = next((card for card in view.hand if not find_matching_field(fields, card)), None)
    return (AcceptGifts(grown), *((Give(spare, grown),) if spare else ()))


def suggest_hiding(view: View, me: Seat) -> tuple[StandingOrder, ...]:
    """Suggest hiding offers that ask for the beans asked for now."""
    offers = [offer for offer in view.offers if offer.fate == "open" and offer.by != me and offer.to in (None, me)]
    return tuple(HideOffers((name,)) for name in dict.fromkeys(bean_of(card) for o in offers for card in o.wants))
