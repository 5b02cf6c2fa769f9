"""The one way to move: for links, pages, replies, the clock and the house.

`play_line` and `follow_up` walk through a move in order, behind the match's lock and in one transaction:

    check               the question is still open, and the line was not played before
    rules               read the line, and apply it
    automatic answers   the dealer, forced answers, bots and standing orders
    log                 append the lines with their digests, and store the state
    waits               close and open questions, settle the time banks
    announcements       send the signals, whose receivers queue the letters
    end                 end the match, if the rules say so
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from beanpost.play import load, signals
from beanpost.play.automatic_players import AutomaticPlayers
from beanpost.play.deadlines.waits import WaitBook
from beanpost.play.errors import AlreadyPlayed, NotRunning, NotYours, TooLate, Unplayed
from beanpost.play.load import LoadedMatch
from beanpost.play.log import storage
from beanpost.play.log.storage import NewLine
from beanpost.play.models import Event, Match, Note, Place, Wait
from beanpost.play.tickets import MoveTicket, PlayedTicket, TicketForSeat
from beanpost.players.names import strip_invisible
from games.contract.errors import Illegal, RulesError
from games.contract.seats import Seat
from games.engine.table import Table, take


@dataclass(frozen=True)
class Played:
    """A move that was played, with all lines it added to the log, the player's own line first."""

    loaded: LoadedMatch
    events: Sequence[Event]


@transaction.atomic
def play_ticket(ticket: MoveTicket, *lines: str, note: str = "", now: datetime) -> Played:
    """Play one or more lines of a ticket's seat, each with the note: all of them, or none."""
    loaded = load.load_match(ticket.match, lock=True)
    is_seated = is_holder_seated_at(ticket, loaded.places[ticket.seat])
    if loaded.match.phase == Match.Phase.RUNNING and not is_seated:
        raise NotYours
    events: list[Event] = []
    origin, since = Event.Origin.PLAYER, max(ticket.question, ticket.since)
    for line in lines:
        try:
            made = play_line(loaded, ticket.seat, line, origin=origin, question=ticket.question, since=since, now=now)
        except Unplayed:
            if not events:
                raise
            raise Illegal("These lines can’t all be played one after the other.") from None
        events += made.events
        if note and (seen := strip_invisible(note)):
            Note.objects.create(match=loaded.match, seat=ticket.seat, seq=made.events[0].seq, text=seen, said_at=now)
    return Played(loaded, events)


def is_holder_seated_at(ticket: MoveTicket, place: Place) -> bool:
    return (place.seat, place.occupant, place.resigned_at) == (ticket.seat, ticket.occupant, None)


@transaction.atomic
def play(match_id: int, seat: Seat, line: str, *, origin: str, question: int, now: datetime) -> Played:
    """Play a line of a seat, as the answer to one question."""
    loaded = load.load_match(match_id, lock=True)
    return play_line(loaded, seat, line, origin=origin, question=question, since=question, now=now)


@sensitive_variables("before", "after")
def play_line(
    loaded: LoadedMatch, seat: Seat, line: str, *, origin: str, question: int, since: int, now: datetime
) -> Played:
    """Play a line of a locked match. Raise AlreadyPlayed if the seat has played it after `since`: the moment when the
    page was shown, or for a letter's link when the question was asked.
    """
    match = loaded.match
    check_asked(match, seat, loaded.waits.get(seat), question)
    before = loaded.table
    action = before.read(seat, line)
    canonical = str(action)
    # Checked before the rules, which would refuse it: a player who presses "accept 3" twice reads that it was accepted.
    repeated = match.events.filter(seat=seat, line=canonical, seq__gt=since).first() if since < match.length else None
    if repeated:
        raise AlreadyPlayed(repeated)
    after = take(before, seat, action)
    return follow_up(loaded, after, [NewLine(seat, canonical, origin)], mover=seat, now=now)


@sensitive_variables("table", "before", "automatic")
def follow_up(
    loaded: LoadedMatch, table: Table[Any, Any], lines: list[NewLine], *, mover: Seat | None = None, now: datetime
) -> Played:
    """Do what follows new lines of a locked match, which lead to this table. `mover` sees the answer on a page."""
    match, before = loaded.match, loaded.table
    automatic, book = AutomaticPlayers(loaded, log_length=match.length + len(lines)), WaitBook(loaded, table)
    while answer := automatic.answer(table):
        table = table.says(answer.seat, answer.line)
        lines.append(answer)
        book.track_seats(table)
    if automatic.changed:
        automatic.save_orders(now)
    if not lines:
        return Played(loaded, ())

    events = storage.append(match, loaded.vault, lines, table, now)
    kept, opened = book.replace_waits(table, lines[0], now)
    loaded.table, loaded.waits = table, kept | opened

    seen = mover if lines[0].origin == Event.Origin.PLAYER else None  # after a timeout nobody sees a page
    announce_questions(loaded, opened, automatic, seen=seen, now=now)
    signals.moved.send(Match, match=match, events=events, now=now)
    others = {seat: wait for seat, wait in kept.items() if seat != mover}  # the mover sees the news on the page
    announce_news(loaded, others, before, automatic, now=now)
    if table.result is not None:
        finish(match, now)
    return Played(loaded, events)


