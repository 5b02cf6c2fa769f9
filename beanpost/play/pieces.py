"""What a scene is made of: ready answers, lines as they are told, and how everybody came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beanpost.play.models import Note, Place
from games.chairs import Seat


@dataclass(frozen=True)
class Option:
    """A ready answer: its number on the page, what is said, what that means, and the ticket that says it."""

    number: int
    line: str
    label: str
    ticket: str
    heading: str = ""  # where it stands among many …
    brief: str = ""  # … and what is left to say there


@dataclass(frozen=True)
class Group:
    """Ready answers that belong together, by a heading or because they are about the same card."""

    heading: str
    options: Sequence[Option]

    @property
    def anchor(self) -> str:
        """Where the group stands on the page."""
        return f"move-{self.options[0].number}"


@dataclass(frozen=True)
class Told:
    """A line of the log as this reader may hear it."""

    seq: int
    seat: Seat
    origin: str
    said_at: datetime
    sentences: Sequence[str]
    name: str = ""  # of who sat there then
    note: Note | None = None
    by_hand: bool = True  # not by the house, nor (that is for its owner alone to know) by an order
    shown: Any = None  # what everybody could watch, where a picture tells more than words

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Standing:
    """How somebody came in."""

    rank: int
    place: Place
    score: int | None  # None: the house decided the places
