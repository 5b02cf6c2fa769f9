"""The lines of the house: they act on the match rather than in the game.

They are in the same log as the moves. `rewind to 41` restores the table as it was after line 41; the others change who
plays a seat or how long they have, and leave the game alone.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from games.contract.notation import SEAT, Action, Kind, SeatLetter, one_of, several

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
