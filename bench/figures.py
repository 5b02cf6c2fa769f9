"""How figures are printed, and how much work goes into them (BENCH_EFFORT, 1 unless said otherwise)."""

import os


def effort(usual: int, *, at_least: int = 1) -> int:
    """So many rounds of something; a quick look takes fewer, a thorough one more."""
    return max(at_least, round(usual * float(os.environ.get("BENCH_EFFORT", "1"))))


def figure(what: str, value: float, unit: str, *, at_least: float | None = None, at_most: float | None = None) -> None:
    """One figure on one line; beside a goal, whether it meets it. Nothing fails for being slow."""
    goal = ""
    if at_least is not None:
        goal = f"{'meets' if value >= at_least else 'misses'} ≥ {at_least:,g}"
    if at_most is not None:
        goal = f"{'meets' if value <= at_most else 'misses'} ≤ {at_most:,g}"
    print(f"  {what:<58} {value:>12,.2f} {unit:<9} {goal}".rstrip(), flush=True)
