"""The contract between a game and the code that runs it.

A game is a reducer over frozen values: `setup` returns the first state, `asks` lists the open questions, `apply`
returns the next state, `view` shows what one seat may see. `engine.table` runs a game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from games.contract.asks import Ask, Result, S, Step
from games.contract.composer import Composer
from games.contract.dice import Dice
from games.contract.errors import Illegal, RulesError
from games.contract.look import PLAIN_LOOK, Look
from games.contract.notation import Action
from games.contract.orders import StandingOrder
from games.contract.phrases import Phrase
from games.contract.replies.words import PLAIN_REPLIES, ReplyWords
from games.contract.seats import Seat

V = TypeVar("V")


STANDARD = {"standard": Phrase("standard")}
OWN_DEADLINE = Phrase("This question has its own deadline, because other players can move too.")


def take_default(view: Any, ask: Ask) -> Action | None:
    """Answer as when time is up: the bot of a game that has none of its own."""
    return ask.default


def no_chance(state: Any, dice: Dice) -> Action:
    raise Illegal("Nothing is random in this game.")


def only_answer(state: Any, ask: Ask) -> Action | None:
    """Return the answer the house gives for a seat that is waited for and has only one choice."""
    if len(ask.menu) == 1 and not ask.free and ask.default is not None:
        return ask.menu[0]
    return None


def redact_nothing(step: Step[Any], now: Any, reader: Seat | None) -> str:
    """Return the line unchanged, for games where everybody may read it."""
    return str(step.action)


def no_orders(view: Any) -> tuple[StandingOrder, ...]:
    return ()


def no_orders_beside(view: Any, answer: Action) -> tuple[StandingOrder, ...]:
    return ()


def whole_menu(view: Any, ask: Ask) -> tuple[Action, ...]:
    return ask.menu


def default_opportunity(view: Any, ask: Ask) -> Phrase:
    return Phrase("You can move now")


class MenuPlace(NamedTuple):
    """The place of a ready answer in a long menu: its heading, and a short label under it."""

    heading: Phrase
    brief: Phrase


class Draft(NamedTuple):
    """A half-composed sentence: the number of the offer it answers, and its label."""

    number: int
    label: Phrase


@dataclass(frozen=True)
class Costly:
    """A move that costs its player something they may not want to lose."""

    warning: Phrase  # the price, as a sentence; the move's label names it, too


@dataclass(frozen=True)
class Ruinous(Costly):
    """A move that hardly anybody wants. Such moves stand last, under one heading, unless there are no others."""

    heading: Phrase


def no_danger(view: Any, action: Action) -> Costly | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[S]):
    """The rules: the first state, the questions, and the next state after a line."""

    setup: Callable[[int, str], S]  # the first state, given seats and variant
    asks: Callable[[S], tuple[Ask, ...]]  # one per seat at most; several: simultaneous; none: over
    apply: Callable[[S, Seat, Action], S]
    result: Callable[[S], Result | None]
    chance: Callable[[S, Dice], Action] = no_chance  # the dealer's answer, given fair dice
    forced: Callable[[S, Ask], Action | None] = only_answer  # what the house answers at once
    why_not: Callable[[S, Ask, Action], RulesError | None] | None = None  # a better reason than "not on the menu"


@dataclass(frozen=True)
class Words(Generic[S, V]):
    """The game's texts for people, as phrases."""

    tell: Callable[[Step[S], S, Seat | None], tuple[Phrase, ...]]  # a step told to one reader, given the present state
    question: Callable[[V, Ask], Phrase]  # the question, for the asked seat
    label: Callable[[V, Action], Phrase]  # the text of a ready answer's button
    otherwise: Callable[[V, Ask], Phrase]  # what happens when time is up, and why
    # What the house did for a seat and why, in place of the first sentence of `tell`; None: there was no other move.
    tell_forced: Callable[[Step[S], Seat | None], Phrase | None] | None = None
    opportunity: Callable[[V, Ask], Phrase] = default_opportunity  # the heading over a question that nobody waits for
    own_deadline: Phrase = OWN_DEADLINE  # why a question has its own deadline: others may compose lines meanwhile
    show_picture: Callable[[Step[S]], Any] | None = None  # the public part of a step, for a picture of it
    addressee: Callable[[Action], Seat | None] | None = None  # the only reader of a note on a line; None: all
    note_key: Callable[[Step[S]], Hashable | None] | None = None  # the key by which templates find a note on this line


@dataclass(frozen=True, kw_only=True)
class Secrecy(Generic[S]):
    """The parts of the log that stay hidden. By default everybody may read every line."""

    # A line as this reader may read it now; "play …": sealed.
    redact: Callable[[Step[S], S, Seat | None], str] = redact_nothing
    # May this reader's line leave something out?
    may_be_shortened: Callable[[Step[S], Seat | None], bool] | None = None
    quiet: tuple[type[Action], ...] = ()  # lines that reveal no card, as long as the phase stays the same


