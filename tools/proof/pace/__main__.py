"""Measure how long matches take by post: python -m tools.proof.pace [part of a game's name …]

PACE sets the number of seeds; with PACE=1 each game is played once, at one number of seats, as in CI. PLANS sets the
number of paired games that compare planners with bots, TRADES that of games in which bots judge the trades that
Bohnanza suggests. A missed goal is printed; a match that does not end fails.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

import games
from tools.proof.pace import workers
from tools.proof.pace.goals import IN_CI, OTHER_SEATS, WITH_GOALS, Figures, Kind
from tools.proof.pace.trades import GOALS, measure_trades

SEEDS = int(os.environ.get("PACE", "30"))
PAIRS = int(os.environ.get("PLANS", "4000" if SEEDS > 1 else "20"))
TRADES = int(os.environ.get("TRADES", "200" if SEEDS > 1 else "4"))
PROCESSES = 2
MODELS = ("plain", "by reply", "planner", "evening", "two of four")
ONE_EVENING = 2 / 24  # days
ROUGHLY = 0.25  # published days that differ by more are printed
LOSS = -3.0  # points of a hundred: planners who lose more had better not plan
HOUSE = {
    "DJANGO_SETTINGS_MODULE": "beanpost.settings",
    "SECRET_KEY": "pace",
    "SITE_URL": "http://testserver",
    "EMAIL_URL": "dummymail://",
    "LOG_LEVEL": "ERROR",
    "DATABASE_URL": "sqlite:///never-opened.sqlite3",  # the test database is in memory
}


def main() -> None:
    kinds = IN_CI if SEEDS == 1 else WITH_GOALS + OTHER_SEATS
    wanted = [kind for kind in kinds if not sys.argv[1:] or any(part in str(kind) for part in sys.argv[1:])]
    os.environ.update(HOUSE)
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), initializer=workers.set_up) as pool:
        rows = [(kind, model, submit_matches(pool, kind, model)) for kind, model in list_tables(wanted)]
        plans = [(kind, pool.submit(workers.measure_strength, kind, PAIRS)) for kind in wanted if kind.days]
        trades = pool.submit(measure_trades, TRADES) if any(kind.game == "bohnanza" for kind in wanted) else None
        print(f"Whole matches, {SEEDS} of each kind. Letters and presses are those of one player.")
        print("Acknowledgements of replies are counted among the letters, and by themselves.")
        columns = f"{'stops':>6} {'letters':>8} {'acknowl.':>8} {'presses':>8}"
        print(f"{'':<30} {'model':<12} {'days':>6} {'90 %':>6} {columns}  goals")
        for kind, model, matches in rows:
            print(format_figures(kind, model, [match.result() for match in matches]), flush=True)
        print(f"Planners against the same bots without plans, {PAIRS:,} pairs of games: wins, in points of a hundred.")
        for kind, found in plans:
            print(format_strength(kind, found.result()), flush=True)
        if trades:
            print(f"Trades that Bohnanza suggests when a market opens, in {TRADES} games of four bots.")
            print(format_trades(trades.result()))


def list_tables(kinds: Sequence[Kind]) -> Iterator[tuple[Kind, str]]:
    for kind in kinds:
        for model in MODELS:
            if model == "by reply" and kind.days is None:
                continue
            if model != "two of four" or (kind.seats == 4 and SEEDS > 1):
                yield kind, model


def submit_matches(pool: ProcessPoolExecutor, kind: Kind, model: str) -> list[Future[Figures]]:
    return [pool.submit(workers.play_match, kind, model, seed) for seed in range(SEEDS)]


# ── what is printed ──


def format_figures(kind: Kind, model: str, played: Sequence[Figures]) -> str:
    days = sorted(figures.days for figures in played)
    stops, letters, told, presses = (
        statistics.median(getattr(figures, name) for figures in played)
        for name in ("stops", "letters", "told", "presses")
    )
    median, ninth = statistics.median(days), days[min(len(days) - 1, len(days) * 9 // 10)]
    counts = f"{stops:>6.0f} {letters:>8.1f} {told:>8.1f} {presses:>8.1f}"
    row = f"{kind!s:<30} {model:<12} {median:>6.2f} {ninth:>6.2f} {counts}"
    goals, published = compare_with_goals(kind, model, median, letters), compare_with_published(kind, model, median)
    return f"{row}  {goals} {published}".rstrip()


def compare_with_goals(kind: Kind, model: str, days: float, letters: float) -> str:
    """Return which goals the median match meets: planners' in days and letters, evenings' in one evening."""
    if model == "planner" and kind.days is not None and kind.letters is not None:
        return f"{format_verdict(days, kind.days)} days, {format_verdict(letters, kind.letters)} letters"
    if model == "evening" and kind.in_one_evening:
        return f"{'meets' if days <= ONE_EVENING else 'misses'} one evening"
    return ""


def compare_with_published(kind: Kind, model: str, days: float) -> str:
    """Return what pages and invitations say, if that is not what was measured."""
    known = games.get(kind.game).durations.get((kind.variant, kind.seats))
    published = {"planner": known.planned, "plain": known.plain}.get(model) if known else None
    if published is None or abs(days - published) <= max(1, published * ROUGHLY):
        return ""
    return f"(published: {published:g} days)"


def format_verdict(value: float, at_most: float) -> str:
    return f"{'meets' if value <= at_most else 'misses'} ≤ {at_most:g}"


def format_strength(kind: Kind, found: tuple[float, float] | None) -> str:
    if found is None:
        return f"{kind!s:<30} has no standing orders"
    mean, least = found
    return f"{kind!s:<30} {mean:>+6.1f}, at least {least:>+6.1f}  {'meets' if least > LOSS else 'misses'} > {LOSS:g}"


def format_trades(found: Sequence[float]) -> str:
    """Return how many suggestions bots accept, how often there is one, and what the proposer keeps of the gain."""
    about = ("accepted by a bot", "shown where a bot would offer", "of the gain kept by the proposer")
    rows = zip(found, about, GOALS, strict=True)
    return "\n".join(f"{share:>6.0%} {what}: {format_least(share, goal)}" for share, what, goal in rows)


def format_least(value: float, at_least: float) -> str:
    return f"{'meets' if value >= at_least else 'misses'} ≥ {at_least:.0%}"


if __name__ == "__main__":
    main()
