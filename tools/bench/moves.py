"""Cost of a move: at several lengths of the log, and from POST to rows, on both databases."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice

from tools.bench.figures import print_figure, scale_effort

MOVES = scale_effort(60, at_least=20)  # with fewer, the first moves, before anything is cached, would dominate
ROUNDS = scale_effort(5)
IN_TURN = scale_effort(200, at_least=25)
LENGTHS = (10, 100, 1_000)
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "beanpost.settings",
    "SECRET_KEY": "bench",
    "SITE_URL": "http://testserver",
    "EMAIL_URL": "dummymail://",
    "LOG_LEVEL": "ERROR",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_on_each_database("tools.bench.moves", folder)


def run_on_each_database(module: str, folder: str) -> None:
    """Run a module once for each database, in a process of its own."""
    databases = {"SQLite": f"sqlite:///{folder}/bench.sqlite3", "PostgreSQL": os.environ.get("BENCH_POSTGRES", "")}
    for name, url in databases.items():
        if url:
            surroundings = os.environ | SETTINGS | {"DATABASE_URL": url}
            subprocess.run([sys.executable, "-m", module, name], check=True, env=surroundings)
        else:
            print(f"  {name}: left out, no server was found.", flush=True)


def measure_on(name: str) -> None:
    """Measure everything on one database, which is created for it and removed afterwards."""
    from tools.bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with tempfile.TemporaryDirectory() as folder:
        fixtures.name_database(folder)
        with fixtures.open_database():
            measure(name)


def measure(name: str) -> None:
    from tools.bench import fixtures  # noqa: PLC0415

    costs = zip(
        *(fixtures.measure_cold_moves(fixtures.create_match_of_length(n)) for n in LENGTHS), strict=False
    )  # lengths alternate
    by_length = [statistics.median(took) for took in zip(*islice(costs, 25), strict=True)]
    for length, cost in zip(LENGTHS, by_length, strict=True):
        print_figure(f"{name}: a move at line {length:,}", cost * 1_000, "ms")
    print_figure(f"{name}: line 1,000 against line 10", by_length[2] / by_length[0], "", at_most=1.25)
    sides = (
        fixtures.prepare_bare_checks,
        fixtures.prepare_whole_moves,
        fixtures.prepare_shown_moves,
    )  # the tables shown last are cached
    bare, whole, shown = measure_in_turn(*(side(IN_TURN) for side in sides))
    print_figure(f"{name}: a signature checked and a row inserted", bare * 1_000, "ms")
    print_figure(f"{name}: a whole move in-process", whole * 1_000, "ms")
    print_figure(f"{name}: the same at a table just shown", shown * 1_000, "ms")
    inserts, posts = [], []
    for _ in range(ROUNDS):  # interleaved, so that both run under the same load
        inserts.append(measure_per_second(fixtures.prepare_bare_inserts(MOVES)))
        posts.append(measure_per_second(fixtures.prepare_posts(MOVES)))
    print_figure(f"{name}: bare inserts", statistics.median(inserts), "rows/s")
    print_figure(f"{name}: moves through the whole POST", statistics.median(posts), "moves/s")
    print_figure(f"{name}: moves against bare inserts", statistics.median(posts) / statistics.median(inserts), "")


def measure_in_turn(*sides: list[Callable[[], object]]) -> list[float]:
    """Return the median seconds of each side. The sides alternate, so that none keeps the CPU caches to itself."""
    took: list[list[float]] = [[] for _ in sides]
    for works in zip(*sides, strict=True):
        for work, times in zip(works, took, strict=True):
            began = time.perf_counter()
            work()
            times.append(time.perf_counter() - began)
    return [statistics.median(times) for times in took]


def measure_per_second(works: list[Callable[[], object]]) -> float:
    began = time.perf_counter()
    for work in works:
        work()
    return len(works) / (time.perf_counter() - began)


if __name__ == "__main__":
    measure_on(sys.argv[1]) if sys.argv[1:] else main()
