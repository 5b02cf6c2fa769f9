"""The one way to move: for links, pages, replies, the clock, bots and the house.

Lock the match, apply the line by the rules, add the answers of the dealer, the house and the bots, update the waits and
send the signals, all in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from beanpost.play import signals
from beanpost.play.deadlines.waits import Book
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate
from beanpost.play.log import load
from beanpost.play.log.load import Said, Seating
from beanpost.play.models import Event, Match, Note, Place, Vault, Wait
from beanpost.play.tickets import MoveTicket, OfSeat, PlayedTicket
from beanpost.play.turns.automatic_players import Company
from beanpost.players.names import without_unseen
from games.contract.seats import Seat
from games.engine.table import Table

lock = load.lock  # every change of a match begins with it


@dataclass(frozen=True)
class Made:
    """A move that was played, with all lines it added to the log, the player's own line first."""

    match: Match
    events: Sequence[Event]

    def ticket(self, ticket: MoveTicket) -> PlayedTicket:
        """Return the ticket for the page that shows the move and what followed."""
        return PlayedTicket(ticket.match, ticket.seat, ticket.occupant, self.events[0].seq, self.match.length)


@transaction.atomic
def by_ticket(ticket: MoveTicket, line: str, *, note: str = "", now: datetime) -> Made:
    """Play a line by a ticket from a link or a page, with an optional note to the table."""
    return answer(ticket, line, note=note, now=now)


def answer(ticket: MoveTicket, line: str, *, note: str = "", now: datetime) -> Made:
    """Do the same inside the caller's transaction."""
    match, seating = load.lock_table(ticket.match)
    if not any(sits(ticket, place) for place in seating.places):
        raise NotYours
    origin, since = Event.Origin.PLAYER, max(ticket.question, ticket.since)
    made = say(match, seating, ticket.seat, line, origin=origin, question=ticket.question, since=since, now=now)
    if seen := without_unseen(note):
        Note.objects.create(match=match, seat=ticket.seat, seq=made.events[0].seq, text=seen, said_at=now)
    return made


def sits(ticket: MoveTicket, place: Place) -> bool:
    return (place.seat, place.occupant, place.resigned_at) == (ticket.seat, ticket.occupant, None)


@transaction.atomic
def make(match_id: int, seat: Seat, line: str, *, origin: str, question: int, now: datetime) -> Made:
    """Play a line of a seat, as the answer to one question."""
    match, seating = load.lock_table(match_id)
    return say(match, seating, seat, line, origin=origin, question=question, since=question, now=now)


def lock_seat(place: Place) -> Match:
    """Lock and return the match of a seat, and refresh the seat.

    Refuse if the seat was declined or given to somebody else while we waited for the lock: then the ticket's holder no
    longer sits there.
    """
    match = lock(place.match_id)
    if not match.places.filter(pk=place.pk, occupant=place.occupant).exists():
        raise ValidationError(_("This seat is no longer kept for you."))
    place.refresh_from_db()
    return match


@sensitive_variables("vault", "table")
def say(
    match: Match,
    seating: Seating,
    seat: Seat,
    line: str,
    *,
    origin: str,
    question: int,
    since: int,
    now: datetime,
) -> Made:
    """Play a line, unless it is a repetition: a page's line counts once since the page was shown (`since`), a letter's
    link once per question.
    """
    check_asked(match, seat, seating.waits.get(seat), question)
    vault = match.vault
    table = load.table(match, vault)
    said = str(table.read(seat, line))
    # Checked before the rules, which would refuse it: a player who presses "accept 3" twice reads that it was accepted.
    if since < match.length and (repeated := said_since(match, seat, said, since)):
        raise AlreadyPlayed(repeated)
    after, entries = table.says(seat, said), [Said(seat, said, origin)]
    return go_on(match, vault, after, entries, mover=seat, now=now, before=table, seating=seating)


def said_since(match: Match, seat: Seat, line: str, since: int) -> Event | None:
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


def check_own(place: Place | None, ticket: OfSeat) -> None:
    """Raise unless the seat is still that of the ticket's holder: its page has links for the present occupant."""
    if place is None or place.occupant != ticket.occupant:
        raise NotYours


