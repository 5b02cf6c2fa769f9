"""Give and withdraw standing orders. They take effect at once, and only their owner ever reads them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop
from django.views.decorators.debug import sensitive_variables

import games
from beanpost.play import load, moves
from beanpost.play.errors import NotRunning, NotYours, TooLate
from beanpost.play.models import Event, Match, Order, Place
from beanpost.play.tickets import MoveTicket, OrderTicket
from games.contract.errors import Illegal
from games.contract.notation import read
from games.contract.seats import Seat

MAX_ORDERS = 12  # orders of one seat at a time
WITHDRAWN = gettext_noop("you cancelled it")


@transaction.atomic
@sensitive_variables("line", "order")
def give_order(place: Place, line: str, *, now: datetime) -> Order:
    """Save an order, and apply it at once if it has an answer. Raise RulesError if it is not a valid order."""
    match = load.lock_match(place.match_id)
    if match.phase != Match.Phase.RUNNING:
        raise NotRunning(match)
    vocabulary = games.get(match.game, match.edition).orders.for_seats(match.seats)
    if not vocabulary:
        raise Illegal("This game has no standing orders.")
    order = str(read(line, vocabulary))
    standing = Order.objects.filter(match=match, seat=place.seat, lapsed_at=None)
    if given := standing.filter(line=order).first():
        return given
    if standing.count() >= MAX_ORDERS:
        raise build_too_many_error()
    given = Order.objects.create(match=match, seat=place.seat, line=order, given_at=now)
    loaded = load.load_locked(match)
    moves.follow_up(loaded, loaded.table, [], mover=place.seat, now=now)
    given.refresh_from_db()
    return given


def build_too_many_error() -> Illegal:
    return Illegal("You can have up to {most} orders at a time. Cancel one first.", most=MAX_ORDERS)


def withdraw_order(place: Place, order_id: int, *, now: datetime) -> bool:
    own = Order.objects.filter(pk=order_id, match=place.match_id, seat=place.seat, lapsed_at=None)
    return bool(own.update(lapsed_at=now, reason=WITHDRAWN))


# ── by ticket ──


@transaction.atomic
@sensitive_variables("order")
def play_with_order(ticket: MoveTicket, *lines: str, order: str, note: str = "", now: datetime) -> moves.Played:
    """Play a ticket's lines, and give a standing order with them, in one transaction."""
    made = moves.play_ticket(ticket, *lines, note=note, now=now)
    match = made.loaded.match
    if match.phase != Match.Phase.RUNNING:
        return made
    give_order(match.places.get(seat=ticket.seat), order, now=now)
    match.refresh_from_db()
    return made


@transaction.atomic
@sensitive_variables("line")
def give_by_ticket(ticket: OrderTicket, line: str, *, now: datetime) -> Order:
    return give_order(lock_seat_of_ticket(ticket), line, now=now)


@transaction.atomic
def withdraw_by_ticket(ticket: OrderTicket, order_id: int, *, now: datetime) -> bool:
    return withdraw_order(lock_seat_of_ticket(ticket), order_id, now=now)


def lock_seat_of_ticket(ticket: OrderTicket) -> Place:
    """Lock the match, and return the seat of a ticket that is still valid."""
    load.lock_match(ticket.match)
    return check_ticket(ticket)


def check_ticket(ticket: OrderTicket) -> Place:
    """Return the ticket's seat, or raise: an old letter may neither show nor give orders, since an order is a move."""
    places = Place.objects.filter(match=ticket.match, seat=ticket.seat, occupant=ticket.occupant, resigned_at=None)
    place = places.first()
    if place is None:
        raise NotYours
    if find_last_own_line(ticket.match, ticket.seat) != ticket.since:
        raise TooLate(None)
    return place


def find_last_own_line(match_id: int, seat: Seat) -> int:
    """Return the number of a seat's last line that came from neither an order nor the house; 0 if there is none."""
    answered = Order.objects.filter(match=match_id, seat=seat).values_list("answered", flat=True)
    own = Event.objects.filter(match=match_id, seat=seat).exclude(origin=Event.Origin.HOUSE)
    last = own.exclude(seq__in=[seq for lines in answered for seq in lines]).aggregate(seq=Max("seq"))
    return last["seq"] or 0
