"""A match as seen from one seat, or by a bystander: names, notes that it may read, and lines that its orders hide."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.views.decorators.debug import sensitive_variables

from beanpost.play.load import LoadedMatch, load_match
from beanpost.play.log import storage
from beanpost.play.models import Event, Match, Note
from games.contract.asks import Step
from games.contract.notation import read
from games.contract.orders import StandingOrder
from games.contract.seats import Seat
from games.engine.table import Table


class Perspective:
    """A match as seen from one seat, or from beside the table (`reader` is None).

    It holds the whole state, so no template may get it.
    """

    def __init__(self, match: Match, reader: Seat | None, table: Table[Any, Any] | None = None) -> None:
        """Look at the present table, or at one of an earlier time."""
        loaded: LoadedMatch = match.loaded or load_match(match.pk)
        self.loaded, self.match, self.table = loaded, loaded.match, table or loaded.table
        self.rules = self.table.rules
        self.reader = reader
        self.place = None if reader is None else loaded.places[reader]
        self.names = [place.name for place in loaded.places]
        self.view: Any = self.table.view(reader)
        self.orders = [order for order in loaded.orders if order.seat == reader]  # all that this seat has given
        lines = [order.line for order in self.orders if order.lapsed_at is None]
        parsed = [read(line, self.rules.orders.kinds) for line in lines]
        self.standing_orders = [order for order in parsed if isinstance(order, StandingOrder)]
        # Others may not know which lines an order has played.
        self.orders_by_line = {seq: order.line for order in self.orders for seq in order.answered}
        # The players who gave their seats to somebody else, in order.
        has_changed_hands = any(place.seated for place in loaded.places)
        self.departures = list(self.match.departures.order_by("seq")) if has_changed_hands else []

    @cached_property  # replaying takes time, and not every page tells what happened
    def steps(self) -> list[tuple[Event, Step[Any]]]:
        """The moves that were not rewound."""
        return storage.replay_standing_moves(self.match, self.loaded.events)

    def find_names_at(self, seq: int) -> list[str]:
        """Return the names by seat at the time of a line."""
        former = {left.seat: left.name for left in reversed(self.departures) if left.seq > seq}
        return [former.get(place.seat, place.name) for place in self.loaded.places]

    def find_reader_at(self, seq: int) -> Seat | None:
        """Return the seat as which the reader sees a line; None (a bystander) for lines before they sat down."""
        return self.reader if self.place and seq > self.place.seated else None

    @sensitive_variables("step")
    def is_hidden_by_order(self, step: Step[Any]) -> bool:
        """Return whether an order hides a line from the reader, judged by what the reader could see."""
        if not self.standing_orders or step.seat < 0:
            return False
        view = self.rules.view(step.after, self.reader)
        return any(order.silences(view, step.seat, step.action) for order in self.standing_orders)

    def find_notes(self) -> tuple[dict[int, Note], list[Note]]:
        """Return the notes that this reader may read: those sent with moves, by line, and those sent between moves.

        They are for players who have not muted them. A note between moves has the number of the line before it.
        """
        if not self.loaded.notes or self.place is None or not self.place.can_read_notes:
            return {}, []
        seats = {event.seq: event.seat for event in self.loaded.events}
        written = {note.seq: note for note in self.loaded.notes if note.seat == seats.get(note.seq)}
        noted = [(event.seq, step) for event, step in self.steps if event.seq in written]
        between = [note for note in self.loaded.notes if note.seat >= 0 and note.seat != seats.get(note.seq)]
        return (
            {seq: written[seq] for seq, step in noted if self.may_read_note(seq, step)},
            [note for note in between if self.find_reader_at(note.seq) is not None],
        )

    def may_read_note(self, seq: int, step: Step[Any]) -> bool:
        """Return whether this reader may read the note sent with a line: one with an offer to one seat is private."""
        addressee, reader = self.rules.words.addressee, self.find_reader_at(seq)
        to = addressee(step.action) if addressee else None
        return reader is not None and (to is None or reader in (to, step.seat)) and not self.is_hidden_by_order(step)
