"""The contract between a game and the code that runs it.

A game is a reducer over frozen values: `setup` returns the first state, `asks` lists the open questions, `apply`
returns the next state, `view` shows what one seat may see. A `Table` is a game in progress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from games.contract import house_lines
from games.contract.dice import Dice
from games.contract.errors import Illegal, NotAsked, RulesError, Unreadable
from games.contract.frozen import made_quickly, worked_out_once
from games.contract.notation import Action, form, read
from games.contract.phrases import Phrase
from games.contract.seats import Seat, called

if TYPE_CHECKING:
    from games.contract.orders import Order

S = TypeVar("S")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that the table asks a seat."""

    seat: Seat
    about: str  # the topic, e.g. "round 2 turn 7"; a new text is a new question
    menu: tuple[Action, ...] = ()  # ready answers: each gets a link in the letter
    free: tuple[type[Action], ...] = ()  # sentences the player may compose
    default: Action | None = None  # played when time is up; None: nobody waits for this seat
    through: bool = False  # every other seat has had its say: there is no reason to give more time


made_quickly(Ask)


class Entry(NamedTuple):
    """A line of the log: the seat and what it said."""

    seat: Seat
    line: str


@dataclass(frozen=True)
class Result:
    """Scores and ranks by seat; 1 is best, and seats that stay tied share a rank."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def ranked(merits: Iterable[Any]) -> tuple[int, ...]:
    """Return ranks by merit, highest first. Ties share a rank, and the ranks after them are skipped.

    >>> ranked([7, 9, 9, 1])
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


def only_answer(state: Any, ask: Ask) -> Action | None:
    """Return the answer the house gives for a seat that is waited for and has only one choice."""
    if len(ask.menu) == 1 and not ask.free and ask.default is not None:
        return ask.menu[0]
    return None


def in_full(step: Step[Any], now: Any, reader: Seat | None) -> str:
    """Return the line unchanged, for games where everybody may read it."""
    return str(step.action)


def nothing_kept(step: Step[Any], reader: Seat | None) -> bool:
    return False


def is_sealed(heard: str) -> bool:
    """Return whether this reader's version of a line is still sealed. Its origin (player, bot, clock) then is too.

    >>> is_sealed("play …"), is_sealed("play ? left down")
    (True, False)
    """
    return heard.endswith("…")


def no_orders(view: Any) -> tuple[Order, ...]:
    return ()


def none_alongside(view: Any, answer: Action) -> tuple[Order, ...]:
    return ()


def no_heading(view: Any, action: Action) -> Found | None:
    return None


def whole_menu(view: Any, ask: Ask) -> tuple[Action, ...]:
    return ask.menu


def nothing_to_see(step: Step[Any]) -> Any:
    return None


def nobody_alone(action: Action) -> Seat | None:
    return None


def nobody_turned_down(before: Any, now: Any) -> bool:
    return False


def no_reason(state: Any, ask: Ask, action: Action) -> RulesError | None:
    return None


class Found(NamedTuple):
    """The place of a ready answer in a long menu: its heading, and a short label under it."""

    heading: Phrase
    brief: Phrase


class Draft(NamedTuple):
    """A half-composed sentence: the number of the offer it answers, and its label."""

    number: int
    label: Phrase


def no_drafts(view: Any, ask: Ask) -> tuple[Draft, ...]:
    return ()


def no_example(view: Any, ask: Ask) -> Phrase | None:
    return None


