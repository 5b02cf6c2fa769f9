"""A match as one reader may see it: players, result, and the reader's own standing orders. `story` builds on it.

It is built from views and phrases only. The state never leaves this package, so nothing hidden can reach a template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from beanpost.play.display.card_signs import format_cards_in
from beanpost.play.display.game_templates import GameTemplates
from beanpost.play.display.match_rows import MatchRows
from beanpost.play.display.parts import Standing
from beanpost.play.display.wording import say
from beanpost.play.log import outcome
from beanpost.play.models import Departure, Match, Order, Place, Wait
from games.contract.game import Game
from games.contract.notation import read
from games.contract.orders import StandingOrder
from games.contract.phrases import Phrase
from games.contract.seats import Seat
from games.engine.table import Table
from games.verification.export import Outcome


@dataclass(frozen=True)
class MatchForReader:
    """A match as one seat sees it, or a bystander (`reader` is None)."""

    rows: MatchRows
    places: Sequence[Place]
    reader: Seat | None
    table: Table[Any, Any] = field(repr=False)
    wait: Wait | None  # the question this reader is asked

    @property
    def match(self) -> Match:
        return self.rows.match

    @property
    def rules(self) -> Game[Any, Any]:
        return self.table.rules

    @property
    def place(self) -> Place | None:
        return None if self.reader is None else self.places[self.reader]

    @cached_property
    def names(self) -> list[str]:
        return [place.name for place in self.places]

    @cached_property
    def view(self) -> Any:
        return self.table.view(self.reader)

    @property
    def templates(self) -> GameTemplates:
        return GameTemplates(self.rules.slug)

    @cached_property
    def result(self) -> Outcome | None:
        return outcome.find_outcome(self.match, self.table)

    @cached_property
    def standings(self) -> list[Standing]:
        """All players with rank and score, the winners first; empty while the game lasts."""
        if self.result is None:
            return []
        scores = self.result.scores or [None] * len(self.places)
        ranks = outcome.rank_seats(self.match, self.result.ranks, self.places)
        rows = zip(ranks, self.places, scores, strict=True)
        return sorted((Standing(*row) for row in rows), key=lambda row: (row.rank, row.place.seat))

    @property
    def winners(self) -> list[Place]:
        """The places that won. Nobody wins by giving up, not even if everybody did."""
        return [row.place for row in self.standings if row.rank == 1 and not row.place.resigned_at]

    @property
    def others(self) -> list[str]:
        """The names of the other players."""
        return [place.name for place in self.places if place.seat != self.reader]

    @property
    def waiting_for(self) -> list[Place]:
        """The seats that the table waits for."""
        return [self.places[ask.seat] for ask in self.table.asks if ask.seat >= 0 and ask.default is not None]

    @property
    def open_until(self) -> datetime | None:
        """The latest deadline: by then the table goes on."""
        return max((wait.due_at for wait in self.rows.waits if wait.due_at), default=None)

    def say(self, phrase: Phrase) -> str:
        return self.say_with_names(phrase, self.names)

    def say_with_names(self, phrase: Phrase, names: Sequence[str]) -> str:
        """Return a phrase of the game as a sentence, with these names, and with signs for cards."""
        return format_cards_in(say(phrase, names), self.rules.look, names)

    # ── the reader's own standing orders ──

    @cached_property
    def all_orders(self) -> list[Order]:
        """All orders the reader has given."""
        return [order for order in self.rows.orders if order.seat == self.reader]

    def describe_order(self, line: str) -> str:
        """Return an order of this game in words."""
        order = read(line, self.rules.orders.kinds)
        return self.say(order.describe(self.view)) if isinstance(order, StandingOrder) else line

    @cached_property
    def parsed_orders(self) -> list[StandingOrder]:
        """The reader's orders that have not lapsed, parsed."""
        standing = [order.line for order in self.all_orders if order.lapsed_at is None]
        return [order for line in standing if isinstance(order := read(line, self.rules.orders.kinds), StandingOrder)]

    @cached_property
    def orders_by_line(self) -> dict[int, str]:
        """The reader's orders by the lines they played. Other readers see the lines only."""
        return {seq: order.line for order in self.all_orders for seq in order.answered}

    # ── former players ──

    @cached_property
    def departures(self) -> list[Departure]:
        """The players who gave their seats to somebody else, in order."""
        has_changed_hands = any(place.seated for place in self.places)
        return list(self.match.departures.order_by("seq")) if has_changed_hands else []

    @property
    def all_names(self) -> list[str]:
        """The names of all present and former players."""
        return [*self.names, *(left.name for left in self.departures)]

    def find_names_at(self, seq: int) -> list[str]:
        """Return the names by seat at the time of a line."""
        former = {left.seat: left.name for left in reversed(self.departures) if left.seq > seq}
        return [former.get(place.seat, place.name) for place in self.places]

    def find_reader_at(self, seq: int) -> Seat | None:
        """Return the seat as which the reader sees a line; None (a bystander) for lines before they sat down."""
        return self.reader if self.place and seq > self.place.seated else None
