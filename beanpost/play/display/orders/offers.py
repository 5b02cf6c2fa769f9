"""The standing orders that a reader may give now, what each would do, and the moves they are offered with."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from beanpost.play.display.orders.sentences import OrderSentence, build_sentences
from beanpost.play.display.question import Option, find_key
from beanpost.play.display.scene import Scene
from beanpost.play.models import Order
from beanpost.play.tickets import PlanTicket
from beanpost.play.turns import standing_orders
from games.contract.notation import read
from games.contract.orders import Lapse, StandingOrder, drop_redundant
from games.contract.phrases import Phrase

MAX_PLANNED = 2  # moves that are offered with a plan
TURNS_BEFORE_PLANS = 2  # in a player's first match of a game


def explain_lapse(order: Order, scene: Scene) -> str:
    return scene.say(Phrase(order.reason, **order.values))


def explain_no_more_orders(scene: Scene) -> str:
    """Return why the reader cannot give another order; "" if they can."""
    return "" if scene.may_give_order else scene.say(standing_orders.build_too_many_error().phrase)


def find_suggestions(scene: Scene) -> list[StandingOrder]:
    """Return orders that make sense now, whatever the move."""
    if not scene.may_give_order:
        return []
    return list(drop_redundant(scene.rules.orders.suggest(scene.view), scene.standing_orders, scene.view))


def find_ready_orders(scene: Scene) -> list[str]:
    """Return the orders to offer with one press: suggestions that would not lapse at once."""
    return [str(order) for order in find_suggestions(scene) if not would_lapse(scene, order)]


def list_order_choices(scene: Scene) -> list[StandingOrder]:
    """Return the orders to choose from that would not lapse at once."""
    if not scene.may_give_order:
        return []
    offered = drop_redundant(scene.rules.orders.choices(scene.view), scene.standing_orders, scene.view)
    return [order for order in offered if not would_lapse(scene, order)]


def would_lapse(scene: Scene, order: StandingOrder) -> bool:
    return scene.question is not None and isinstance(order.respond(scene.view, scene.question.ask), Lapse)


# ── in words ──


def build_order_sentences(scene: Scene) -> list[OrderSentence]:
    """Return the orders to choose from as sentences to complete, by kind."""
    choices = list_order_choices(scene)
    return [
        sentence
        for kind in scene.order_types
        for sentence in build_sentences(
            warn_of_telling(take_first_sentence(scene.say(kind.about)), kind),
            [order for order in choices if type(order) is kind],
            scene.view,
            scene.names,
        )
    ]


def list_order_examples(scene: Scene) -> list[tuple[str, str]]:
    """Return what each kind of order does, with an order of that kind that is on offer now, in words, or ""."""
    suggested = scene.rules.orders.suggest(scene.view) if scene.may_give_order else ()
    offered = [*suggested, *list_order_choices(scene)]
    examples = {type(order): scene.say(order.describe(scene.view)) for order in reversed(offered)}
    return [(warn_of_telling(scene.say(kind.about), kind), examples.get(kind, "")) for kind in scene.order_types]


def describe_offered_orders(scene: Scene) -> dict[str, str]:
    """Return the orders on offer now, in words, each with its line."""
    lines = dict.fromkeys([*find_ready_orders(scene), *map(str, list_order_choices(scene))])
    return {scene.describe_order(line): line for line in lines}


def describe_sensible_orders(scene: Scene) -> dict[str, str]:
    """Return all orders that make sense now, by their words, which may count the reader's own turns."""
    orders = map(str, (*scene.rules.orders.suggest(scene.view), *scene.rules.orders.choices(scene.view)))
    return {scene.describe_order(line): line for line in orders}


def describe_effect(order: str, scene: Scene) -> str:
    """Return in words what a standing order will do."""
    given = read(order, scene.rules.orders.kinds)
    assert isinstance(given, StandingOrder)
    return warn_of_telling(scene.say(given.about), type(given))


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


# ── plans: moves that are offered together with a standing order ──


def may_plan(scene: Scene) -> bool:
    """Return whether plans are offered: people who play a game for the first time make their first turns themselves."""
    if scene.place is None or scene.place.has_played_before:
        return scene.place is not None
    count_turns = scene.rules.orders.count_turns
    return (count_turns(scene.view) if count_turns else scene.moves_made) >= TURNS_BEFORE_PLANS


def find_planned_moves(scene: Scene) -> list[Option]:
    """Return the moves that are offered with an order: what the game's bot would play, and the default."""
    if scene.question is None or not scene.rules.orders.kinds:
        return []
    ready = {option.line: option for option in scene.question.options if not option.warning}
    plans = {line: find_orders_with(scene, line) for line in find_sensible_lines(scene) if line in ready}
    # The first order with each move comes before the second order with any of them.
    pairs = [(line, orders[nth]) for nth in range(MAX_PLANNED) for line, orders in plans.items() if nth < len(orders)]
    return [add_order(scene, ready[line], order) for line, order in pairs[:MAX_PLANNED]]


def list_plans(move: Option, scene: Scene) -> list[Option]:
    """Return all plans to offer with a move, those that are made for it first."""
    if not may_plan(scene):
        return []
    fitting = find_orders_with(scene, move.line)
    others = [line for line in map(str, find_suggestions(scene)) if line not in fitting]
    return [add_order(scene, move, order) for order in (*fitting, *others)]


def find_orders_with(scene: Scene, line: str) -> list[str]:
    """Return the orders that make sense with this answer."""
    if not scene.may_give_order or not may_plan(scene):
        return []
    beside = scene.rules.orders.suggest_beside(scene.view, read(line, scene.rules.vocabulary))
    return list(map(str, drop_redundant(beside, scene.standing_orders, scene.view)))


def find_sensible_lines(scene: Scene) -> list[str]:
    """Return the ready answer that the game's bot would give (it sees no more than the reader), and the default."""
    if scene.question is None:
        return []
    ask = scene.question.visible_ask
    keys = [find_key(scene.rules, scene.view, one) for one in (scene.rules.bot(scene.view, ask), ask.default) if one]
    return [scene.question.lines[key] for key in dict.fromkeys(keys) if key in scene.question.lines]


def add_order(scene: Scene, move: Option, order: str) -> Option:
    assert scene.question is not None
    ticket = move.unsigned
    unsigned = PlanTicket(ticket.match, ticket.seat, ticket.occupant, ticket.question, move.line, order)
    label, then = describe_plan(scene, move.line, order), scene.describe_order(order)
    return replace(move, label=label, brief=move.label, unsigned=unsigned, order=order, then=then)


def describe_plan(scene: Scene, line: str, order: str) -> str:
    """Return in words what a line would do, and the order that is given with it, if there is one."""
    move = scene.say(scene.rules.words.label(scene.view, read(line, scene.rules.vocabulary)))
    return _("%(move)s. %(order)s") % {"move": move, "order": scene.describe_order(order)} if order else move
