"""Processor time of a whole turn, for web, worker and database.

    open the letter's link (GET) · press the move (POST) · see the result (GET) · compose and send what follows

The same turn is measured in a plain Django project (plain_turn.py) and, if BENCH_AGAINST names a checkout of an
earlier version, there too. The sides alternate, so that all run under the same load.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
LINK = re.compile(r"http://testserver(/m(?:ove)?/\S+)")  # /m/ in earlier versions
WARM_UP = 20  # uncounted turns: templates compile, caches fill
ROUNDS = 3
TICKS = os.sysconf("SC_CLK_TCK")  # per second, in /proc
Turn = list[tuple[str, Callable[[], object]]]  # the steps of a turn, each with the part of the cost it counts to


@dataclass
class Cost:
    """Milliseconds of processor time for one turn."""

    pages: float  # two of them: the move's and the result's
    press: float
    worker: float
    database: float

    @property
    def web(self) -> float:
        return self.pages + self.press

    @property
    def total(self) -> float:
        return self.web + self.worker + self.database


def main() -> None:
    from tools.bench.figures import scale_effort  # noqa: PLC0415 (not in the process that is measured)
    from tools.bench.moves import SETTINGS  # noqa: PLC0415
    from tools.proof.sink import start_sink  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder, start_sink() as port:
        databases = {"SQLite": f"sqlite:///{folder}/turn.sqlite3", "PostgreSQL": os.environ.get("BENCH_POSTGRES", "")}
        for name, url in databases.items():
            if not url:
                print(f"  {name}: left out, no server was found.", flush=True)
                continue
            environment = os.environ | SETTINGS | {"DATABASE_URL": url, "SINK": str(port), "FOLDER": folder}
            compare_sides(name, environment | {"TURNS": str(scale_effort(150, at_least=20))})


def compare_sides(name: str, environment: dict[str, str]) -> None:
    """Measure the sides alternately, and print the median of each."""
    from tools.bench.figures import print_figure, scale_effort  # noqa: PLC0415

    sides = {"this tree": ("beanpost", HERE.parents[1]), "plain Django": ("plain", HERE.parents[1])}
    if before := os.environ.get("BENCH_AGAINST"):
        sides["the tree before"] = ("beanpost", Path(before).resolve())
    costs: dict[str, list[Cost]] = {side: [] for side in sides}
    for _ in range(scale_effort(ROUNDS)):
        for side, (which, root) in sides.items():
            costs[side].append(measure_in(root, which, environment))
    usual = {side: sorted(found, key=lambda cost: cost.total)[len(found) // 2] for side, found in costs.items()}
    for side, cost in usual.items():
        for part in ("web", "pages", "press", "worker", "database"):
            print_figure(f"{name}: a turn in {side}, {part}", getattr(cost, part), "ms")
        print_figure(f"{name}: a turn in {side}", cost.total, "ms")
    ours = usual["this tree"]
    if before:
        earlier = usual["the tree before"]
        print_figure(f"{name}: this tree against the tree before", ours.total / earlier.total, "", at_most=0.85)
        print_figure(f"{name}: its pages against the tree before", ours.pages / earlier.pages, "", at_most=0.8)
        print_figure(f"{name}: its press of a move against the tree before", ours.press / earlier.press, "", at_most=3)
        print_figure(f"{name}: its letters against the tree before", ours.worker / earlier.worker, "", at_most=1.2)
    print_figure(f"{name}: this tree against plain Django", ours.total / usual["plain Django"].total, "", at_most=2)


def measure_in(root: Path, which: str, environment: dict[str, str]) -> Cost:
    """Measure one side in a process of its own. This file also measures an earlier tree."""
    command = [sys.executable, "-P", str(HERE / "turn.py"), which]
    done = subprocess.run(
        command, check=True, cwd=root, env=environment | {"PYTHONPATH": str(root)}, stdout=subprocess.PIPE, text=True
    )
    return Cost(**json.loads(done.stdout.splitlines()[-1]))


# ── one side ──


def measure(turns: Iterator[Turn], database: Callable[[], float]) -> Cost:
    """Play turns step by step: the work of the web process, and that of the worker."""
    count = int(os.environ["TURNS"])
    seconds: dict[str, float] = defaultdict(float)
    began = 0.0
    for number in range(WARM_UP + count):
        if number == WARM_UP:
            seconds.clear()
            began = database()
        for part, step in next(turns):
            start = time.process_time()
            step()
            seconds[part] += time.process_time() - start
    spent = [seconds[part] for part in ("pages", "press", "worker")]
    return Cost(*(each * 1_000 / count for each in (*spent, database() - began)))


def read_database_seconds() -> float:
    """Return the processor time of our PostgreSQL backend; 0 for SQLite, which runs in this process."""
    from django.db import connection  # noqa: PLC0415

    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / TICKS


def beanpost() -> Cost:
    import django  # noqa: PLC0415

    django.setup()
    from django.conf import settings  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    connection.settings_dict["TEST"]["NAME"] = name_test_database("beanpost")
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", int(os.environ["SINK"])
    name = connection.creation.create_test_db(verbosity=0, serialize=False)
    try:
        return measure(play_beanpost_turns(), read_database_seconds)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def name_test_database(side: str) -> str:
    if os.environ["DATABASE_URL"].startswith("sqlite"):
        return f"{os.environ['FOLDER']}/{side}-{os.getpid()}.sqlite3"
    return f"turn_{side}_{os.getpid()}"


def play_beanpost_turns() -> Iterator[Turn]:
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415

    from django.test import Client  # noqa: PLC0415

    from beanpost.post.models import Letter  # noqa: PLC0415
    from beanpost.post.tasks import deliver  # noqa: PLC0415
    from tests.friends import seat_friends  # noqa: PLC0415

    client, seen = Client(), 0
    now = datetime.now(UTC)
    for n in range(40):  # each table on a day of its own: invitations have a daily limit
        seat_friends(variant="basic", seats=4, secret=n.to_bytes(32, "big"), now=now - timedelta(days=40 - n))
    deliver()

    def open_page(link: str) -> None:
        assert client.get(link).status_code == 200

    def press(link: str) -> None:
        pressed = client.post(link)
        assert pressed.status_code == 303, pressed.status_code
        results.append(pressed["Location"])

    def open_result() -> None:
        open_page(results.pop())

    results: list[str] = []
    waiting: list[str] = []
    while True:
        for letter in Letter.objects.filter(kind="turn", state="sent", pk__gt=seen).order_by("pk"):
            seen = letter.pk
            waiting.append(LINK.findall(letter.text)[0])
        link = waiting.pop(0)
        yield [
            ("pages", partial(open_page, link)),
            ("press", partial(press, link)),
            ("pages", open_result),
            ("worker", deliver),
        ]


def plain() -> Cost:
    from tools.bench import plain_turn  # noqa: PLC0415 (it configures Django itself)

    with plain_turn.open_site(name_test_database("plain"), int(os.environ["SINK"])):
        return measure(plain_turn.play_turns(), read_database_seconds)


if __name__ == "__main__":
    if sys.argv[1:]:
        cost = {"beanpost": beanpost, "plain": plain}[sys.argv[1]]()
        print(json.dumps(asdict(cost)))
    else:
        main()
