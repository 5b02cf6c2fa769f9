"""The one way to move: for links, pages, replies, the clock, bots and the house.

Lock the match, take the line through the rules, add what the dealer, the house and the bots answer, set the
waits, announce it: all of it, or nothing.
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

from beanpost.play import history, signals
from beanpost.play.company import Company
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate
from beanpost.play.history import Said, Seating
from beanpost.play.models import Event, Match, Note, Place, Vault, Wait
from beanpost.play.tickets import MoveTicket, OfSeat, PlayedTicket
from beanpost.play.waits import Book
from beanpost.players.names import without_unseen
from games.chairs import Seat
from games.rules import Table

lock = history.lock  # where everything begins that changes a match


@dataclass(frozen=True)
class Made:
    """A move that was made: what entered the log, the first line being the one that was said."""

    match: Match
    events: Sequence[Event]

    def ticket(self, ticket: MoveTicket) -> PlayedTicket:
        """For whoever came with a ticket: to see what has come of it."""
        return PlayedTicket(ticket.match, ticket.seat, ticket.occupant, self.events[0].seq, self.match.length)


@transaction.atomic
def by_ticket(ticket: MoveTicket, line: str, *, note: str = "", now: datetime) -> Made:
    """A player answers with a link or on a page, perhaps with a few words to the table."""
    return answer(ticket, line, note=note, now=now)


def answer(ticket: MoveTicket, line: str, *, note: str = "", now: datetime) -> Made:
    """The same, in a transaction of the caller's."""
    match, seating = history.lock_table(ticket.match)
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
    """Say a line at a match, as the answer to one question."""
    match, seating = history.lock_table(match_id)
    return say(match, seating, seat, line, origin=origin, question=question, since=question, now=now)


def lock_seat(place: Place) -> Match:
    """The match of somebody's seat, locked, and the seat as it is now. Refused if it was given to somebody else or was
    declined while we waited for the lock: whoever came with its ticket is not the one who sits there.
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
    """A line is said once since the page that offers it was shown; a letter's link once in a question."""
    check_asked(match, seat, seating.waits.get(seat), question)
    vault = match.vault
    table = history.table(match, vault)
    said = str(table.read(seat, line))
    # Looked up before the rules refuse it: who presses "accept 3" twice has accepted it, and is told so.
    if since < match.length and (repeated := said_since(match, seat, said, since)):
        raise AlreadyPlayed(repeated)
    after, entries = table.says(seat, said), [Said(seat, said, origin)]
    return go_on(match, vault, after, entries, mover=seat, now=now, before=table, seating=seating)


def said_since(match: Match, seat: Seat, line: str, since: int) -> Event | None:
    return Event.objects.filter(match=match, seat=seat, line=line, seq__gt=since).first()


def check_still_asked(match: Match, seat: Seat, question: int) -> None:
    """Whether the very question a ticket was written for is still open."""
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
    """Whether a seat is still the bearer's: the links on its page are those of who sits there."""
    if place is None or place.occupant != ticket.occupant:
        raise NotYours


def check_last_word(match: Match, wait: Wait | None, ticket: PlayedTicket) -> None:
    """Whether nothing has happened at a seat since its last move. At the end nothing is secret any more."""
    later = match.events.filter(seat=ticket.seat, seq__gt=ticket.through)
    asked_anew = wait is not None and wait.opened > ticket.through
    if match.phase == Match.Phase.RUNNING and (asked_anew or later.exists()):
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
    """Everything that follows a line: automatic answers, the log, the waits, the announcements."""
    seating = seating or history.seating(match)
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
    events = history.append(match, vault, said, table, now)
    for wait in book.turn_page(table, said[0], now):
        if not places[wait.seat].is_bot and is_told(table, wait):
            again = wait.seat == mover and said[0].origin == Event.Origin.PLAYER  # the clock shows nobody a page
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
    """To those whose questions stayed open, and who have not just seen it on the page."""
    people = {wait.seat: wait for wait in book.kept if wait.seat != mover and not places[wait.seat].is_bot}
    told = addressed(before, table, company)
    for seat, through in told.items():
        if wait := people.get(seat):
            signals.addressed.send(Match, match=match, wait=wait, place=places[seat], through=through, now=now)
    for seat in turned_down(before, table):
        if seat not in told and (wait := people.get(seat)):
            signals.turned_down.send(Match, match=match, wait=wait, place=places[seat], now=now)


def is_told(table: Table[Any, Any], wait: Wait) -> bool:
    """Whether a new question is worth a letter: who may only harvest, as at any other time, is left in peace."""
    ask = table.ask(wait.seat)
    return ask is not None and (ask.default is not None or bool(ask.free))


@sensitive_variables("before", "table", "company", "asks")
def addressed(before: Table[Any, Any], table: Table[Any, Any], company: Company) -> dict[Seat, bool]:
    """The seats that have something new to answer, and whether that is that everybody is through."""
    earlier = {ask.seat: ask for ask in before.asks}
    asks = {ask.seat: ask for ask in table.asks if ask.free and ask.seat in earlier}
    through = {seat for seat, ask in asks.items() if ask.through and not earlier[seat].through}
    told = {seat for seat, ask in asks.items() if company.shown(table, ask) - set(earlier[seat].menu)}
    return {seat: seat in through for seat in sorted(told | through)}


@sensitive_variables("before", "table")
def turned_down(before: Table[Any, Any], table: Table[Any, Any]) -> list[Seat]:
    """The seats that offered something which has come to nothing."""
    open_before = {ask.seat for ask in before.asks if ask.free}
    seats = [ask.seat for ask in table.asks if ask.free and ask.seat in open_before]
    return [seat for seat in seats if table.rules.turned_down(before.view(seat), table.view(seat))]


def finish(match: Match, now: datetime, *, ending: str = "finished") -> None:
    """The match is over: nobody is asked any more, and everybody is told."""
    match.phase, match.ending, match.ended_at, match.paused_at = Match.Phase.ENDED, ending, now, None
    match.save(update_fields=["phase", "ending", "ended_at", "paused_at"])
    match.waits.all().delete()
    match.proposals.filter(closed_at=None).update(closed_at=now)
    match.places.exclude(nudge_at=None).update(nudge_at=None)
    signals.finished.send(Match, match=match, now=now)