@dataclass(frozen=True, kw_only=True)
class StandingOrders(Generic[V]):
    """The standing orders that players may give."""

    kinds: tuple[type[StandingOrder], ...] = ()
    suggest: Callable[[V], tuple[StandingOrder, ...]] = no_orders  # orders that make sense now
    choices: Callable[[V], tuple[StandingOrder, ...]] = no_orders  # others, to choose from by kind
    # Orders to offer beside a ready answer.
    suggest_beside: Callable[[V, Action], tuple[StandingOrder, ...]] = no_orders_beside
    count_turns: Callable[[V], int] | None = None  # how many turns everyone has had; None: each line was a turn

    def for_seats(self, seats: int) -> tuple[type[StandingOrder], ...]:
        """Return the orders that are useful at a table of this size."""
        return tuple(kind for kind in self.kinds if kind.min_seats <= seats)


@dataclass(frozen=True, kw_only=True)
class Menus(Generic[V]):
    """Help with long menus, and with sentences that players compose."""

    # The heading of an answer. Under each the harmless ones come first, otherwise they keep their order.
    find_place: Callable[[V, Action], MenuPlace | None] | None = None
    # The answers with buttons: the menu, cut or extended, also by lines that a player could compose.
    ready_answers: Callable[[V, Ask], tuple[Action, ...]] = whole_menu
    explain: Callable[[V, Action], Phrase | None] | None = None  # what an answer brings, as a line under its label
    drafts: Callable[[V, Ask], tuple[Draft, ...]] | None = None  # sentences a player may start from
    # A composed sentence as a player might write it in a reply.
    example: Callable[[V, Ask], Phrase | None] | None = None
    # Is it costly or ruinous? It may use only what this reader sees.
    find_danger: Callable[[V, Action], Costly | None] = no_danger
    # Answers with the same key: only the first is shown.
    group_key: Callable[[V, Action], Hashable | None] | None = None
    has_offer_failed: Callable[[V, V], bool] | None = None  # between two views: did an offer of this seat fail?
    # Does a market concern a seat that nobody waits for? None: always.
    concerns: Callable[[V, Ask], bool] | None = None


@dataclass(frozen=True)
class Practice:
    """The table at which guests try a game against bots."""

    variant: str | None = None  # the shortest; None: the game's first
    seats: int = 3  # or the fewest that the game needs
    advise: Callable[[Any, Ask], Phrase | None] | None = None  # for the first turns: what happened, and a good move


@dataclass(frozen=True)
class TableKind:
    """A kind of table that people choose by name before a match: the game, or a form of it for fewer players."""

    key: str = ""  # in addresses, after the game's slug
    name: Phrase | None = None  # None: the game's title
    seats: range | None = None  # None: all that the game has


class Days(NamedTuple):
    """Median days of a match, at one day per move, if everybody looks in twice a day. None: not measured."""

    planned: float  # everybody presses the plans that are offered
    plain: float | None = None  # nobody plans


@dataclass(frozen=True, kw_only=True, eq=False)  # compared by identity, so that it can be a dict key
class Game(Generic[S, V]):
    """The card of a game. A plain game fills the first eight fields; the others have defaults that are right for it, or
    are None where it has nothing to say.
    """

    slug: str
    title: str
    seats: range
    vocabulary: tuple[type[Action], ...]  # everything that can be said
    remembers: tuple[type, ...]  # the frozen classes that make up a state
    play: Rules[S]
    view: Callable[[S, Seat | None], V]  # what this seat (None: a bystander) may see
    words: Words[S, V]

    variants: tuple[str, ...] = ("standard",)
    variant_names: Mapping[str, Phrase] = field(default_factory=STANDARD.copy)  # for people
    bot: Callable[[V, Ask], Action | None] = take_default  # None: silent, if nobody waits for it
    practice: Practice | None = Practice()  # None: guests cannot try this game
    tables: tuple[TableKind, ...] = (TableKind(),)  # the kinds of table on the start page
    durations: Mapping[tuple[str, int], Days] = field(default_factory=dict)  # as measured, by variant and seats
    writes_often: bool = False  # whether the first letter offers one letter a day, since a match brings many
    secrecy: Secrecy[S] = field(default_factory=Secrecy)
    orders: StandingOrders[V] = field(default_factory=StandingOrders)
    menus: Menus[V] = field(default_factory=Menus)
    replies: ReplyWords = PLAIN_REPLIES  # what players call things in replies by mail
    composers: tuple[Composer, ...] = ()  # forms for sentences that players compose on a page
    look: Look = PLAIN_LOOK
    edition: int = 1
    older: tuple[Game[Any, Any], ...] = ()  # earlier editions, which finish the matches that began under them

    def may_verify(self, step: Step[S], now: S, reader: Seat | None) -> bool:
        """Return whether a reader may verify a line: they read it in full, and it cannot have been shortened."""
        shortens = self.secrecy.may_be_shortened
        is_whole = self.secrecy.redact(step, now, reader) == str(step.action)
        return is_whole and not (shortens and shortens(step, reader))

    def concerns(self, view: V, ask: Ask) -> bool:
        """Return whether a seat should be told of its question: the table waits for it, or it may compose something in
        a market that concerns it. A seat that may only harvest is not told: it may do so at any time.
        """
        concerns = self.menus.concerns
        return ask.default is not None or (bool(ask.free) and (concerns is None or concerns(view, ask)))

    def variant_name(self, variant: str) -> Phrase:
        return self.variant_names.get(variant) or Phrase(variant)

    def __repr__(self) -> str:
        return f"games.get({self.slug!r})"
