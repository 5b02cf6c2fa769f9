"""A match moment by moment: every line that is told, with the table as it stood after it.

A reader of a running match sees at every moment what they saw then. When a match has ended nothing is secret any more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.views.decorators.debug import sensitive_variables

from beanpost.play import history
from beanpost.play.models import Match
from beanpost.play.pieces import Told
from beanpost.play.scene import Scene
from games.chairs import Seat
from games.rules import Table


@dataclass(frozen=True)
class Hand:
    """What somebody held."""

    seat: Seat
    name: str
    cards: Sequence[object]


@dataclass(frozen=True)
class Replay:
    """All moments of a match for one reader, by the number of their line."""

    now: Scene

    @cached_property
    def lines(self) -> list[Told]:
        return self.now.story

    @cached_property
    def states(self) -> list[tuple[int, Any]]:
        """The table after each move that stands, by its line."""
        return [(event.seq, step.after) for event, step in history.standing(self.now.match, self.now.log)]

    def moment(self, seq: int) -> Moment | None:
        """The moment after a line; after the last one before it, where nothing is told of the line itself."""
        numbers = [line.seq for line in self.lines]
        place = bisect_right(numbers, seq) - 1
        return Moment(self, place) if place >= 0 else None

    @property
    def last(self) -> Moment | None:
        return Moment(self, len(self.lines) - 1) if self.lines else None


@dataclass(frozen=True)
class Moment:
    replay: Replay
    place: int  # among the lines that are told

    @property
    def line(self) -> Told:
        return self.replay.lines[self.place]

    @property
    def number(self) -> int:
        return self.place + 1

    @property
    def total(self) -> int:
        return len(self.replay.lines)

    @property
    def before(self) -> int | None:
        """The number of the line before, to step back to."""
        return self.replay.lines[self.place - 1].seq if self.place else None

    @property
    def after(self) -> int | None:
        return self.replay.lines[self.place + 1].seq if self.number < self.total else None

    @property
    def first(self) -> int:
        return self.replay.lines[0].seq

    @property
    def final(self) -> int:
        return self.replay.lines[-1].seq

    @cached_property
    def scene(self) -> Scene:
        """The table as it stood, with nobody asked. Who has taken over a seat did not see the hand before."""
        now = self.replay.now
        return replace(now, table=self.table, wait=None, reader=now.hearer(self.line.seq))

    @cached_property
    def table(self) -> Table[Any, Any]:
        return self.with_state(self.upto)

    @property
    def upto(self) -> int:
        """How many moves had been made."""
        return bisect_right([seq for seq, _state in self.replay.states], self.line.seq)

    def with_state(self, moves: int) -> Table[Any, Any]:
        table = self.replay.now.table
        if not moves:
            return replace(table, state=table.rules.setup(table.seats, table.variant), entries=())
        return replace(table, state=self.replay.states[moves - 1][1], entries=())

    @sensitive_variables("table")
    def hands(self) -> list[Hand]:
        """Everybody's hand, once the match has ended; after its last move, what was left just before."""
        if self.replay.now.match.phase != Match.Phase.ENDED:
            return []
        moves = self.upto
        table = self.with_state(moves - 1 if moves == len(self.replay.states) and self.table.result else moves)
        found = [Hand(place.seat, place.name, table.view(place.seat).hand) for place in self.replay.now.places]
        return found if any(hand.cards for hand in found) else []
