"""What a look at the clock costs, among ten thousand waits and among a million: the same, or the index is not used."""

import statistics
import sys
import tempfile
import time
from datetime import timedelta

from bench.figures import effort, figure
from bench.moves import on_each_database

WAITS = (10_000, effort(1_000_000))
LOOKS = 15
CHUNK = 5_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        on_each_database("bench.sweep", folder)


def on(name: str) -> None:
    """All figures on one database, which is made for it and removed afterwards."""
    from bench import house  # noqa: PLC0415 (needs the database to be named)

    with house.opened():
        costs = []
        for count in WAITS:
            fill_up(count)
            costs.append(statistics.median(looks()))
            figure(f"{name}: a sweep among {count:,} waits", costs[-1] * 1_000, "ms")
        figure(f"{name}: {WAITS[1]:,} waits against {WAITS[0]:,}", costs[1] / costs[0], "", at_most=2)


def fill_up(count: int) -> None:
    """So many questions that are open for long, at matches that are nothing but rows; all but a few not due yet."""
    from beanpost.play.models import Match, Wait  # noqa: PLC0415
    from beanpost.players import book  # noqa: PLC0415
    from bench.house import NOW  # noqa: PLC0415

    keeper = book.welcome("keeper@example.org", now=NOW)
    plain = {"game": "haricots", "edition": 1, "variant": "sprint", "seats": 3, "allowance": timedelta(days=1)}
    have = Wait.objects.count()
    for start in range(have, count, CHUNK):
        numbers = range(start, min(start + CHUNK, count))
        matches = Match.objects.bulk_create(
            Match(code=f"bench-{n}", keeper=keeper, opened_at=NOW, phase="running", **plain) for n in numbers
        )
        Wait.objects.bulk_create(
            Wait(
                match=match, seat=0, about="round 1 turn 1", opened=2, asked_at=NOW, since=NOW,
                due_at=NOW + timedelta(days=1, seconds=match.pk), remind_at=NOW + timedelta(hours=20, seconds=match.pk),
            )
            for match in matches
        )  # fmt: skip


def looks() -> list[float]:
    """What each of some sweeps takes in which nothing is due."""
    from beanpost.play import sweeping  # noqa: PLC0415
    from bench.house import NOW  # noqa: PLC0415

    took = []
    for n in range(LOOKS):
        began = time.perf_counter()
        sweeping.sweep(NOW + timedelta(seconds=30 * n))
        took.append(time.perf_counter() - began)
    return took


if __name__ == "__main__":
    on(sys.argv[1]) if sys.argv[1:] else main()
