"""Value classes of a scene: ready answers, lines of the story, final ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beanpost.play.models import Note, Place
from games.contract.seats import Seat


@dataclass(frozen=True)
class Option:
    """A ready answer: its number on the page, its line, the line in words, and the ticket that plays it."""

    number: int
    line: str
    label: str
    ticket: str
    heading: str = ""  # the heading it goes under in a long menu …
    brief: str = ""  # … and its label there, without what the heading says
    warning: str = ""  # the price, as a sentence, if it costs the player something: ask before playing it
    ruin: str = ""  # the heading over all ruinous moves, if it is one of them
    order: str = ""  # the standing order that is given with it …
    then: str = ""  # … and that order in words


def join_plan(line: str, order: str) -> str:
    """Return a move and the standing order that is given with it as one text; without an order, the move alone."""
    return f"{line}\n{order}" if order else line


def split_plan(text: str) -> tuple[str, str]:
    """Return the move and the order of such a text.

    >>> split_plan(join_plan("pass", "always pass in round 2")), split_plan("pass")
    (('pass', 'always pass in round 2'), ('pass', ''))
    """
    line, _, order = text.partition("\n")
    return line, order


@dataclass(frozen=True)
class Group:
    """Ready answers with the same heading, or about the same card."""

    heading: str
    options: Sequence[Option]

    @property
    def is_ruinous(self) -> bool:
        return bool(self.options[0].ruin)

    @property
    def anchor(self) -> str:
        """The group's id on the page."""
        return f"move-{self.options[0].number}"


@dataclass(frozen=True)
class StoryLine:
    """A line of the log as one reader may see it."""

    seq: int
    seat: Seat
    origin: str
    said_at: datetime
    sentences: Sequence[str]
    name: str = ""  # of the player who sat there at that time
    note: Note | None = None
    by_hand: bool = True  # False: by the house, or by an order (which only its owner may know)
    picture: Any = None  # something public to draw, if a picture says more than words
    is_note: bool = False  # a note between moves; `seq` is the line before it

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Standing:
    """A player's final rank and score."""

    rank: int
    place: Place
    score: int | None  # None: the match was adjudicated