def check_last_word(match: Match, log: Sequence[Event], wait: Wait | None, ticket: PlayedTicket) -> None:
    """Raise if the seat has played or been asked since the ticket's move. Once a match has ended nothing is secret."""
    has_spoken = any(event.seat == ticket.seat and event.seq > ticket.through for event in log)
    asked_anew = wait is not None and wait.opened > ticket.through
    if match.phase == Match.Phase.RUNNING and (asked_anew or has_spoken):
        raise AlreadyPlayed(match.events.get(seq=ticket.seq))


@sensitive_variables("vault", "table", "company", "before")
def go_on(
    match: Match,
    vault: Vault,
    table: Table[Any, Any],
    said: list[Said],
    *,
    mover: Seat | None,
    now: datetime,
    before: Table[Any, Any] | None = None,
    seating: Seating | None = None,
) -> Made:
    """Do everything that follows a line: automatic answers, the log, the waits, the signals, the end of the match."""
    seating = seating or load.seating(match)
    places = seating.places
    company = Company(match, vault, seating, lines=match.length + len(said))
    book = Book(match, seating, table)
    while answer := company.answer(table):
        table = table.says(answer.seat, answer.line)
        said.append(answer)
        book.watch(table)
    company.keep_book(now)
    if not said:
        return Made(match, ())
    events = load.append(match, vault, said, table, now)
    for wait in book.turn_page(table, said[0], now):
        if not places[wait.seat].is_bot and is_told(table, wait):
            again = wait.seat == mover and said[0].origin == Event.Origin.PLAYER  # after a timeout nobody sees a page
            signals.asked.send(Match, match=match, wait=wait, place=places[wait.seat], again=again, now=now)
    signals.moved.send(Match, match=match, events=events, now=now)
    if before:
        announce_what_is_new(match, places, before, table, company, book, mover=mover, now=now)
    if table.result is not None:
        finish(match, now)
    return Made(match, events)


@sensitive_variables("before", "table", "company")
def announce_what_is_new(
    match: Match,
    places: Sequence[Place],
    before: Table[Any, Any],
    table: Table[Any, Any],
    company: Company,
    book: Book,
    *,
    mover: Seat | None,
    now: datetime,
) -> None:
    """Announce new and failed offers to players whose questions stayed open; the mover sees them on the page."""
    people = {wait.seat: wait for wait in book.kept if wait.seat != mover and not places[wait.seat].is_bot}
    told = addressed(before, table, company)
    for seat, through in told.items():
        if wait := people.get(seat):
            signals.addressed.send(Match, match=match, wait=wait, place=places[seat], through=through, now=now)
    for seat in turned_down(before, table):
        if seat not in told and (wait := people.get(seat)):
            signals.turned_down.send(Match, match=match, wait=wait, place=places[seat], now=now)


def is_told(table: Table[Any, Any], wait: Wait) -> bool:
    """Return whether a new question is worth a letter: not if the player may only harvest, as at any other time."""
    ask = table.ask(wait.seat)
    return ask is not None and (ask.default is not None or bool(ask.free))


@sensitive_variables("before", "table", "company", "asks")
def addressed(before: Table[Any, Any], table: Table[Any, Any], company: Company) -> dict[Seat, bool]:
    """Return the seats that have something new to answer; the value says whether all others have had their say."""
    earlier = {ask.seat: ask for ask in before.asks}
    asks = {ask.seat: ask for ask in table.asks if ask.free and ask.seat in earlier}
    through = {seat for seat, ask in asks.items() if ask.through and not earlier[seat].through}
    told = {seat for seat, ask in asks.items() if company.shown(table, ask) - set(earlier[seat].menu)}
    return {seat: seat in through for seat in sorted(told | through)}


@sensitive_variables("before", "table")
def turned_down(before: Table[Any, Any], table: Table[Any, Any]) -> list[Seat]:
    """Return the seats whose offers have come to nothing."""
    open_before = {ask.seat for ask in before.asks if ask.free}
    seats = [ask.seat for ask in table.asks if ask.free and ask.seat in open_before]
    return [seat for seat in seats if table.rules.turned_down(before.view(seat), table.view(seat))]


def finish(match: Match, now: datetime, *, ending: str = "finished") -> None:
    """End the match: close its questions and proposals, and announce the result."""
    match.phase, match.ending, match.ended_at, match.paused_at = Match.Phase.ENDED, ending, now, None
    match.save(update_fields=["phase", "ending", "ended_at", "paused_at"])
    match.waits.all().delete()
    match.proposals.filter(closed_at=None).update(closed_at=now)
    match.places.exclude(nudge_at=None).update(nudge_at=None)
    signals.finished.send(Match, match=match, now=now)
