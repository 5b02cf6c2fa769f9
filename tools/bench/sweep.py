"""Cost of a sweep with ten thousand waits and with a million: the same, unless the index is not used."""

import statistics
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from tools.bench.figures import print_figure, scale_effort
from tools.bench.moves import run_on_each_database

if TYPE_CHECKING:
    from beanpost.play.models import Wait

WAITS = (10_000, scale_effort(1_000_000))
LOOKS = 41
LATER = {  # the deadline of the nth copy, n seconds later
    "sqlite": "datetime({}, '+' || n || ' seconds')",
    "postgresql": "{} + n * interval '1 second'",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_on_each_database("tools.bench.sweep", folder)


def measure_on(name: str) -> None:
    """Compare a database with few waits and one with many, in a process each; their sweeps alternate."""
    servers = [start_process(count) for count in WAITS]
    rounds = [[measure_sweep(server) for server in servers] for _ in range(LOOKS)]
    costs = [statistics.median(took) for took in zip(*rounds, strict=True)]
    for count, cost in zip(WAITS, costs, strict=True):
        print_figure(f"{name}: a sweep among {count:,} waits", cost * 1_000, "ms")
    print_figure(f"{name}: {WAITS[1]:,} waits against {WAITS[0]:,}", costs[1] / costs[0], "times", at_most=1.3)
    for server in servers:
        server.communicate()


def start_process(count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tools.bench.sweep", "among", str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def measure_sweep(server: "subprocess.Popen[str]") -> float:
    assert server.stdin
    assert server.stdout
    print(file=server.stdin)
    return float(server.stdout.readline())


def serve_sweeps(count: int) -> None:
    """For every line on stdin, print the seconds of a sweep among `count` waits, none of which is due."""
    from tools.bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with tempfile.TemporaryDirectory() as folder:
        fixtures.name_database(folder, name=f"among_{count}")
        with fixtures.open_database():
            create_waits(count)
            for n, _ in enumerate(sys.stdin):
                began = time.perf_counter()
                fixtures.sweep(n)
                print(time.perf_counter() - began, flush=True)


def create_waits(count: int) -> None:
    """Insert waits that are due much later, at matches that consist of nothing but a row."""
    from django.db import connection  # noqa: PLC0415

    from beanpost.play.models import Match, Wait  # noqa: PLC0415
    from tests.copies import multiply  # noqa: PLC0415
    from tools.bench.fixtures import analyze_tables  # noqa: PLC0415

    wait = Wait.objects.order_by("pk").first() or create_first_wait()
    have, last = Wait.objects.count(), Match.objects.order_by("pk").last()
    assert last is not None
    later = LATER[connection.vendor]
    multiply(wait.match, count - have, code=f"'bench-' || ({have} + n)")
    multiply(
        wait, count - have, match=f"{last.pk} + n", due_at=later.format("due_at"), remind_at=later.format("remind_at")
    )  # fmt: skip
    analyze_tables()


def create_first_wait() -> "Wait":
    """Create the wait that all others are copied from, due in a year."""
    from beanpost.play.models import Wait  # noqa: PLC0415
    from tests.friends import seat_friends  # noqa: PLC0415
    from tools.bench.fixtures import NOW  # noqa: PLC0415

    seat_friends(now=NOW)
    Wait.objects.update(due_at=NOW + timedelta(days=366), remind_at=NOW + timedelta(days=365))
    return Wait.objects.get()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["among", count]:
            serve_sweeps(int(count))
        case [name]:
            measure_on(name)
        case _:
            main()
