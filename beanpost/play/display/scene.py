"""A match as one reader may see it right now. Letters and pages are rendered from it.

Templates use the view and the story, never `table` or `steps`, which hold the whole state: `tests/site/test_secrets.py`
checks what every reader gets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _

from beanpost.play.display import match_rows
from beanpost.play.display.match_rows import MatchRows
from beanpost.play.display.orders.sentences import OrderSentence, build_sentences
from beanpost.play.display.parts import Option
from beanpost.play.display.pending_question import PendingQuestion
from beanpost.play.log import load
from beanpost.play.models import Event, Match, Order
from beanpost.play.tickets import OrderTicket, PlanTicket, sign
from beanpost.play.turns.standing_orders import MOST_ORDERS, build_too_many_error, explain_lapse
from beanpost.players.models import Player
from games.contract.notation import Action, read
from games.contract.orders import Lapse, StandingOrder, drop_redundant
from games.contract.seats import Seat

MOST_PLANNED = 2  # moves that are offered with a plan
TURNS_BEFORE_PLANS = 2  # in a player's first match of a game


@dataclass(frozen=True)
class Scene(PendingQuestion):
    """A match as one reader sees it now: the story, the open question and their standing orders."""

    @cached_property
    def orders(self) -> list[Order]:
        """The reader's orders, without those that lapsed before the news shown."""
        return [order for order in self.all_orders if self.is_news(order)]

    @property
    def is_handled_by_order(self) -> bool:
        """Whether an order takes care of the reader's question, so that no further letter is needed."""
        ask = self.visible_ask
        return ask is not None and any(order.handles(self.view, ask) for order in self.parsed_orders)

    @property
    def needs_no_letter(self) -> bool:
        """Whether an order takes care of the reader's question, and its owner wants no letters about such questions."""
        ask = self.visible_ask
        return ask is not None and any(order.needs_no_letter(self.view, ask) for order in self.parsed_orders)

    def is_answer_hidden(self, answer: Action) -> bool:
        """Return whether an order hides a ready answer from the reader."""
        return any(order.hides(self.view, answer) for order in self.parsed_orders)

    def is_line_hidden(self, line: str) -> bool:
        return self.is_answer_hidden(read(line, self.rules.vocabulary))

    def is_news(self, order: Order) -> bool:
        return order.lapsed_at is None or not self.news or order.lapsed_at >= self.news[0].said_at

    def explain_lapse(self, order: Order) -> str:
        return self.say(explain_lapse(order, self.rules.orders.former_reasons))

    @cached_property
    def active_orders(self) -> list[Order]:
        return [order for order in self.all_orders if order.lapsed_at is None]

    @property
    def why_no_more_orders(self) -> str:
        """Why the reader cannot give another order; "" if they can."""
        return self.say(build_too_many_error().phrase) if len(self.active_orders) >= MOST_ORDERS else ""

    @property
    def suggestions(self) -> list[str]:
        """Orders that make sense now, whatever the move."""
        if self.why_no_more_orders:
            return []
        return list(map(str, drop_redundant(self.rules.orders.suggest(self.view), self.parsed_orders, self.view)))

    @cached_property
    def ready_orders(self) -> list[str]:
        """Orders to offer with one press: suggestions that would not lapse at once."""
        lapsing = {str(order) for order in self.rules.orders.suggest(self.view) if self.would_lapse(order)}
        return [line for line in self.suggestions if line not in lapsing]

    @cached_property
    def order_choices(self) -> list[StandingOrder]:
        """Orders to choose from that would not lapse at once."""
        if self.why_no_more_orders:
            return []
        offered = drop_redundant(self.rules.orders.choices(self.view), self.parsed_orders, self.view)
        return [order for order in offered if not self.would_lapse(order)]

    @cached_property
    def order_sentences(self) -> list[OrderSentence]:
        """The same orders as sentences to complete, by kind."""
        kinds = {kind: [order for order in self.order_choices if type(order) is kind] for kind in self.order_types}
        return [
            sentence
            for kind, orders in kinds.items()
            for sentence in build_sentences(self.describe_kind(kind), orders, self.view, self.names)
        ]

    def describe_kind(self, kind: type[StandingOrder]) -> str:
        """Return in one sentence what orders of a kind do, and in another what their answers tell."""
        return warn_of_telling(take_first_sentence(self.say(kind.about)), kind)

    @cached_property
    def offered_orders(self) -> dict[str, str]:
        """The orders on offer now, in words, each with its line."""
        lines = dict.fromkeys([*self.ready_orders, *map(str, self.order_choices)])
        return {self.describe_order(line): line for line in lines}

    @cached_property
    def sensible_orders(self) -> dict[str, str]:
        """All orders that make sense now, by their words, which may count the reader's own turns."""
        orders = map(str, (*self.rules.orders.suggest(self.view), *self.rules.orders.choices(self.view)))
        return {self.describe_order(line): line for line in orders}

    @property
    def order_types(self) -> tuple[type[StandingOrder], ...]:
        return self.rules.orders.for_seats(len(self.places))

    def would_lapse(self, order: StandingOrder) -> bool:
        return self.ask is not None and isinstance(order.respond(self.view, self.ask), Lapse)

    @cached_property
    def may_plan(self) -> bool:
        """Whether plans are offered: people who play a game for the first time make their first turns themselves."""
        if self.place is None or self.place.has_played_before:
            return self.place is not None
        count_turns = self.rules.orders.count_turns
        turns = count_turns(self.view) if count_turns else sum(event.seat == self.reader for event in self.log)
        return turns >= TURNS_BEFORE_PLANS

    def find_orders_with(self, line: str) -> list[str]:
        """Return the orders that make sense with this answer."""
        assert self.wait is not None
        if self.why_no_more_orders or not self.may_plan:
            return []
        beside = self.rules.orders.suggest_beside(self.view, self.table.read(self.wait.seat, line))
        return list(map(str, drop_redundant(beside, self.parsed_orders, self.view)))

    @cached_property
    def planned_moves(self) -> list[Option]:
        """Moves that are offered together with a standing order: one press for both.

        They are the move that the game's bot would make (it sees no more than the reader) and the default.
        """
        if self.visible_ask is None or not self.rules.orders.kinds:
            return []
        ready = {option.line: option for option in self.options if not option.warning}
        plans = {line: self.find_orders_with(line) for line in self.sensible_lines if line in ready}
        # The first order with each move comes before the second order with any of them.
        pairs = [
            (line, orders[nth]) for nth in range(MOST_PLANNED) for line, orders in plans.items() if nth < len(orders)
        ]
        return [self.add_plan(ready[line], order) for line, order in pairs[:MOST_PLANNED]]

    def add_plan(self, move: Option, order: str) -> Option:
        assert self.wait is not None
        assert self.place is not None
        ticket = PlanTicket(self.match.pk, self.wait.seat, self.place.occupant, self.wait.opened, move.line, order)
        label, then = self.describe_plan(move.line, order), self.describe_order(order)
        return replace(move, label=label, brief=move.label, ticket=sign(ticket), order=order, then=then)

    def list_plans(self, move: Option) -> list[Option]:
        """Return all plans to offer with a move, those that are made for it first."""
        fitting = self.find_orders_with(move.line)
        others = [line for line in self.suggestions if self.may_plan and line not in fitting]
        return [self.add_plan(move, order) for order in (*fitting, *others)]

    def describe_plan(self, line: str, order: str) -> str:
        """Return in words what a line would do, and the order that is given with it, if there is one."""
        if not order:
            return self.label(line)
        return _("%(move)s. %(order)s") % {"move": self.label(line), "order": self.describe_order(order)}

    def describe_effect(self, order: str) -> str:
        """Return in words what a standing order will do."""
        given = read(order, self.rules.orders.kinds)
        assert isinstance(given, StandingOrder)
        return warn_of_telling(self.say(given.about), type(given))

    @cached_property
    def order_examples(self) -> list[tuple[str, str]]:
        """What each kind of order does, with an order of that kind that is on offer now, in words, or ""."""
        offered = [] if self.why_no_more_orders else [*self.rules.orders.suggest(self.view), *self.order_choices]
        examples = {type(order): self.say(order.describe(self.view)) for order in reversed(offered)}
        return [(warn_of_telling(self.say(kind.about), kind), examples.get(kind, "")) for kind in self.order_types]

    @cached_property
    def may_orders_tell(self) -> bool:
        """Whether answers of some orders in this game tell something about the hand."""
        return any(kind.tells_hand for kind in self.order_types)

    @cached_property
    def order_ticket(self) -> str:
        assert self.place is not None
        return sign(OrderTicket(self.match.pk, self.place.seat, self.place.occupant, self.last_own_line))

    @cached_property
    def last_own_line(self) -> int:
        """The same as `standing_orders.find_last_own_line`, computed from the rows already loaded."""
        own = (event for event in self.log if event.seat == self.reader and event.origin != Event.Origin.HOUSE)
        return max((event.seq for event in own if event.seq not in self.orders_by_line), default=0)


