"""Everything that follows a line: automatic answers, the log, waits, signals, the end of a match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.views.decorators.debug import sensitive_variables

from beanpost.play import signals
from beanpost.play.deadlines.waits import WaitBook
from beanpost.play.log import append, load
from beanpost.play.log.append import NewLine
from beanpost.play.log.load import Seating
from beanpost.play.models import Event, Match, Place, Vault, Wait
from beanpost.play.tickets import MoveTicket, PlayedTicket
from beanpost.play.turns.automatic_players import AutomaticPlayers
from games.contract.seats import Seat
from games.engine.table import Table


@dataclass(frozen=True)
class Played:
    """A move that was played, with all lines it added to the log, the player's own line first."""

    match: Match
    events: Sequence[Event]
    asked: Collection[Seat] = ()  # the seats that have an open question afterwards

    def build_ticket(self, ticket: MoveTicket) -> PlayedTicket:
        """Return the ticket for the page that shows the move and what followed."""
        return PlayedTicket(ticket.match, ticket.seat, ticket.occupant, self.events[0].seq, self.match.length)


@sensitive_variables("vault", "table", "automatic", "before")
def follow_up(
    match: Match,
    vault: Vault,
    table: Table[Any, Any],
    lines: list[NewLine],
    *,
    mover: Seat | None,
    now: datetime,
    before: Table[Any, Any] | None = None,
    seating: Seating | None = None,
) -> Played:
    """Do everything that follows a line: automatic answers, the log, the waits, the signals, the end of the match."""
    seating = seating or load.load_seating(match)
    places = seating.places
    automatic = AutomaticPlayers(match, vault, seating, log_length=match.length + len(lines))
    book = WaitBook(match, seating, table)
    while answer := automatic.answer(table):
        table = table.says(answer.seat, answer.line)
        lines.append(answer)
        book.track_seats(table)
    automatic.save_orders(now)
    if not lines:
        return Played(match, ())
    events = append.append(match, vault, lines, table, now)
    fresh = book.replace_waits(table, lines[0], now)
    for wait in fresh:
        if not places[wait.seat].is_bot and is_worth_a_letter(table, wait, automatic):
            again = wait.seat == mover and lines[0].origin == Event.Origin.PLAYER  # after a timeout nobody sees a page
            signals.asked.send(Match, match=match, wait=wait, place=places[wait.seat], again=again, now=now)
    signals.moved.send(Match, match=match, events=events, now=now)
    if before:
        announce_news(match, places, before, table, automatic, book, mover=mover, now=now)
    if table.result is not None:
        finish(match, now)
        return Played(match, events)
    return Played(match, events, asked={wait.seat for wait in (*book.kept, *fresh)})


@sensitive_variables("before", "table", "automatic")
def announce_news(
    match: Match,
    places: Sequence[Place],
    before: Table[Any, Any],
    table: Table[Any, Any],
    automatic: AutomaticPlayers,
    book: WaitBook,
    *,
    mover: Seat | None,
    now: datetime,
) -> None:
    """Announce new and failed offers to players whose questions stayed open; the mover sees them on the page."""
    people = {wait.seat: wait for wait in book.kept if wait.seat != mover and not places[wait.seat].is_bot}
    with_news = find_seats_with_news(before, table, automatic)
    for seat, through in with_news.items():
        if wait := people.get(seat):
            signals.addressed.send(Match, match=match, wait=wait, place=places[seat], through=through, now=now)
    for seat in find_declined_seats(before, table):
        if seat not in with_news and (wait := people.get(seat)):
            signals.turned_down.send(Match, match=match, wait=wait, place=places[seat], now=now)


@sensitive_variables("table", "automatic", "ask")
def is_worth_a_letter(table: Table[Any, Any], wait: Wait, automatic: AutomaticPlayers) -> bool:
    """Return whether a new question concerns its player, ignoring answers that their own orders hide."""
    ask = table.ask(wait.seat)
    assert ask is not None  # its wait was opened for it
    shown = replace(ask, menu=tuple(automatic.find_visible_answers(table, ask)))
    return table.rules.concerns(table.view(wait.seat), shown)


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
    open_before = {ask.seat for ask in before.asks if ask.free}
    seats = [ask.seat for ask in table.asks if ask.free and ask.seat in open_before]
    return [seat for seat in seats if table.rules.menus.has_offer_failed(before.view(seat), table.view(seat))]


def finish(match: Match, now: datetime, *, ending: str = "finished") -> None:
    """End the match: close its questions and proposals, and announce the result."""
    match.phase, match.ending, match.ended_at, match.paused_at = Match.Phase.ENDED, ending, now, None
    match.save(update_fields=["phase", "ending", "ended_at", "paused_at"])
    match.waits.all().delete()
    match.proposals.filter(closed_at=None).update(closed_at=now)
    match.places.exclude(nudge_at=None).update(nudge_at=None)
    signals.finished.send(Match, match=match, now=now)
