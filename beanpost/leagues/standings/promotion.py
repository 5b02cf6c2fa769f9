"""Promotion and relegation: the people who move between two divisions. Arithmetic alone, without the database."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def find_movement(n: int, rows: int, up: int, down: int) -> str:
    """Return whether a row goes up or down. In a small division the same row must not go both ways."""
    if n < min(up, rows // 2):
        return "up"
    return "down" if n >= rows - min(down, rows - rows // 2) else ""


def count_crossing(above: int, below: int, moving: int) -> int:
    """Return how many cross the border of two divisions of these sizes: at most half of either."""
    return min(moving, above // 2, below // 2)


def build_next_divisions(
    divisions: Sequence[Sequence[int]], *, moving: int, idle: Collection[int] = ()
) -> list[list[int]]:
    """Return the next season's divisions: `moving` people change places at each border.

    Nobody enters or leaves an `idle` division: nothing was played there.

    >>> build_next_divisions([[1, 2, 3], [4, 5, 6]], moving=1)
    [[1, 2, 4], [3, 5, 6]]
    """
    after = [list(rows) for rows in divisions]
    for upper in range(len(divisions) - 1):
        above, below = (0 if n in idle else len(divisions[n]) for n in (upper, upper + 1))
        count = count_crossing(above, below, moving)
        down, up = list(divisions[upper][-count:]) if count else [], list(divisions[upper + 1][:count])
        after[upper] = [who for who in after[upper] if who not in down] + up
        after[upper + 1] = down + [who for who in after[upper + 1] if who not in up]
    return after
