"""A game in progress: say lines at it, replay a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any, Generic, Protocol, TypeVar

from games.contract import house_lines
from games.contract.asks import Ask, Result, S, SaidLine, Step
from games.contract.errors import Illegal, NotAsked, Unreadable
from games.contract.game import Game, V
from games.contract.notation import Action, describe_form, read
from games.contract.seats import HOUSE, Seat, seat_label


@dataclass(frozen=True)
class Table(Generic[S, V]):
    """A game in progress. Saying a line returns a new table; a refusal changes nothing."""

    rules: Game[S, V]  # the card of the game
    seats: int
    variant: str
    state: S
    lines: tuple[SaidLine, ...] = field(default=(), compare=False, repr=False)  # since it was opened or recalled

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """The open questions; none once the game is over."""
        return self.rules.play.asks(self.state)

    def ask(self, seat: Seat) -> Ask | None:
        """Return the question this seat is asked, if any."""
        for ask in self.asks:
            if ask.seat == seat:
                return ask
        return None

    def says(self, seat: Seat, line: str) -> Table[S, V]:
        """Return the table after a seat has said a line, or raise a RulesError."""
        return take(self, seat, self.read(seat, line))

    def read(self, seat: Seat, line: str) -> Action:
        """Return the action a line says. The error for an unreadable line lists what this seat could say instead."""
        try:
            return read(line, self.rules.vocabulary)
        except Unreadable:
            ask = self.ask(seat)
            sayable = [type(answer) for answer in ask.menu] + list(ask.free) if ask else self.rules.vocabulary
            return read(line, self.rules.vocabulary, suggested=tuple(dict.fromkeys(sayable)))

    def view(self, seat: Seat | None) -> V:
        return self.rules.view(self.state, seat)

    @property
    def result(self) -> Result | None:
        return self.rules.play.result(self.state)

    @property
    def forced(self) -> tuple[SaidLine, ...]:
        """The answers that the house gives at once, in seat order."""
        answers = ((ask.seat, self.rules.play.forced(self.state, ask)) for ask in self.asks if ask.seat >= 0)
        return tuple(SaidLine(seat, str(action)) for seat, action in sorted(answers, key=itemgetter(0)) if action)


def take(table: Table[S, V], seat: Seat, action: Action) -> Table[S, V]:
    """Return the table after an action. Every new line comes through here: its seat must be asked and may say it."""
    ask = table.ask(seat)
    if ask is None:
        raise not_asked_error(table, seat)
    if action not in ask.menu and not isinstance(action, ask.free):
        why_not = table.rules.play.why_not
        raise (why_not(table.state, ask, action) if why_not else None) or not_on_menu_error(ask, action)
    state = table.rules.play.apply(table.state, seat, action)
    new_lines = (SaidLine(seat, str(action)),)
    return Table(table.rules, table.seats, table.variant, state, table.lines + new_lines)


def not_asked_error(table: Table[Any, Any], seat: Seat) -> NotAsked:
    if not table.asks:
        return NotAsked("The game is over, so there are no more moves.")
    return NotAsked(
        "The table isn’t waiting for {seat}. It’s waiting for {others}.",
        seat=seat_label(seat),
        others=" · ".join(seat_label(ask.seat) for ask in table.asks),
    )


def not_on_menu_error(ask: Ask, action: Action) -> Illegal:
    sayings = [str(answer) for answer in ask.menu] + [describe_form(kind) for kind in ask.free]
    listed = sayings[:12] + ["…"] * (len(sayings) > 12)
    return Illegal("You can’t do “{line}” now. You can: {menu}.", line=str(action), menu=" · ".join(listed))


def replay(table: Table[S, V], lines: Iterable[tuple[Seat, str]]) -> Table[S, V]:
    """Return the table after lines that were accepted before. They are trusted, so no menus are built."""
    rules, apply, state = table.rules, table.rules.play.apply, table.state
    new_lines = [SaidLine(seat, line) for seat, line in lines]
    for seat, line in select_standing_moves(new_lines):
        state = apply(state, seat, read(line, rules.vocabulary))
    return Table(rules, table.seats, table.variant, state, (*table.lines, *new_lines))


def iter_steps(table: Table[S, V], lines: Iterable[tuple[Seat, str]]) -> Iterator[Step[S]]:
    """Yield accepted lines one by one, each with the state before and after it."""
    rules, state = table.rules, table.state
    for seat, line in lines:
        action = read(line, rules.vocabulary)
        before, state = state, rules.play.apply(state, seat, action)
        yield Step(before, seat, action, state)


# ── lines that still count ──


class LogLine(Protocol):
    """Anything with a seat and a line: one said at a table, a row of a log."""

    @property
    def seat(self) -> Seat: ...
    @property
    def line(self) -> str: ...


L = TypeVar("L", bound=LogLine)


def select_standing_moves(log: Sequence[L]) -> list[L]:
    """Return the moves that still count: without lines of the house and moves that a rewind undid."""
    moves: list[L] = []
    seq = len(log)  # backwards, so that moves which a rewind undid are never read
    while seq:
        said = log[seq - 1]
        if said.seat == HOUSE:
            seq = resolve_rewind(seq, read(said.line, house_lines.VOCABULARY))
        else:
            moves.append(said)
            seq -= 1
    return moves[::-1]


def resolve_rewind(seq: int, action: Action) -> int:
    """Return the number of the line from which the game continues after the house said `action` as line `seq`."""
    if not isinstance(action, house_lines.Rewind):
        return seq - 1
    if action.line >= seq:
        raise Illegal("Line {seq} can only go back to an earlier line, not to line {line}.", seq=seq, line=action.line)
    return action.line
