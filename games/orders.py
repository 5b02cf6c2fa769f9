"""Standing orders: small bots that players write as one line.

An order has a player's own eyes, the seat's view and its question, and nothing else. It answers, stays silent, or
lapses for a reason. It is no line of the log: that it exists is secret, though an answer that comes at once is seen.

>>> from games.haricots.orders import PassUntil
>>> str(PassUntil(9))
'pass until someone plays below 9'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

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
    about: ClassVar[Phrase] = Phrase("")  # what orders of this kind do, for people
    once: ClassVar[bool] = False  # whether it lapses when it has answered

    def opinion(self, view: Any, ask: Ask) -> Opinion:
        """The answer to a question, None to stay silent, or a Lapse."""
        return None


@dataclass(frozen=True)
class Counsel:
    """What an order has to say to a question: an answer, or that it has lapsed."""

    order: int  # its number among those asked
    answer: Action | None = None
    lapse: Lapse | None = None


def consult(orders: Iterable[Order], view: Any, ask: Ask) -> Iterator[Counsel]:
    """Ask orders in the sequence given, until one answers. An answer that may not be said lapses the order."""
    for number, order in enumerate(orders):
        match order.opinion(view, ask):
            case None:
                continue
            case Lapse() as lapse:
                yield Counsel(number, lapse=lapse)
            case answer if answer not in ask.menu:
                yield Counsel(number, lapse=Lapse(Phrase("what it wants can no longer be said")))
            case answer:
                yield Counsel(number, answer, Lapse(Phrase("it has done its work")) if order.once else None)
                return
