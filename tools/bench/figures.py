"""Print figures, and scale the amount of work behind them (BENCH_EFFORT, 1 by default)."""

import os


def scale_effort(usual: int, *, at_least: int = 1) -> int:
    """Return a number of rounds, scaled by BENCH_EFFORT."""
    return max(at_least, round(usual * float(os.environ.get("BENCH_EFFORT", "1"))))


def print_figure(
    what: str, value: float, unit: str, *, at_least: float | None = None, at_most: float | None = None
) -> None:
    """Print one figure on a line and, if it has a goal, whether it meets it. A slow figure never fails the run."""
    goal = ""
    if at_least is not None:
        goal = f"{'meets' if value >= at_least else 'misses'} ≥ {at_least:,g}"
    if at_most is not None:
        goal = f"{'meets' if value <= at_most else 'misses'} ≤ {at_most:,g}"
    print(f"  {what:<58} {value:>12,.2f} {unit:<9} {goal}".rstrip(), flush=True)
