"""Step through a match: every line of its story, with the table as it was after that line.

In a running match readers see at each step what they saw at the time. Once a match has ended nothing is secret.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.views.decorators.debug import sensitive_variables

from beanpost.play.display.parts import StoryLine
from beanpost.play.display.scene import Scene
from beanpost.play.log import load
from beanpost.play.models import Match
from games.contract.seats import Seat
from games.engine.table import Table


@dataclass(frozen=True)
class Hand:
    """The cards a player held."""

    seat: Seat
    name: str
    cards: Sequence[object]


@dataclass(frozen=True)
class Replay:
    """All steps of a match for one reader, by line number."""

    now: Scene

    @cached_property
    def lines(self) -> list[StoryLine]:
        return [line for line in self.now.story if not line.is_note]

    @cached_property
    def states(self) -> list[tuple[int, Any]]:
        """The state after each move that was not rewound, with its line number."""
        return [(event.seq, step.after) for event, step in load.replay_standing_moves(self.now.match, self.now.log)]

    def find_moment(self, seq: int) -> Moment | None:
        """Return the step after a line, or after the last line before it that the reader is told of.

        Line 1 leads to the first step even if the reader is not told of it: links to a replay begin with line 1.
        """
        if not self.lines or seq < 1:
            return None
        numbers = [line.seq for line in self.lines]
        return Moment(self, max(bisect_right(numbers, seq) - 1, 0))

    @property
    def last(self) -> Moment | None:
        return Moment(self, len(self.lines) - 1) if self.lines else None


@dataclass(frozen=True)
class Moment:
    replay: Replay
    index: int  # index among the lines of the story

    @property
    def line(self) -> StoryLine:
        return self.replay.lines[self.index]

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def total(self) -> int:
        return len(self.replay.lines)

    @property
    def before(self) -> int | None:
        """The number of the line before, to link to."""
        return self.replay.lines[self.index - 1].seq if self.index else None

    @property
    def after(self) -> int | None:
        return self.replay.lines[self.index + 1].seq if self.number < self.total else None

    @property
    def first(self) -> int:
        return self.replay.lines[0].seq

    @property
    def final(self) -> int:
        return self.replay.lines[-1].seq

    @cached_property
    def scene(self) -> Scene:
        """The scene at that time, without a question. For times before they took the seat, readers are bystanders."""
        now = self.replay.now
        return replace(now, table=self.table, wait=None, reader=now.find_reader_at(self.line.seq))

    @cached_property
    def table(self) -> Table[Any, Any]:
        return self.build_table(self.moves_played)

    @property
    def moves_played(self) -> int:
        """How many moves had been played."""
        return bisect_right([seq for seq, _state in self.replay.states], self.line.seq)

    def build_table(self, moves: int) -> Table[Any, Any]:
        table = self.replay.now.table
        if not moves:
            return replace(table, state=table.rules.play.setup(table.seats, table.variant), entries=())
        return replace(table, state=self.replay.states[moves - 1][1], entries=())

    @sensitive_variables("table")
    def find_hands(self) -> list[Hand]:
        """Return all hands, once the match has ended; for its last move, those just before it."""
        if self.replay.now.match.phase != Match.Phase.ENDED:
            return []
        moves = self.moves_played
        table = self.build_table(moves - 1 if moves == len(self.replay.states) and self.table.result else moves)
        hand = table.rules.look.hand
        found = [Hand(place.seat, place.name, hand(table.view(place.seat))) for place in self.replay.now.places]
        return found if any(hand.cards for hand in found) else []
