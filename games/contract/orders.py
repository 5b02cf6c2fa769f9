"""Standing orders: small bots that players write as one line.

An order sees only the seat's view and its question. It answers, stays silent, or lapses with a reason. It is not
in the log: its existence is secret, though others may notice an answer that comes at once.

>>> from games.haricots.orders import PassUntil
>>> str(PassUntil(9)), str(PassUntil(9).describe())
('pass until someone plays below 9', 'Pass until the value to beat is below 9')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from games.contract.asks import Ask
from games.contract.notation import Action
from games.contract.phrases import Phrase, Plural
from games.contract.seats import Seat


@dataclass(frozen=True)
class Lapse:
    """The end of an order, with the reason."""

    reason: Phrase


Response: TypeAlias = Action | Lapse | None


class StandingOrder(Action):
    """An instruction to answer on a player's behalf. Subclasses have a `says` and respond to questions."""

    says: ClassVar[str] = ""
    about: ClassVar[Phrase]  # what orders of this kind do, for people
    min_seats: ClassVar[int] = 2  # the fewest seats at which it is of use
    once: ClassVar[bool] = False  # whether it lapses after one answer
    tells_hand: ClassVar[bool] = False  # whether its answers depend on the hand, and so tell something about it

    def describe(self, view: Any = None) -> Phrase:
        """Return the order as its owner reads it: with their view it counts their own turns, without it the table's."""
        raise NotImplementedError

    def respond(self, view: Any, ask: Ask) -> Response:
        """Return the answer to a question, None to stay silent, or a Lapse."""
        return None

    def hides(self, view: Any, answer: Action) -> bool:
        """Return whether its owner wants neither to see a ready answer nor to get a letter about it."""
        return False

    def silences(self, view: Any, seat: Seat, action: Action) -> bool:
        """Return whether its owner wants no news of a line. `view` is what the owner sees after it."""
        return False

    def supersedes(self, view: Any, other: StandingOrder) -> bool:
        """Return whether this order makes another one pointless to offer: the other would only overrule it."""
        return False

    def handles(self, view: Any, ask: Ask) -> bool:
        """Return whether it handles a question by itself, so that its owner need not be asked again for now."""
        return False

    def needs_no_letter(self, view: Any, ask: Ask) -> bool:
        """Return whether its owner need not be asked at all, even if the table waits for them."""
        return False


@dataclass(frozen=True)
class OrderReply:
    """An order's reply to a question: an answer, or the fact that it has lapsed."""

    order: int  # its position among the orders asked
    answer: Action | None = None
    lapse: Lapse | None = None


def not_on_menu(ask: Ask, answer: Action) -> bool:
    return answer not in ask.menu


def consult(
    orders: Iterable[StandingOrder], view: Any, ask: Ask, *, refused: Callable[[Ask, Action], bool] = not_on_menu
) -> Iterator[OrderReply]:
    """Ask orders in the given sequence until one answers. An order lapses if its answer would be refused."""
    for number, order in enumerate(orders):
        match order.respond(view, ask):
            case None:
                continue
            case Lapse() as lapse:
                yield OrderReply(number, lapse=lapse)
            case answer if refused(ask, answer):
                yield OrderReply(number, lapse=Lapse(Phrase("that move is no longer possible")))
            case answer:
                yield OrderReply(number, answer, Lapse(Phrase("it did its job")) if order.once else None)
                return


def drop_hidden(orders: Iterable[Action], view: Any, answers: Iterable[Action]) -> list[Action]:
    """Return the ready answers that no order hides from its owner."""
    hiding = [order for order in orders if isinstance(order, StandingOrder)]
    return [answer for answer in answers if not any(order.hides(view, answer) for order in hiding)]


def drop_redundant(offered: Iterable[StandingOrder], standing: Iterable[Action], view: Any) -> list[StandingOrder]:
    """Return the offered orders that are neither given already nor superseded by an active order."""
    given = [order for order in standing if isinstance(order, StandingOrder)]
    return [order for order in offered if order not in given and not any(one.supersedes(view, order) for one in given)]


# ── turns, as the owner of an order counts them ──

OWN_TURNS = (
    Phrase("your next turn"),
    Phrase("your second turn from now"),
    Phrase("your third turn from now"),
    Phrase("your fourth turn from now"),
    Phrase("your fifth turn from now"),
    Phrase("your sixth turn from now"),
)


def count_own_turns(turn: int, *, now: int, following: int, seats: int) -> int | None:
    """Return how many own turns from now this turn of the table is; None if it is over, or another player's.

    `following` is the number of the player's next turn.

    >>> [count_own_turns(turn, now=5, following=9, seats=4) for turn in (5, 8, 9, 13)]
    [0, None, 1, 2]
    """
    own, others = divmod(turn - following, seats)
    return None if others or turn < now else own + 1


def name_turn(turn: int, own: int | None) -> Phrase:
    """Return when an order acts: in that turn of the table, which is so many own turns from now."""
    if own == 0:
        return Phrase("This turn")
    if own is None or own > len(OWN_TURNS):
        return Phrase("In turn {turn}", turn=turn)
    return Phrase("In {turn}", turn=OWN_TURNS[own - 1])


def name_last_turn(turn: int, own: int | None) -> Phrase:
    """Return how long an order acts, if that turn is its last."""
    if not own:
        return Phrase("Through turn {turn}", turn=turn) if own is None else Phrase("This turn")
    return Plural("Through your next turn", "Through your next {count} turns", count=own)


def name_end(turn: int, own: int | None) -> Phrase:
    """Return how long an order acts, if it ends as that turn begins."""
    if not own or own > len(OWN_TURNS):
        return Phrase("until turn {turn}", turn=turn)
    return Phrase("until {turn}", turn=OWN_TURNS[own - 1])
