"""Plans: moves that are offered together with a standing order, one press for both."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from beanpost.play.display.orders.offers import find_suggestions
from beanpost.play.display.question import Option, find_key
from beanpost.play.display.scene import Scene
from beanpost.play.tickets import PlanTicket
from games.contract.notation import read
from games.contract.orders import drop_redundant

MAX_PLANNED = 2  # moves that are offered with a plan
TURNS_BEFORE_PLANS = 2  # in a player's first match of a game


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
