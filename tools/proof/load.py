"""Measure the load that an installation bears: python -m tools.proof.load

People play matches of all games through nginx, gunicorn and the workers, at rising rates until one is not held. The
same run measures the bare limits of the same servers: a view that checks a signature and inserts a row, and a loop that
sends ready letters. LOAD sets the number of tables, LOAD_SECONDS the duration of each rate.
"""

import os
import smtplib
import sys
import threading
import time
from collections.abc import Sequence

from tools.bench.figures import print_figure
from tools.proof import presses
from tools.proof import stage as stages
from tools.proof.people import Browser, Crowd, Mailbag, find_links
from tools.proof.presses import find_percentile, start_bare_server
from tools.proof.programs import TIMEOUT

TABLES = int(os.environ.get("LOAD", "150"))
SECONDS = float(os.environ.get("LOAD_SECONDS", "8"))
RATES = (5, 10, 20, 30, 40, 60, 80, 120, 160, 240)
PEOPLE = 12


def main() -> None:
    with stages.open_stage(log_level="WARNING") as stage:
        print(*stage.left_out, sep="\n", flush=True)
        print(stage.run("-m", "tools.proof.tables", str(TABLES)).strip(), flush=True)
        with Crowd(stage.site, stage.letters, hands=PEOPLE) as crowd:
            crowd.rate = 0
            wait_for_the_first_letters(crowd)
            print("  Warming up: every process reads its templates and opens its connections once.", flush=True)
            measure_rate(crowd, RATES[0])
            held = raise_rate(crowd)
            most, _ = measure_rate(crowd, None)
            wait_for_the_last_letters(crowd)
        presses.compare_presses(stage, crowd.ready)
        letters = list(Mailbag(stage.letters).fresh())
        turns = [letter for letter in letters if find_links(letter)]
        view = measure_bare_view(stage, find_links(turns[0])[0])
        post = measure_bare_post(stage, turns[-1])
        errors = len(crowd.diary.troubles)
        print_figure("moves held", held, "moves/s")
        print_figure("moves as fast as it goes", most, "moves/s")
        print_figure("bare view: a signature checked, a row inserted", view, "posts/s")
        print_figure("bare loop: ready letters to the same mail server", post, "letters/s")
        print_figure("moves as fast as it goes, against the bare view", most / view, "")
        print_figure("errors", errors, "", at_most=0)
        print(" ", stage.manage("audit").strip())
    if errors:
        sys.exit(f"Requests failed: {sorted(set(crowd.diary.troubles))}")


def wait_for_the_first_letters(crowd: Crowd) -> None:
    end = time.monotonic() + TIMEOUT
    while len(crowd.known) < TABLES and time.monotonic() < end:
        time.sleep(0.2)


def wait_for_the_last_letters(crowd: Crowd) -> None:
    """Wait for questions to answer: a fast installation may have them all in letters that are still on their way."""
    end, came = time.monotonic() + TIMEOUT, -1
    while (not crowd.ready or came < crowd.bag.count) and time.monotonic() < end:
        came = crowd.bag.count
        time.sleep(1)


def raise_rate(crowd: Crowd) -> float:
    """Raise the rate until it is not held, and return the last rate that was."""
    held = 0.0
    for rate in RATES:
        moves, late = measure_rate(crowd, rate)
        if moves < 0.9 * rate or late > 1.0:
            break
        held = moves
    return held


def measure_rate(crowd: Crowd, rate: float | None) -> tuple[float, float]:
    """Return the moves per second at one rate, and the 99th percentile of a press in seconds."""
    crowd.slow_down(rate)
    diary = crowd.diary
    moves, shown, pressed, letters = len(diary.accepted), len(diary.shown), len(diary.pressed), crowd.bag.count
    visits = len(diary.visits)
    began = time.perf_counter()
    time.sleep(SECONDS)
    took = time.perf_counter() - began
    held = (len(diary.accepted) - moves) / took
    posts = diary.pressed[pressed:]
    name = f"{rate:,} moves/s wanted" if rate else "as fast as it goes"
    print(
        f"  {name:<22} {held:6.1f} moves/s  {(crowd.bag.count - letters) / took:6.1f} letters/s"
        f"  GET {format_times(diary.shown[shown:])}  POST {format_times(posts)}"
        f"  with its page {format_times(diary.visits[visits:])}",
        flush=True,
    )
    crowd.slow_down(0)
    return held, find_percentile(posts, 99)


def format_times(times: Sequence[float]) -> str:
    return "p50/p95/p99 " + "/".join(f"{1000 * find_percentile(times, part):.0f}" for part in (50, 95, 99)) + " ms"


def measure_bare_view(stage: stages.Stage, ticket: str) -> float:
    """Return the requests per second of the bare view, with as many visitors."""
    with start_bare_server(stage) as socket:
        visitors = [Visitor(socket, ticket) for _ in range(PEOPLE)]
        time.sleep(SECONDS)
        return sum(visitor.stop() for visitor in visitors) / SECONDS


class Visitor(threading.Thread):
    """Press the same link of the bare view again and again."""

    def __init__(self, socket: str, ticket: str) -> None:
        super().__init__(daemon=True)
        self.browser, self.path = Browser(socket), f"/move/{ticket}/"
        self.count = 0
        self.enough = threading.Event()
        self.start()

    def run(self) -> None:
        while not self.enough.is_set():
            self.browser.ask("POST", self.path)
            self.count += 1

    def stop(self) -> int:
        self.enough.set()
        self.join()
        return self.count


def measure_bare_post(stage: stages.Stage, letter: bytes) -> float:
    """Return the letters per second of a loop that sends one ready letter over one connection."""
    port = int(stage.env["EMAIL_URL"].rpartition(":")[2])
    sent, end = 0, time.perf_counter() + SECONDS
    with smtplib.SMTP("127.0.0.1", port) as line:
        while time.perf_counter() < end:
            line.sendmail("post@stage.example", ["bare@players.example"], letter)
            sent += 1
    return sent / SECONDS


if __name__ == "__main__":
    main()