def take_first_sentence(text: str) -> str:
    """Return the first of several sentences.

    >>> take_first_sentence("Passes on every turn. If the deck is empty, we ask you.")
    'Passes on every turn.'
    """
    return f"{text.rstrip('.').partition('. ')[0]}."


def warn_of_telling(text: str, kind: type[StandingOrder]) -> str:
    """Return what orders of a kind do, with a warning if their answers tell something about the hand."""
    warning = _("If it answers at once, the others can tell something about your hand.")
    return f"{text} {warning}" if kind.tells_hand else text


def build_scene(match: Match, reader: Seat | None) -> Scene:
    """Return the scene of a match that has begun, for one reader."""
    return build_scene_from_rows(match_rows.get_rows(match), reader)


def build_scene_for_player(match: Match, player: Player) -> Scene | None:
    """Return the scene for a player; None if they have no seat there, or have resigned while the match runs."""
    rows = match_rows.get_rows(match)
    own = next((place for place in rows.places if place.player_id == player.pk), None)
    if own is None or (own.resigned_at and match.phase == Match.Phase.RUNNING):
        return None
    return build_scene_from_rows(rows, own.seat)


def build_scene_from_rows(rows: MatchRows, reader: Seat | None) -> Scene:
    wait = next((wait for wait in rows.waits if wait.seat == reader), None)
    return Scene(rows, rows.places, reader, load.load_table(rows.match, rows.vault, rows.events), wait)
