"""How likely a stack is to stand, computed from public facts.

The next element stands if its centre falls within one span, and the distribution of the sway is known, so the odds of
one element are exact. A row of elements is estimated along a few dozen paths, spread evenly over all possible sways;
each path counts with the exact odds of its steps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from games.haricot_magique.stalk import HALF_WIDTH, MASS, THROWS, Element, Stalk, joints, settle, sway_width

PATHS = 64
BEYOND_ANY_MOMENT = 10**9  # larger than any moment
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def chance_to_stand(stalk: Stalk, pieces: Sequence[Element], paths: int = PATHS) -> float:
    """Return the odds that all the pieces stand.

    >>> from games.haricot_magique.stalk import BARE
    >>> chance_to_stand(BARE, (Element("die"),))
    1.0
    >>> tall = BARE + tuple(Element("die", x) for x in (20, 40, 60, 40, 20))
    >>> round(chance_to_stand(tall, (Element("die"), Element("token", owner=0))), 2)
    0.99
    """
    grown = [(stalk[-1:], 1.0)] * (paths if len(pieces) > 1 else 1)
    added = 0
    for nth, piece in enumerate(pieces):
        added += MASS[piece.kind]
        moments, width = bearable_moments(stalk, added), sway_width(len(stalk) + nth)
        grown = [
            extend_path(top, odds, piece, moments, width, hammersley_point(n, nth, paths))
            for n, (top, odds) in enumerate(grown)
        ]
    return sum(odds for _, odds in grown) / len(grown)


def bearable_moments(stalk: Stalk, added: int) -> tuple[int, int]:
    """Return the range of moments with which this much more mass keeps every joint of the stalk: the same for all
    paths.

    >>> bearable_moments((Element("die"), Element("die", 60)), MASS["die"])
    (-800, 800)
    """
    low, high = -BEYOND_ANY_MOMENT, BEYOND_ANY_MOMENT
    for joint in joints(stalk):
        low = max(low, joint.left * (joint.mass + added) - joint.moment)
        high = min(high, joint.right * (joint.mass + added) - joint.moment)
    return low, high


def extend_path(
    top: Stalk, odds: float, piece: Element, moments: tuple[int, int], width: int, quantile: float
) -> tuple[Stalk, float]:
    """Extend one path by a piece: place it where it stands, and multiply the odds. `top` begins with the uppermost
    element that already stood.
    """
    if not odds:
        return top, odds
    below, mass = top[-1], MASS[piece.kind]
    moment = sum(MASS[placed.kind] * placed.x for placed in top[1:])
    aim = settle(piece, below, 0).x
    low, high = standing_range(top, piece.kind)
    low, high = max(low, (moments[0] - moment) // mass + 1), min(high, (moments[1] - moment - 1) // mass)
    start, end = odds_at_most(width, low - aim - 1), odds_at_most(width, high - aim)
    if start >= end:
        return top, 0.0
    sway = sway_at_odds(width, start + quantile * (end - start))
    return (*top, settle(piece, below, sway)), odds * (end - start)


def standing_range(stalk: Stalk, kind: str) -> tuple[int, int]:
    """Return the range in which the centre of the next element must lie for the stalk to stand.

    >>> standing_range((Element("die"),), "die")
    (-79, 79)
    >>> standing_range((Element("die"), Element("die", 60)), "die")  # the two upper ones may weigh at 79.5 at most
    (-19, 99)
    """
    added = MASS[kind]
    upper, mass, moment = stalk[-1], added, 0  # everything above a joint, without the new element's own moment
    x, half = upper.x, HALF_WIDTH[upper.kind]
    low, high = x - half + 1, x + half - 1
    for lower in stalk[-2::-1]:
        mass += MASS[upper.kind]
        moment += MASS[upper.kind] * x
        lower_x, lower_half = lower.x, HALF_WIDTH[lower.kind]
        low = max(low, (max(lower_x - lower_half, x - half) * mass - moment) // added + 1)
        high = min(high, (min(lower_x + lower_half, x + half) * mass - moment - 1) // added)
        upper, x, half = lower, lower_x, lower_half
    return low, high


@cache
def hammersley_point(path: int, nth: int, paths: int) -> float:
    """Return where in its range a path's nth step goes: Hammersley points, spread evenly in all dimensions.

    >>> [hammersley_point(n, 1, 4) for n in range(4)]
    [0.125, 0.625, 0.375, 0.875]
    """
    if nth == 0:
        return (path + 0.5) / paths
    prime = PRIMES[(nth - 1) % len(PRIMES)]
    mirrored, digit = 0.0, 1.0
    while path:
        digit /= prime
        path, rest = divmod(path, prime)
        mirrored += rest * digit
    return (mirrored + 0.5 / paths) % 1


# ── the trembling hand ───────────────────────────────────────────────────────────────────────────


@cache
def sway_distribution(width: int) -> tuple[float, ...]:
    """Return the odds of a sway of at most −4 × width, −4 × width + 1, …, 4 × width."""
    ways = [1]
    for _ in range(THROWS):
        sums = [0, *accumulate(ways)]
        last = len(ways)
        ways = [sums[min(n + 1, last)] - sums[max(0, n - 2 * width)] for n in range(last + 2 * width)]
    total = sum(ways)
    return tuple(count / total for count in accumulate(ways))


def odds_at_most(width: int, sway: int) -> float:
    """Return the odds of a sway no further right than this.

    >>> odds_at_most(12, -49), odds_at_most(12, 48), round(odds_at_most(12, 0), 3)
    (0.0, 1.0, 0.513)
    """
    most = THROWS * width
    return 0.0 if sway < -most else sway_distribution(width)[min(sway, most) + most]


def sway_at_odds(width: int, odds: float) -> int:
    """Reverse `odds_at_most`: return the sway reached with these odds."""
    return min(bisect_right(sway_distribution(width), odds), 2 * THROWS * width) - THROWS * width
