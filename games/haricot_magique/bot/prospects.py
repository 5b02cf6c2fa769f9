"""The bot's estimates of what a stack, a roll or a throw of the axe is worth, in bags of gold."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from games.haricot_magique.actions import Aimed, Faces
from games.haricot_magique.bot.risk import chance_to_stand, span
from games.haricot_magique.menus import MOST_ORDERS, arranged
from games.haricot_magique.stalk import FURTHEST_AIM, STEP, Element, Stalk, fell, settle, tokens_of
from games.haricot_magique.steps.dealing import SIDES, SPREAD
from games.haricot_magique.steps.gold import CASTLE_BONUS
from games.haricot_magique.steps.rolling import EYES_THAT_WAKE, NUMBERS, reserve
from games.haricot_magique.steps.stacking import pieces
from games.haricot_magique.view import View

HOPE = 0.35  # bags a token in the stalk may still bring its owner, if somebody else topples it
ENVY = 0.5  # the cost to me of a bag for each of the others
SHORT = 3  # in this many last rounds hopes fade
STEERING = (0.0, 0.3, 0.6, 1.0)  # how far to steer from the centre to where the stalk is steadiest
GLANCE, LOOK = 4, 16  # paths followed for a quick estimate, and for the stack itself
MOST_FORESEEN = 3  # the most dice whose every roll is considered


class Plan(NamedTuple):
    """A way to stack, and what it is worth."""

    worth: float
    dice: tuple[Aimed, ...]


def best_stack(view: View, stalk: Stalk, dice: Faces) -> Plan:
    """Return the best of all orders, each steered by several amounts."""
    orders = {unmarked(order): order for order in islice(arranged(dice), MOST_ORDERS)}
    plans = [plan(view, stalk, order, share, LOOK) for order in orders.values() for share in STEERING]
    return max(plans, key=lambda plan: plan.worth)


def unmarked(order: Faces) -> Faces:
    """Return an order with each extra as an eye: both carry nothing, so they stack alike."""
    return tuple("eye" if face == "extra" else face for face in order)


def plan(view: View, stalk: Stalk, order: Faces, share: float, paths: int) -> Plan:
    dice = steered(view, stalk, order, share)
    row = pieces(stalk, seat_of(view), dice)
    return Plan(worth(view, stalk, row, chance_to_stand(stalk, row, paths)), dice)


def steered(view: View, stalk: Stalk, order: Faces, share: float) -> tuple[Aimed, ...]:
    """Aim each die some way towards the middle of the span in which it stands, as if no hand trembled."""
    aims: list[int] = []
    for piece in pieces(stalk, seat_of(view), tuple(map(Aimed, order))):
        if piece.kind == "die":
            aims.append(towards(share * sum(span(stalk, "die")) / 2))
            piece = Element("die", STEP * aims[-1])
        stalk = (*stalk, settle(piece, stalk[-1], 0))
    aims += [0] * (len(order) - len(aims))  # dice the castle leaves unplaced
    return tuple(map(Aimed, order, aims))


def towards(x: float) -> int:
    return max(-FURTHEST_AIM, min(FURTHEST_AIM, round(x / STEP)))


def worth(view: View, stalk: Stalk, row: tuple[Element, ...], odds: float) -> float:
    """Return the bags to expect: mine if it stands, less those a fall would give to others."""
    me, others = seat_of(view), len(view.seats) - 1
    mine, placed = tokens_of(stalk, me), tokens_of(row, me)
    theirs = sum(element.owner is not None for element in stalk) - mine
    if row[-1].kind == "castle":
        gain = float(CASTLE_BONUS + mine + placed)
    else:
        gain = placed + HOPE * fading(view) * (mine + placed)
    return odds * gain - (1 - odds) * ENVY * theirs / others


def fading(view: View) -> float:
    """Return 1 at first, and less in the last rounds, when nobody may be left to topple the stalk."""
    return min(1.0, (view.rounds - view.round + 0.5) / SHORT)


# ── before the dice are rolled ───────────────────────────────────────────────────────────────────


class Foresight:
    """Estimates for one question, cached."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.eyes = int(view.seats[seat_of(view)].eye)
        self.known: dict[tuple[int, Faces], float] = {}

    def stack(self, stalk: Stalk, dice: Faces) -> float:
        """Return a quick estimate of what these dice are worth."""
        if dice.count("eye") + self.eyes >= EYES_THAT_WAKE:
            dice = tuple(face for face in dice if face == "eye")
        order = tuple(sorted(unmarked(dice), reverse=True))  # trunks and treasures first
        key = (len(stalk), order)
        if key not in self.known:
            self.known[key] = plan(self.view, stalk, order, 0.6, GLANCE).worth if order else 0.0
        return self.known[key]

    def roll(self, stalk: Stalk, dice: int, *, beside: Faces = ()) -> float:
        """Return what rolling this many dice is worth, beside those already rolled."""
        count = min(dice, reserve(stalk, beside))
        return sum(odds * self.stack(stalk, (*beside, *faces)) for faces, odds in every_roll(count))

    def turn(self) -> float:
        """Return what a turn without the axe is worth, with the best number on the card."""
        card = self.view.seats[seat_of(self.view)].card
        assert card is not None
        return max(self.roll(self.view.stalk, dice) for dice in NUMBERS[card])

    def throw(self, level: int, dice: int) -> float:
        """Return what the axe is worth; it may hit a little too high or too low."""
        hits = range(level - SPREAD, level + SPREAD + 1)
        values = [self.roll(fell(self.view.stalk, hit), dice) for hit in hits]
        return sum(values) / len(values)


@cache
def every_roll(dice: int) -> tuple[tuple[Faces, float], ...]:
    """Return every roll of this many dice with its odds. Of many dice, only the first MOST_FORESEEN count.

    >>> [(*faces, round(odds, 2)) for faces, odds in every_roll(1)]
    [('eye', 0.33), ('treasure', 0.33), ('extra', 0.17), ('trunk', 0.17)]
    """
    rolls = Counter(tuple(sorted(faces)) for faces in product(SIDES, repeat=min(dice, MOST_FORESEEN)))
    return tuple((faces, count / rolls.total()) for faces, count in rolls.items())


def seat_of(view: View) -> int:
    assert view.me is not None
    return view.me
