"""The buttons that people press. Moves are chosen by the game's own bot; nothing is ever typed.

A *plain* player presses moves alone. A *planner* also presses what the page offers with one press:

1. with a move that has a link, the first plan on that link's page: a button that names the move and the order;
2. instead of a move, the first order on offer that would now say the very move they have chosen;
3. after a move, when they have nothing more to say, the first order on offer that does not answer for them at once.

The third is pressed once after a move. The pages list their offers with the most sensible first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.contract.asks import Ask
from games.contract.game import Game
from games.contract.notation import Action, read
from games.contract.orders import StandingOrder


class Page(Protocol):
    """The parts of a page that a planner reads."""

    @property
    def rules(self) -> Game[Any, Any]: ...
    @property
    def view(self) -> Any: ...
    @property
    def visible_ask(self) -> Ask | None: ...
    @property
    def ready_orders(self) -> Sequence[str]: ...
    def find_orders_with(self, line: str) -> Sequence[str]: ...


@dataclass(frozen=True)
class Press:
    """One press: a move, an order, or a move with an order."""

    line: str = ""
    order: str = ""


class Plain:
    def press(self, page: Page) -> Press | None:
        """Return what is pressed on this page; None to leave it."""
        move = choose_move(page)
        return Press(str(move)) if move else None


class Planner:
    def __init__(self) -> None:
        self.may_plan = False  # a person who has not moved on this visit gives no order for later

    def press(self, page: Page) -> Press | None:
        if move := choose_move(page):
            self.may_plan = True
            return add_plan(page, move)
        plans = [line for line in page.ready_orders if ask_order(page, line) is None] if self.may_plan else []
        self.may_plan = False
        return Press(order=plans[0]) if plans else None


def choose_move(page: Page) -> Action | None:
    """Return the bot's move; None where it is not asked, or lets others speak first."""
    return page.rules.bot(page.view, page.visible_ask) if page.visible_ask else None


def add_plan(page: Page, move: Action) -> Press:
    has_link = page.visible_ask is not None and move in page.visible_ask.menu  # a composed move has no plans
    if has_link and (plans := page.find_orders_with(str(move))):
        return Press(str(move), plans[0])
    same = (line for line in page.ready_orders if ask_order(page, line) == move)
    order = next(same, "")
    return Press(order=order) if order else Press(str(move))


def ask_order(page: Page, line: str) -> Any:
    """Return what an order would do on this page: a move, a lapse, or None if it waits."""
    order = read(line, page.rules.orders.kinds)
    assert isinstance(order, StandingOrder)
    return order.respond(page.view, page.visible_ask) if page.visible_ask else None
