"""Stacks prepared for a player: every order that matters, at the centre and steered, each with its risk.

All of it follows from public facts.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from games.contract.asks import Ask
from games.contract.notation import Action
from games.haricot_magique.actions import Aimed, Axe, Faces, Stack
from games.haricot_magique.bot.prospects import QUICK_PATHS, THOROUGH_PATHS, best_stack, own_seat, steer
from games.haricot_magique.bot.risk import PATHS, chance_to_stand
from games.haricot_magique.menus import list_stacks
from games.haricot_magique.stalk import Stalk
from games.haricot_magique.steps.stacking import list_pieces
from games.haricot_magique.view import View

MAX_READY_ORDERS = 6  # orders that get buttons beside the bot's, two buttons each
STEERING_SHARES = (0.3, 0.6, 1.0)  # how far to steer towards the middle of the span in which a die stands


def ready_answers(view: View, ask: Ask) -> tuple[Action, ...]:
    """Return the menu, with axe throws by the roll that follows; for stacks, only those that differ, aimed at the
    centre and against the lean.
    """
    if view.phase != "stacking":
        return tuple(sorted(ask.menu, key=lambda action: action.dice if isinstance(action, Axe) else 0))
    return tuple(stack for order in orders_that_matter(view) for stack in aim_both_ways(view, order))


def orders_that_matter(view: View) -> list[Faces]:
    """Return orders that build different stalks, in menu order. Of many, keep the rolled one, the safest and the one
    that the bot would choose.
    """
    differing: dict[Hashable, Faces] = {}
    for stack in list_stacks(view.dice):
        differing.setdefault(group_key(view, stack), tuple(die.face for die in stack.dice))
    if len(differing) <= MAX_READY_ORDERS:
        return list(differing.values())
    best = Stack(tuple(Aimed(die.face) for die in best_stack(view, view.stalk, view.dice).dice))
    rolled, *others = differing.values()
    safest = sorted(others, key=lambda order: estimate_risk(view, tuple(map(Aimed, order)), QUICK_PATHS))
    kept = [rolled, *safest[: MAX_READY_ORDERS - 1], differing[group_key(view, best)]]
    return [order for order in differing.values() if order in kept]


def group_key(view: View, action: Action) -> Hashable | None:
    """Return the same key for stacks that build the same stalk: an eye and an extra carry nothing."""
    if not isinstance(action, Stack):
        return None
    return tuple((piece.kind, piece.x) for piece in list_pieces(view.stalk, own_seat(view), action.dice))


def aim_both_ways(view: View, order: Faces) -> list[Stack]:
    """Return the stack at the centre, and one steered against the lean if that is safer."""
    centre = tuple(map(Aimed, order))
    steerings = [steer(view, view.stalk, order, share) for share in STEERING_SHARES]
    steadiest = min([centre, *steerings], key=lambda dice: estimate_risk(view, dice, THOROUGH_PATHS))
    return [Stack(centre)] if steadiest == centre else [Stack(centre), Stack(steadiest)]


def estimate_risk(view: View, dice: Sequence[Aimed], paths: int = PATHS) -> float:
    """Return how likely stacking these dice is to bring the stalk down."""
    return _cached_risk(view.stalk, own_seat(view), tuple(dice), paths)


@lru_cache(maxsize=2_048)
def _cached_risk(stalk: Stalk, seat: int, dice: tuple[Aimed, ...], paths: int) -> float:
    return 1 - chance_to_stand(stalk, list_pieces(stalk, seat, dice), paths)


def reaches_castle(view: View, dice: Sequence[Aimed]) -> bool:
    """Return whether these dice bring the castle, if they stand."""
    return list_pieces(view.stalk, own_seat(view), dice)[-1].kind == "castle"


def is_available(view: View, dice: Sequence[Aimed]) -> bool:
    """Return whether this seat could stack exactly these dice now."""
    mine = view.phase == "stacking" and view.turn == view.me
    return mine and sorted(die.face for die in dice) == sorted(view.dice)