# ── announcements ──


@sensitive_variables("table", "automatic", "ask", "shown")
def announce_questions(
    loaded: LoadedMatch, opened: Mapping[Seat, Wait], automatic: AutomaticPlayers, *, seen: Seat | None, now: datetime
) -> None:
    """Announce the new questions that concern their players."""
    for seat, wait in opened.items():
        place = loaded.places[seat]
        if not place.is_bot and (wait.is_blocking or does_market_concern(loaded.table, seat, automatic)):
            signals.asked.send(Match, match=loaded.match, wait=wait, place=place, again=seat == seen, now=now)


@sensitive_variables("table", "automatic", "ask", "shown")
def does_market_concern(table: Table[Any, Any], seat: Seat, automatic: AutomaticPlayers) -> bool:
    """Return whether a player whom nobody waits for should be told, ignoring answers that their own orders hide."""
    ask = table.ask(seat)
    assert ask is not None  # a wait was opened for it
    shown = replace(ask, menu=tuple(automatic.find_visible_answers(table, ask)))
    return table.rules.concerns(table.view(seat), shown)


@sensitive_variables("before", "table", "automatic")
def announce_news(
    loaded: LoadedMatch,
    kept: Mapping[Seat, Wait],
    before: Table[Any, Any],
    automatic: AutomaticPlayers,
    *,
    now: datetime,
) -> None:
    """Announce new and failed offers to players whose questions stayed open."""
    table, match, places = loaded.table, loaded.match, loaded.places
    people = {seat: wait for seat, wait in kept.items() if not places[seat].is_bot}
    if not people:
        return
    with_news = find_seats_with_news(before, table, automatic)
    for seat, through in with_news.items():
        if wait := people.get(seat):
            signals.addressed.send(Match, match=match, wait=wait, place=places[seat], through=through, now=now)
    for seat in find_declined_seats(before, table):
        if seat not in with_news and (wait := people.get(seat)):
            signals.turned_down.send(Match, match=match, wait=wait, place=places[seat], now=now)


@sensitive_variables("before", "table", "automatic", "asks")
def find_seats_with_news(
    before: Table[Any, Any], table: Table[Any, Any], automatic: AutomaticPlayers
) -> dict[Seat, bool]:
    """Return the seats with something new to answer; True if all other seats have answered."""
    earlier = {ask.seat: ask for ask in before.asks}
    asks = {ask.seat: ask for ask in table.asks if ask.free and ask.seat in earlier}
    through = {seat for seat, ask in asks.items() if ask.through and not earlier[seat].through}
    with_news = {
        seat for seat, ask in asks.items() if automatic.find_visible_answers(table, ask) - set(earlier[seat].menu)
    }
    return {seat: seat in through for seat in sorted(with_news | through)}


@sensitive_variables("before", "table")
def find_declined_seats(before: Table[Any, Any], table: Table[Any, Any]) -> list[Seat]:
    """Return the seats whose offers have come to nothing."""
    if (has_offer_failed := table.rules.menus.has_offer_failed) is None:
        return []
    open_before = {ask.seat for ask in before.asks if ask.free}
    seats = [ask.seat for ask in table.asks if ask.free and ask.seat in open_before]
    return [seat for seat in seats if has_offer_failed(before.view(seat), table.view(seat))]


# ── the end ──


def finish(match: Match, now: datetime, *, ending: str = "finished") -> None:
    """End the match: close its questions and proposals, and announce the result."""
    match.phase, match.ending, match.ended_at, match.paused_at = Match.Phase.ENDED, ending, now, None
    match.save(update_fields=["phase", "ending", "ended_at", "paused_at"])
    match.waits.all().delete()
    match.proposals.filter(closed_at=None).update(closed_at=now)
    match.places.exclude(nudge_at=None).update(nudge_at=None)
    signals.finished.send(Match, match=match, now=now)


# ── what a ticket may still do ──


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


def find_refusal(match: Match, seat: Seat, line: str) -> RulesError | None:
    """Return why a seat cannot play a line now; None if it can."""
    loaded: LoadedMatch = match.loaded or load.load_match(match.pk)
    try:
        loaded.table.says(seat, line)
    except RulesError as refusal:
        return refusal
    return None


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
