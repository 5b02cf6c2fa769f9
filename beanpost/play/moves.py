"""The one way to move: for links, pages, replies and the clock.

Lock the match, check that the question is still open, and apply the line by the rules. `turns.follow_up` does the rest,
in the same transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate
from beanpost.play.log import load
from beanpost.play.log.append import NewLine
from beanpost.play.log.load import Seating
from beanpost.play.models import Event, Match, Note, Place, Wait
from beanpost.play.tickets import MoveTicket, PlayedTicket, TicketForSeat
from beanpost.play.turns.follow_up import Played, follow_up
from beanpost.play.turns.standing_orders import give_order
from beanpost.players.names import strip_invisible
from games.contract.seats import Seat


@transaction.atomic
@sensitive_variables("order")
def play_ticket(ticket: MoveTicket, *lines: str, note: str = "", order: str = "", now: datetime) -> Played:
    """Play one or more lines with a note, and give a standing order with them, in one transaction."""
    made = play_one_line(ticket, lines[0], note=note, now=now)
    for line in lines[1:]:
        more = play_one_line(ticket, line, note=note, now=now)
        made = Played(more.match, (*made.events, *more.events))
    if not order or made.match.phase != Match.Phase.RUNNING:
        return made
    give_order(made.match.places.get(seat=ticket.seat), order, now=now)
    return Played(Match.objects.get(pk=ticket.match), made.events)


def play_one_line(ticket: MoveTicket, line: str, *, note: str = "", now: datetime) -> Played:
    """Play one line of a ticket's seat, with its note, inside the caller's transaction."""
    match, seating = load.lock_table(ticket.match)
    if not any(is_holder_seated_at(ticket, place) for place in seating.places):
        raise NotYours
    origin, since = Event.Origin.PLAYER, max(ticket.question, ticket.since)
    made = play_line(match, seating, ticket.seat, line, origin=origin, question=ticket.question, since=since, now=now)
    if seen := strip_invisible(note):
        Note.objects.create(match=match, seat=ticket.seat, seq=made.events[0].seq, text=seen, said_at=now)
    return made


def is_holder_seated_at(ticket: MoveTicket, place: Place) -> bool:
    return (place.seat, place.occupant, place.resigned_at) == (ticket.seat, ticket.occupant, None)


@transaction.atomic
def play(match_id: int, seat: Seat, line: str, *, origin: str, question: int, now: datetime) -> Played:
    """Play a line of a seat, as the answer to one question."""
    match, seating = load.lock_table(match_id)
    return play_line(match, seating, seat, line, origin=origin, question=question, since=question, now=now)


@sensitive_variables("vault", "table")
def play_line(
    match: Match,
    seating: Seating,
    seat: Seat,
    line: str,
    *,
    origin: str,
    question: int,
    since: int,
    now: datetime,
) -> Played:
    """Play a line. Raise AlreadyPlayed if the seat has played it after `since`: the moment when the page was shown, or
    for a letter's link when the question was asked.
    """
    check_asked(match, seat, seating.waits.get(seat), question)
    vault = match.vault
    table = load.load_table(match, vault)
    canonical = str(table.read(seat, line))
    # Checked before the rules, which would refuse it: a player who presses "accept 3" twice reads that it was accepted.
    if since < match.length and (repeated := find_repetition(match, seat, canonical, since)):
        raise AlreadyPlayed(repeated)
    after, entries = table.says(seat, canonical), [NewLine(seat, canonical, origin)]
    return follow_up(match, vault, after, entries, mover=seat, now=now, before=table, seating=seating)


def find_repetition(match: Match, seat: Seat, line: str, since: int) -> Event | None:
    return Event.objects.filter(match=match, seat=seat, line=line, seq__gt=since).first()


def check_still_asked(match: Match, seat: Seat, question: int) -> None:
    """Raise unless the question that a ticket was issued for is still open."""
    check_asked(match, seat, match.waits.filter(seat=seat).first(), question)


def check_asked(match: Match, seat: Seat, wait: Wait | None, question: int) -> None:
    if match.phase != Match.Phase.RUNNING:
        raise NotRunning(match)
    if wait and wait.opened == question:
        return
    answer = Event.objects.filter(match=match, seat=seat, seq__gt=question).first()
    if answer is None or answer.origin != Event.Origin.PLAYER:
        raise TooLate(answer)
    raise AlreadyPlayed(answer)


def check_own(place: Place | None, ticket: TicketForSeat) -> None:
    """Raise unless the ticket's holder still has the seat: its page would show the present occupant's links."""
    if place is None or place.occupant != ticket.occupant:
        raise NotYours


def check_still_latest(match: Match, log: Sequence[Event], wait: Wait | None, ticket: PlayedTicket) -> None:
    """Raise if the seat has played or been asked since the ticket's move. Once a match has ended nothing is secret."""
    has_spoken = any(event.seat == ticket.seat and event.seq > ticket.through for event in log)
    asked_anew = wait is not None and wait.opened > ticket.through
    if match.phase == Match.Phase.RUNNING and (asked_anew or has_spoken):
        raise AlreadyPlayed(match.events.get(seq=ticket.seq))
