"""The bot's estimates of what a stack, a roll or a throw of the axe is worth, in bags of gold."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from games.haricot_magique.actions import Aimed, Faces
from games.haricot_magique.bot.risk import chance_to_stand, standing_range
from games.haricot_magique.menus import MAX_STACKS, distinct_orders
from games.haricot_magique.stalk import FURTHEST_AIM, STEP, Element, Stalk, count_tokens, fell, settle
from games.haricot_magique.steps.dealing import AXE_SPREAD, DIE_SIDES
from games.haricot_magique.steps.gold import CASTLE_BONUS
from games.haricot_magique.steps.rolling import DICE_NUMBERS, EYES_THAT_WAKE, count_reserve
from games.haricot_magique.steps.stacking import list_pieces
from games.haricot_magique.view import View

TOKEN_HOPE = 0.35  # bags a token in the stalk may still bring its owner, if somebody else topples it
ENVY = 0.5  # the cost to me of a bag for each of the others
LAST_ROUNDS = 3  # in this many last rounds hopes fade
STEERING_SHARES = (0.0, 0.3, 0.6, 1.0)  # how far to steer from the centre to where the stalk is steadiest
QUICK_PATHS, THOROUGH_PATHS = 4, 16  # paths followed for a quick estimate, and for the stack itself
MAX_DICE_FORESEEN = 3  # the most dice whose every roll is considered


class Plan(NamedTuple):
    """A way to stack, and what it is worth."""

    worth: float
    dice: tuple[Aimed, ...]


def best_stack(view: View, stalk: Stalk, dice: Faces) -> Plan:
    """Return the best of all orders, each steered by several amounts."""
    orders = {treat_extras_as_eyes(order): order for order in islice(distinct_orders(dice), MAX_STACKS)}
    plans = [
        make_plan(view, stalk, order, share, THOROUGH_PATHS) for order in orders.values() for share in STEERING_SHARES
    ]
    return max(plans, key=lambda plan: plan.worth)


def treat_extras_as_eyes(order: Faces) -> Faces:
    """Return an order with each extra as an eye: both carry nothing, so they stack alike."""
    return tuple("eye" if face == "extra" else face for face in order)


def make_plan(view: View, stalk: Stalk, order: Faces, share: float, paths: int) -> Plan:
    dice = steer(view, stalk, order, share)
    row = list_pieces(stalk, own_seat(view), dice)
    return Plan(estimate_worth(view, stalk, row, chance_to_stand(stalk, row, paths)), dice)


def steer(view: View, stalk: Stalk, order: Faces, share: float) -> tuple[Aimed, ...]:
    """Aim each die some way towards the middle of the span in which it stands, as if no hand trembled."""
    aims: list[int] = []
    for piece in list_pieces(stalk, own_seat(view), tuple(map(Aimed, order))):
        if piece.kind == "die":
            aims.append(nearest_aim(share * sum(standing_range(stalk, "die")) / 2))
            piece = Element("die", STEP * aims[-1])
        stalk = (*stalk, settle(piece, stalk[-1], 0))
    aims += [0] * (len(order) - len(aims))  # dice the castle leaves unplaced
    return tuple(map(Aimed, order, aims))


def nearest_aim(x: float) -> int:
    return max(-FURTHEST_AIM, min(FURTHEST_AIM, round(x / STEP)))


def estimate_worth(view: View, stalk: Stalk, row: tuple[Element, ...], odds: float) -> float:
    """Return the bags to expect: mine if it stands, less those a fall would give to others."""
    me, others = own_seat(view), len(view.seats) - 1
    mine, placed = count_tokens(stalk, me), count_tokens(row, me)
    theirs = sum(element.owner is not None for element in stalk) - mine
    if row[-1].kind == "castle":
        gain = float(CASTLE_BONUS + mine + placed)
    else:
        gain = placed + TOKEN_HOPE * fading_hope(view) * (mine + placed)
    return odds * gain - (1 - odds) * ENVY * theirs / others


def fading_hope(view: View) -> float:
    """Return 1 at first, and less in the last rounds, when nobody may be left to topple the stalk."""
    return min(1.0, (view.rounds - view.round + 0.5) / LAST_ROUNDS)


# ── before the dice are rolled ───────────────────────────────────────────────────────────────────


class Foresight:
    """Estimates for one question, cached."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.eyes = int(view.seats[own_seat(view)].eye)
        self.known: dict[tuple[int, Faces], float] = {}

    def estimate_stack(self, stalk: Stalk, dice: Faces) -> float:
        """Return a quick estimate of what these dice are worth."""
        if dice.count("eye") + self.eyes >= EYES_THAT_WAKE:
            dice = tuple(face for face in dice if face == "eye")
        order = tuple(sorted(treat_extras_as_eyes(dice), reverse=True))  # trunks and treasures first
        key = (len(stalk), order)
        if key not in self.known:
            self.known[key] = make_plan(self.view, stalk, order, 0.6, QUICK_PATHS).worth if order else 0.0
        return self.known[key]

    def estimate_roll(self, stalk: Stalk, dice: int, *, beside: Faces = ()) -> float:
        """Return what rolling this many dice is worth, beside those already rolled."""
        count = min(dice, count_reserve(stalk, beside))
        return sum(odds * self.estimate_stack(stalk, (*beside, *faces)) for faces, odds in every_roll(count))

    def estimate_turn(self) -> float:
        """Return what a turn without the axe is worth, with the best number on the card."""
        card = self.view.seats[own_seat(self.view)].card
        assert card is not None
        return max(self.estimate_roll(self.view.stalk, dice) for dice in DICE_NUMBERS[card])

    def estimate_throw(self, level: int, dice: int) -> float:
        """Return what the axe is worth; it may hit a little too high or too low."""
        hits = range(level - AXE_SPREAD, level + AXE_SPREAD + 1)
        values = [self.estimate_roll(fell(self.view.stalk, hit), dice) for hit in hits]
        return sum(values) / len(values)


@cache
def every_roll(dice: int) -> tuple[tuple[Faces, float], ...]:
    """Return every roll of this many dice with its odds. Of many dice, only the first MAX_DICE_FORESEEN count.

    >>> [(*faces, round(odds, 2)) for faces, odds in every_roll(1)]
    [('eye', 0.33), ('treasure', 0.33), ('extra', 0.17), ('trunk', 0.17)]
    """
    rolls = Counter(tuple(sorted(faces)) for faces in product(DIE_SIDES, repeat=min(dice, MAX_DICE_FORESEEN)))
    return tuple((faces, count / rolls.total()) for faces, count in rolls.items())


def own_seat(view: View) -> int:
    assert view.me is not None
    return view.me
