"""Standing orders: small bots that players write as one line.

An order has a player's own eyes, the seat's view and its question, and nothing else. It answers, stays silent, or
lapses for a reason. It is no line of the log: that it exists is secret, though an answer that comes at once is seen.

>>> from games.haricots.orders import PassUntil
>>> str(PassUntil(9)), str(PassUntil(9).in_words())
('pass until someone plays below 9', 'Pass until somebody plays below 9')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from games.chairs import Seat
from games.notation import Action
from games.phrases import Phrase
from games.rules import Ask


@dataclass(frozen=True)
class Lapse:
    """An order is over, and why."""

    reason: Phrase


Opinion: TypeAlias = Action | Lapse | None


class Order(Action):
    """What a player wants said on their behalf. Subclasses have a `says`, and form an opinion on a question."""

    says: ClassVar[str] = ""
    about: ClassVar[Phrase]  # what orders of this kind do, for people
    fewest: ClassVar[int] = 2  # seats, below which it has nothing to do
    once: ClassVar[bool] = False  # whether it lapses when it has answered

    def in_words(self) -> Phrase:
        """What is ordered, as its owner reads it."""
        raise NotImplementedError

    def opinion(self, view: Any, ask: Ask) -> Opinion:
        """The answer to a question, None to stay silent, or a Lapse."""
        return None

    def hides(self, view: Any, answer: Action) -> bool:
        """Whether its owner does not want to be shown, or written to for, a ready answer."""
        return False

    def hushes(self, view: Any, seat: Seat, said: Action) -> bool:
        """Whether its owner, who had this view after a line, does not want to be told of the line."""
        return False

    def minds(self, view: Any, ask: Ask) -> bool:
        """Whether it looks after a question by itself, so that its owner need not be asked again meanwhile."""
        return False


@dataclass(frozen=True)
class Counsel:
    """What an order has to say to a question: an answer, or that it has lapsed."""

    order: int  # its number among those asked
    answer: Action | None = None
    lapse: Lapse | None = None


def not_on_menu(ask: Ask, answer: Action) -> bool:
    return answer not in ask.menu


def consult(
    orders: Iterable[Order], view: Any, ask: Ask, *, refused: Callable[[Ask, Action], bool] = not_on_menu
) -> Iterator[Counsel]:
    """Ask orders in the sequence given, until one answers. An answer that would be refused lapses the order."""
    for number, order in enumerate(orders):
        match order.opinion(view, ask):
            case None:
                continue
            case Lapse() as lapse:
                yield Counsel(number, lapse=lapse)
            case answer if refused(ask, answer):
                yield Counsel(number, lapse=Lapse(Phrase("what it wants can no longer be said")))
            case answer:
                yield Counsel(number, answer, Lapse(Phrase("it has done its work")) if order.once else None)
                return


def not_hidden(orders: Iterable[Action], view: Any, answers: Iterable[Action]) -> list[Action]:
    """The ready answers that no order hides from its owner."""
    hiding = [order for order in orders if isinstance(order, Order)]
    return [answer for answer in answers if not any(order.hides(view, answer) for order in hiding)]