@dataclass(frozen=True)
class Words(Generic[S, V]):
    """The game's texts for people, as phrases."""

    tell: Callable[[Step[S], S, Seat | None], tuple[Phrase, ...]]  # a step told to one reader, given the present state
    question: Callable[[V, Ask], Phrase]  # the question, for the asked seat
    label: Callable[[V, Action], Phrase]  # the text of a ready answer's button
    otherwise: Callable[[V, Ask], Phrase]  # what happens when time is up, and why
    find: Callable[[V, Action], Found | None] = no_heading  # for long menus; answers keep their order
    drafts: Callable[[V, Ask], tuple[Draft, ...]] = no_drafts  # sentences a player may start from
    example: Callable[[V, Ask], Phrase | None] = no_example  # a composed sentence as a player might write it in a reply
    ready: Callable[[V, Ask], tuple[Action, ...]] = whole_menu  # the answers with buttons: the menu, cut or extended
    shows: Callable[[Step[S]], Any] = nothing_to_see  # the public part of a step, for a picture of it
    addressee: Callable[[Action], Seat | None] = nobody_alone  # the reader of a note with a line; None: the table


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[S, V]):
    """The card of a game: its name, its sizes and variants, and its rules."""

    slug: str
    title: str
    seats: range
    variants: tuple[str, ...]
    vocabulary: tuple[type[Action], ...]
    remembers: tuple[type, ...]  # the frozen classes that make up a state
    setup: Callable[[int, str], S]
    asks: Callable[[S], tuple[Ask, ...]]  # one per seat at most; several: simultaneous; none: over
    apply: Callable[[S, Seat, Action], S]
    view: Callable[[S, Seat | None], V]  # what this seat (None: a bystander) may see
    result: Callable[[S], Result | None]
    chance: Callable[[S, Dice], Action]  # the dealer's answer, given fair dice
    words: Words[S, V]
    bot: Callable[[V, Ask], Action | None]  # None: silent, if nobody waits for it or others may speak first
    hears: Callable[[Step[S], S, Seat | None], str] = in_full  # a line as this reader may read it now; "play …": sealed
    kept: Callable[[Step[S], Seat | None], bool] = nothing_kept  # would a longer line read the same?
    forced: Callable[[S, Ask], Action | None] = only_answer
    why_not: Callable[[S, Ask, Action], RulesError | None] = no_reason  # a better reason than "not on the menu"
    orders: tuple[type[Order], ...] = ()  # the standing orders that players may give
    suggest: Callable[[V], tuple[Order, ...]] = no_orders  # orders that make sense now
    alongside: Callable[[V, Action], tuple[Order, ...]] = none_alongside  # orders to offer beside a ready answer
    turned_down: Callable[[V, V], bool] = nobody_turned_down  # between two views: did an offer of this seat fail?
    quiet: tuple[type[Action], ...] = ()  # lines that reveal no card, as long as the phase stays the same
    edition: int = 1
    older: tuple[Rules[Any, Any], ...] = ()  # earlier editions, which finish the matches that began under them

    def opens(self, step: Step[S], now: S, reader: Seat | None) -> bool:
        """Return whether a reader may verify a line: they read it as it was said, and no other line would read the same
        to them.
        """
        return self.hears(step, now, reader) == str(step.action) and not self.kept(step, reader)

    def orders_at(self, seats: int) -> tuple[type[Order], ...]:
        """Return the orders that are useful at a table of this size."""
        return tuple(kind for kind in self.orders if kind.fewest <= seats)

    def __repr__(self) -> str:
        return f"games.get({self.slug!r})"


@dataclass(frozen=True)
class Table(Generic[S, V]):
    """A game in progress. Saying a line returns a new table; a refusal changes nothing."""

    rules: Rules[S, V]
    seats: int
    variant: str
    state: S
    entries: tuple[Entry, ...] = field(default=(), compare=False, repr=False)  # since it was opened or recalled

    @worked_out_once
    def asks(self) -> tuple[Ask, ...]:
        """The open questions; none once the game is over."""
        return self.rules.asks(self.state)

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
            return read(line, self.rules.vocabulary, instead=tuple(dict.fromkeys(sayable)))

    def view(self, seat: Seat | None) -> V:
        return self.rules.view(self.state, seat)

    @property
    def result(self) -> Result | None:
        return self.rules.result(self.state)

    @property
    def forced(self) -> tuple[Entry, ...]:
        """The answers that the house gives at once, in seat order."""
        answers = ((ask.seat, self.rules.forced(self.state, ask)) for ask in self.asks if ask.seat >= 0)
        return tuple(Entry(seat, str(action)) for seat, action in sorted(answers, key=_seat) if action)


made_quickly(Table)


def _seat(answer: tuple[Seat, Action | None]) -> Seat:
    return answer[0]


def take(table: Table[S, V], seat: Seat, action: Action) -> Table[S, V]:
    """Return the table after an action. Every new line comes through here: its seat must be asked and may say it."""
    ask = table.ask(seat)
    if ask is None:
        raise not_asked(table, seat)
    if action not in ask.menu and not isinstance(action, ask.free):
        raise table.rules.why_not(table.state, ask, action) or not_on_the_menu(ask, action)
    state = table.rules.apply(table.state, seat, action)
    said = (Entry(seat, str(action)),)
    return Table(table.rules, table.seats, table.variant, state, table.entries + said)


def not_asked(table: Table[Any, Any], seat: Seat) -> NotAsked:
    if not table.asks:
        return NotAsked("The game is over: nothing more can be said.")
    return NotAsked(
        "The table is not waiting for {seat}. It waits for {others}.",
        seat=called(seat),
        others=" · ".join(called(ask.seat) for ask in table.asks),
    )


def not_on_the_menu(ask: Ask, action: Action) -> Illegal:
    sayings = [str(answer) for answer in ask.menu] + [form(kind) for kind in ask.free]
    shown = sayings[:12] + ["…"] * (len(sayings) > 12)
    return Illegal("“{line}” cannot be said now. What can be said: {menu}.", line=str(action), menu=" · ".join(shown))


def replay(table: Table[S, V], lines: Iterable[tuple[Seat, str]]) -> Table[S, V]:
    """Return the table after lines that were accepted before. They are trusted, so no menus are built."""
    rules, state = table.rules, table.state
    said = [Entry(seat, line) for seat, line in lines]
    for seat, line in house_lines.standing(said):
        state = rules.apply(state, seat, read(line, rules.vocabulary))
    return Table(rules, table.seats, table.variant, state, (*table.entries, *said))


def steps(table: Table[S, V], lines: Iterable[tuple[Seat, str]]) -> Iterator[Step[S]]:
    """Yield accepted lines one by one, each with the state before and after it."""
    rules, state = table.rules, table.state
    for seat, line in lines:
        action = read(line, rules.vocabulary)
        before, state = state, rules.apply(state, seat, action)
        yield Step(before, seat, action, state)
