"""Tickets for one seat of a match. Each docstring begins with what the ticket does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from beanpost.play.tickets.signatures import Ticket


@dataclass(frozen=True)
class TicketForSeat(Ticket):
    """A ticket for a seat: void when the seat's links are renewed, or somebody else takes the seat.

    Renewing another seat's links leaves it alone. Once the match is over it shows the result and plays nothing.
    """

    match: int
    seat: int
    occupant: int


@dataclass(frozen=True)
class MoveTicket(TicketForSeat):
    """Answers one question: with one line, or (if `line` is empty) with any answer its page offers."""

    purpose = "move"
    question: int  # the line after which it was first asked
    line: str = ""
    since: int = 0  # on a page: the last line when it was shown; lines before it may be repeated


@dataclass(frozen=True)
class PlanTicket(TicketForSeat):
    """Answers one question with one line, and gives a standing order with it."""

    purpose = "plan"
    question: int
    line: str
    order: str

    @property
    def move(self) -> MoveTicket:
        """The ticket that plays the line alone."""
        return MoveTicket(self.match, self.seat, self.occupant, self.question, self.line)


@dataclass(frozen=True)
class PlayedTicket(TicketForSeat):
    """Requests the seat's newest letter."""

    purpose = "played"
    seq: int  # the line that was played
    through: int  # the last line that followed from it at once


@dataclass(frozen=True)
class UndoTicket(TicketForSeat):
    """Asks the table to undo one of the seat's own moves, and all that followed."""

    purpose = "undo"
    seq: int  # the line that was played


@dataclass(frozen=True)
class SeatTicket(TicketForSeat):
    """Acts on a seat without a move: confirm, decline, renew its links, mute notes, open a rematch."""

    purpose = "seat"


@dataclass(frozen=True)
class BrowserTicket(TicketForSeat):
    """Plays that seat's next questions. A cookie, never a link."""

    purpose = "browser"
    lasts = timedelta(hours=12)
    session: int  # `Player.sessions` at that time: signing out everywhere voids it


@dataclass(frozen=True)
class OrderTicket(TicketForSeat):
    """Reads, gives and withdraws a seat's standing orders, until the seat plays again: an order is a move."""

    purpose = "order"
    since: int  # the seat's last line by hand or by the clock (`standing_orders.find_last_own_line`)
