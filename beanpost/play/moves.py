"""The one way to move: for links, pages, replies, the clock, bots and the house.

Lock the match, take the line through the rules, add what the dealer, the house and the bots answer, set the
waits, announce it: all of it, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from beanpost.play import history, signals
from beanpost.play.company import Company
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate
from beanpost.play.history import Said
from beanpost.play.models import Event, Match, Note, Place, Vault, Wait
from beanpost.play.tickets import MoveTicket
from beanpost.play.waits import Book
from games.chairs import Seat
from games.rules import Table


@dataclass(frozen=True)
class Made:
    """A move that was made: what entered the log, the first line being the one that was said."""

    match: Match
    events: Sequence[Event]


@transaction.atomic
def by_ticket(ticket: MoveTicket, line: str, *, note: str = "", now: datetime) -> Made:
    """A player answers with a link or on a page, perhaps with a few words to the table."""
    match = lock(ticket.match)
    if not Place.objects.filter(match=match, seat=ticket.seat, occupant=ticket.occupant).exists():
        raise NotYours
    origin, since = Event.Origin.PLAYER, max(ticket.question, ticket.since)
    made = say(match, ticket.seat, line, origin=origin, question=ticket.question, since=since, now=now)
    if note:
        Note.objects.create(match=match, seat=ticket.seat, seq=made.events[0].seq, text=note, said_at=now)
    return made


@transaction.atomic
def make(match_id: int, seat: Seat, line: str, *, origin: str, question: int, now: datetime) -> Made:
    """Say a line at a match, as the answer to one question."""
    return say(lock(match_id), seat, line, origin=origin, question=question, since=question, now=now)


def lock(match_id: int) -> Match:
    return Match.objects.select_for_update().get(pk=match_id)


@sensitive_variables("vault", "table")
def say(match: Match, seat: Seat, line: str, *, origin: str, question: int, since: int, now: datetime) -> Made:
    """A line is said once since the page that offers it was shown; a letter's link once in a question."""
    check_still_asked(match, seat, question)
    vault = Vault.objects.get(match=match)
    table = history.table(match, vault)
    said = str(table.read(seat, line))
    # Looked up before the rules refuse it: who presses "accept 3" twice has accepted it, and is told so.
    if repeated := Event.objects.filter(match=match, seat=seat, line=said, seq__gt=since).first():
        raise AlreadyPlayed(repeated)
    return go_on(match, vault, table.says(seat, said), [Said(seat, said, origin)], mover=seat, now=now, before=table)


def check_still_asked(match: Match, seat: Seat, question: int) -> None:
    """Whether the very question a ticket was written for is still open."""
    if match.phase != Match.Phase.RUNNING:
        raise NotRunning(match)
    if Wait.objects.filter(match=match, seat=seat, opened=question).exists():
        return
    answer = Event.objects.filter(match=match, seat=seat, seq__gt=question).first()
    if answer is None or answer.origin != Event.Origin.PLAYER:
        raise TooLate(answer)
    raise AlreadyPlayed(answer)


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
) -> Made:
    """Everything that follows a line: automatic answers, the log, the waits, the announcements."""
    places = list(match.places.select_related("player"))
    company = Company(match, vault, places, lines=match.length + len(said))
    book = Book(match, places, table)
    while answer := company.answer(table):
        table = table.says(answer.seat, answer.line)
        said.append(answer)
        book.watch(table)
    company.keep_book(now)
    if not said:
        return Made(match, ())
    events = history.append(match, vault, said, table, now)
    asked = book.turn_page(table, said[0], now)
    signals.moved.send(Match, match=match, events=events, now=now)
    for wait in asked:
        if not places[wait.seat].is_bot and is_told(table, wait):
            again = wait.seat == mover
            signals.asked.send(Match, match=match, wait=wait, place=places[wait.seat], again=again, now=now)
    for wait in addressed(match, before, table) if before else ():
        if not places[wait.seat].is_bot and wait.seat != mover:
            signals.addressed.send(Match, match=match, wait=wait, place=places[wait.seat], now=now)
    if table.result is not None:
        finish(match, now)
    return Made(match, events)


def is_told(table: Table[Any, Any], wait: Wait) -> bool:
    """Whether a new question is worth a letter: who may only harvest, as at any other time, is left in peace."""
    ask = table.ask(wait.seat)
    return ask is not None and (ask.default is not None or bool(ask.free))


def addressed(match: Match, before: Table[Any, Any], table: Table[Any, Any]) -> list[Wait]:
    """The questions that stayed open and got new answers: somebody was made an offer."""
    earlier = {ask.seat: ask for ask in before.asks}
    seats = [
        ask.seat
        for ask in table.asks
        if ask.free and ask.seat in earlier and set(ask.menu) - set(earlier[ask.seat].menu)
    ]
    return list(match.waits.filter(seat__in=seats, opened__lt=match.length)) if seats else []


def finish(match: Match, now: datetime) -> None:
    match.phase, match.ending, match.ended_at, match.paused_at = Match.Phase.ENDED, "finished", now, None
    match.save(update_fields=["phase", "ending", "ended_at", "paused_at"])
    match.places.exclude(nudge_at=None).update(nudge_at=None)
    signals.finished.send(Match, match=match, now=now)
