"""The lines of the house: they act on the match rather than in the game.

They are in the same log as the moves. `rewind to 41` restores the table as it was after line 41; the others change who
plays a seat or how long they have, and leave the game alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol, TypeAlias, TypeVar

from games.contract.errors import Illegal
from games.contract.notation import SEAT, Action, Kind, SeatLetter, one_of, read, several
from games.contract.seats import HOUSE, Seat

Seats: TypeAlias = Annotated[tuple[int, ...], several(SEAT)]
LineNumber: TypeAlias = Annotated[int, Kind("0|[1-9][0-9]{0,8}", int)]  # a log can be longer than any number in a game
Instant: TypeAlias = Annotated[str, Kind(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z", str.upper)]


class Rewind(Action):
    """The table goes back to how it was after this line; all later moves are undone."""

    says = "rewind to {line}"
    line: LineNumber


class Pause(Action):
    """The clock stops."""

    says = "pause"


class Resume(Action):
    """The clock runs again."""

    says = "resume"


class Extend(Action):
    """This seat gets more time to answer."""

    says = "extend {seat} to {until}"
    seat: SeatLetter
    until: Instant


class Remind(Action):
    """This seat was reminded that the table waits for it."""

    says = "remind {seat}"
    seat: SeatLetter


class Sit(Action):
    """From now on a `bot` or a `person` plays this seat."""

    says = "seat {seat} {sitter}"
    seat: SeatLetter
    sitter: Annotated[str, one_of("bot", "person")]


class Forfeit(Action):
    """This seat resigns. Its cards stay in the game, and it is played on."""

    says = "forfeit {seat}"
    seat: SeatLetter


class Adjudicate(Action):
    """The match ends with these places, the winner first."""

    says = "adjudicate {seats}"
    seats: Seats


class Annul(Action):
    """The match ends and does not count."""

    says = "annul"


VOCABULARY = (Rewind, Pause, Resume, Remind, Extend, Sit, Forfeit, Adjudicate, Annul)


class LogLine(Protocol):
    """Anything with a seat and a line: one said at a table, a row of a log."""

    @property
    def seat(self) -> Seat: ...
    @property
    def line(self) -> str: ...


T = TypeVar("T", bound=LogLine)


def select_standing_moves(log: Sequence[T]) -> list[T]:
    """Return the moves that still count: without lines of the house and moves that a rewind undid."""
    moves: list[T] = []
    seq = len(log)  # backwards, so that moves which a rewind undid are never read
    while seq:
        said = log[seq - 1]
        if said.seat == HOUSE:
            seq = resolve_rewind(seq, read(said.line, VOCABULARY))
        else:
            moves.append(said)
            seq -= 1
    return moves[::-1]


def resolve_rewind(seq: int, action: Action) -> int:
    """Return the number of the line from which the game continues after the house said `action` as line `seq`."""
    if not isinstance(action, Rewind):
        return seq - 1
    if action.line >= seq:
        raise Illegal("Line {seq} can only go back to an earlier line, not to line {line}.", seq=seq, line=action.line)
    return action.line
