"""The standing orders that a reader may give now, and what each would do."""

from __future__ import annotations

from django.utils.translation import gettext as _

from beanpost.play.display.orders.sentences import OrderSentence, build_sentences
from beanpost.play.display.scene import Scene
from beanpost.play.models import Order
from beanpost.play.turns import standing_orders
from games.contract.notation import read
from games.contract.orders import Lapse, StandingOrder, drop_redundant
from games.contract.phrases import Phrase


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
