"""Step through a match: every line of its story, with the table as it was after that line.

In a running match readers see at each step what they saw at the time. Once a match has ended nothing is secret.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.views.decorators.debug import sensitive_variables

from beanpost.play.display.scene import Scene, fill_scene
from beanpost.play.display.story import Story, StoryLine, find_notes_by_key, tell_story
from beanpost.play.models import Match
from beanpost.play.perspective import Perspective
from games.contract.seats import Seat
from games.engine.table import Table


@dataclass(frozen=True)
class Hand:
    """The cards a player held."""

    seat: Seat
    name: str
    cards: Sequence[object]


@dataclass(frozen=True)
class Moment:
    """One line of the story, and the table after it."""

    line: StoryLine
    scene: Scene  # without a question; for times before they took the seat, readers are bystanders
    hands: Sequence[Hand]  # all hands, once the match has ended; for its last move, those just before it
    number: int  # which step this is, of `total` steps
    total: int
    first: int  # the line of the first step, to link to; below, those of the steps before and after, and of the last
    before: int | None
    after: int | None
    final: int


@sensitive_variables("now", "table")
def find_moment(match: Match, reader: Seat | None, seq: int | None = None) -> Moment | None:
    """Return the step after a line, or after the last line before it that the reader is told of; without `seq`, the
    last step.

    Line 1 leads to the first step even if the reader is not told of it: links to a replay begin with line 1.
    """
    now = Perspective(match, reader)
    lines = [line for line in tell_story(now.match, reader) if not line.is_note]
    if not lines or (seq is not None and seq < 1):
        return None
    numbers = [line.seq for line in lines]
    nth = len(lines) - 1 if seq is None else max(bisect_right(numbers, seq) - 1, 0)
    moves = bisect_right([event.seq for event, _step in now.steps], numbers[nth])
    table = build_table(now, moves)
    then = Perspective(now.match, now.find_reader_at(numbers[nth]), table)
    return Moment(
        line=lines[nth],
        scene=fill_scene(then, None, Story([], [], find_notes_by_key(then))),
        hands=find_hands(now, moves - 1 if moves == len(now.steps) and table.result else moves),
        number=nth + 1,
        total=len(lines),
        first=numbers[0],
        before=numbers[nth - 1] if nth else None,
        after=numbers[nth + 1] if nth + 1 < len(lines) else None,
        final=numbers[-1],
    )


def build_table(now: Perspective, moves: int) -> Table[Any, Any]:
    """Return the table after so many of the moves that were not rewound."""
    if not moves:
        return replace(now.table, state=now.rules.play.setup(now.table.seats, now.table.variant), lines=())
    return replace(now.table, state=now.steps[moves - 1][1].after, lines=())


@sensitive_variables("table")
def find_hands(now: Perspective, moves: int) -> list[Hand]:
    """Return the hands after so many moves, if the match has ended."""
    if now.match.phase != Match.Phase.ENDED:
        return []
    table, hand = build_table(now, moves), now.rules.look.hand
    found = [Hand(place.seat, place.name, hand(table.view(place.seat))) for place in now.loaded.places]
    return found if any(hand.cards for hand in found) else []
