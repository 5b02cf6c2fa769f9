"""The contract between a game and the code that runs it.

A game is a reducer over frozen values: `setup` returns the first state, `asks` lists the open questions, `apply`
returns the next state, `view` shows what one seat may see. A `Table` is a game in progress.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from games.contract.asks import Ask, Result, S, Step
from games.contract.dice import Dice
from games.contract.errors import RulesError
from games.contract.notation import Action
from games.contract.orders import StandingOrder
from games.contract.phrases import Phrase
from games.contract.seats import Seat

V = TypeVar("V")


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


def no_orders(view: Any) -> tuple[StandingOrder, ...]:
    return ()


def none_alongside(view: Any, answer: Action) -> tuple[StandingOrder, ...]:
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
class Game(Generic[S, V]):
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
    orders: tuple[type[StandingOrder], ...] = ()  # the standing orders that players may give
    suggest: Callable[[V], tuple[StandingOrder, ...]] = no_orders  # orders that make sense now
    alongside: Callable[[V, Action], tuple[StandingOrder, ...]] = (
        none_alongside  # orders to offer beside a ready answer
    )
    turned_down: Callable[[V, V], bool] = nobody_turned_down  # between two views: did an offer of this seat fail?
    quiet: tuple[type[Action], ...] = ()  # lines that reveal no card, as long as the phase stays the same
    edition: int = 1
    older: tuple[Game[Any, Any], ...] = ()  # earlier editions, which finish the matches that began under them

    def opens(self, step: Step[S], now: S, reader: Seat | None) -> bool:
        """Return whether a reader may verify a line: they read it as it was said, and no other line would read the same
        to them.
        """
        return self.hears(step, now, reader) == str(step.action) and not self.kept(step, reader)

    def orders_at(self, seats: int) -> tuple[type[StandingOrder], ...]:
        """Return the orders that are useful at a table of this size."""
        return tuple(kind for kind in self.orders if kind.fewest <= seats)

    def __repr__(self) -> str:
        return f"games.get({self.slug!r})"
