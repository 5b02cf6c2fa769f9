"""Questions, answers in the log, and results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from games.contract.notation import Action
from games.contract.seats import Seat

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that the table asks a seat."""

    seat: Seat
    about: str  # the topic, e.g. "round 2 turn 7"; a new text is a new question
    menu: tuple[Action, ...] = ()  # ready answers: each gets a link in the letter
    free: tuple[type[Action], ...] = ()  # sentences the player may compose
    default: Action | None = None  # played when time is up; None: nobody waits for this seat
    through: bool = False  # whether every other seat has answered, so that more time would not help


class SaidLine(NamedTuple):
    """A line of the log: the seat and what it said."""

    seat: Seat
    line: str


@dataclass(frozen=True)
class Result:
    """Scores and ranks by seat; 1 is best, and seats that stay tied share a rank."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def compute_ranks(merits: Iterable[Any]) -> tuple[int, ...]:
    """Return ranks by merit, highest first. Ties share a rank, and the ranks after them are skipped.

    >>> compute_ranks([7, 9, 9, 1])
    (3, 1, 1, 4)
    """
    row = list(merits)
    return tuple(1 + sum(other > merit for other in row) for merit in row)


@dataclass(frozen=True)
class Step(Generic[S]):
    """One line of a log, with the state before and after it."""

    before: S
    seat: Seat
    action: Action
    after: S


def is_sealed(heard: str) -> bool:
    """Return whether a reader's version of a line is still sealed. If so, its origin (player, bot, clock) is too.

    >>> is_sealed("play …"), is_sealed("play ? left down")
    (True, False)
    """
    return heard.endswith("…")
