"""Inject faults while people play: python -m tools.proof.chaos [name of a fault …]

Afterwards every answered press must be in the log once, every question must have its letter, every digest must be valid
and no player may have lost time. CHAOS sets the number of tables, CHAOS_RATE the moves tried per second. HOSTS=2 cuts
cables between several machines instead.
"""

import json
import math
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path

import psycopg

from tools.proof import faults, host_faults, hosts
from tools.proof import stage as stages
from tools.proof.people import Crowd, Mailbag, read_message_id
from tools.proof.programs import TIMEOUT

TABLES = int(os.environ.get("CHAOS", "80"))
RATE = float(os.environ.get("CHAOS_RATE", "10"))
SECONDS_BETWEEN_FAULTS = 3  # seconds without a fault after each one
MAX_LULL = 30  # seconds: a periodic task sends letters left behind every twenty
LEAK = re.compile(rb"/[a-z]+/[\w.-]+:\w{6}:[\w-]{43}|[\w.-]+@players\.example")


def main() -> None:
    several = "HOSTS" in os.environ
    known = host_faults.FAULTS if several else faults.FAULTS
    names = sys.argv[1:] or [fault.__name__ for fault in known]
    chosen = [fault for fault in known if fault.__name__ in names]
    if len(chosen) < len(names):
        sys.exit(f"Choose faults from: {', '.join(fault.__name__ for fault in known)}")
    found, moves = try_several_hosts(chosen) if several else try_one_host(chosen)
    print(f"{len(chosen)} faults survived, {moves} moves accepted; lost, doubled or broken: {len(found)}.", flush=True)
    if found:
        sys.exit("\n".join(found))


def try_several_hosts(chosen: list[faults.Fault]) -> tuple[list[str], int]:
    if os.geteuid():
        print("Several hosts are LEFT OUT: they need root.")
        return [], 0
    if not host_faults.find_library():
        chosen.remove(host_faults.a_clock_is_ahead)
        print("The wrong clock is LEFT OUT: there is no libfaketime here. Try: apt-get install faketime")
    with hosts.open_hosts() as stage:
        return run_faults(stage, chosen, host_faults.MAX_PAUSE)


def try_one_host(chosen: list[faults.Fault]) -> tuple[list[str], int]:
    with faults.mount_small_disk() as disk:
        if disk is None:
            chosen = [fault for fault in chosen if fault not in faults.FULL_DISKS]
            print("The full disks are LEFT OUT: no small disk can be created here.")
        if not shutil.which("pgbouncer"):
            chosen = [fault for fault in chosen if fault is not faults.the_site_runs_behind_a_pooler]
            print("The pooler is LEFT OUT: there is no PgBouncer here. Try: apt-get install pgbouncer")
        with stages.open_stage(home=disk / "pg" if disk else None) as stage:
            return run_faults(stage, chosen)


def run_faults(stage: stages.Stage, chosen: list[faults.Fault], max_pause: float = math.inf) -> tuple[list[str], int]:
    """Return the problems found, and the number of accepted moves. A pause without a move may be a problem too."""
    found = []
    print(stage.run("-m", "tools.proof.tables", str(TABLES)).strip(), flush=True)
    with retry_quickly(stage), Crowd(stage.site, stage.letters, patient=True) as crowd:
        crowd.rate = RATE
        stage.let_people_move()  # each process has opened its connections and read its templates once
        arrivals = Arrivals(stage.letters)
        for fault in chosen:
            wait_for_a_move(crowd)
            before, troubles = len(crowd.diary.accepted), len(crowd.diary.troubles)
            began = time.monotonic()
            fault(stage)
            pause = find_longest_pause(began, crowd.diary.moved_at)
            if pause > max_pause:
                found.append(f"Stood still: nobody could move for {pause:.0f} seconds.")
            time.sleep(SECONDS_BETWEEN_FAULTS)
            moves, felt = len(crowd.diary.accepted) - before, len(crowd.diary.troubles) - troubles
            came = f"{moves:>4} moves meanwhile, felt {felt} times; {arrivals.second_time()} letters a second time"
            came += f"; longest pause {pause:.0f} s"
            print(f"  {describe_fault(fault):<34} {came}", flush=True)
        wait_until(lambda: is_healthy(stage), "The site does not come back.")
        wait_until(lambda: all(person.is_at_rest for person in crowd.people), "A player never got an answer.", crowd)
    send_all_letters(stage)
    return [*found, *find_problems(stage, crowd), *find_leaks(stage)], len(crowd.diary.accepted)


def find_longest_pause(began: float, moved_at: list[float]) -> float:
    """Return the most seconds between two moves since then."""
    times = [began, *(moment for moment in moved_at if moment > began), time.monotonic()]
    return max(later - earlier for earlier, later in pairwise(times))


class Arrivals:
    """The letters that have arrived, and those that arrived again."""

    def __init__(self, file: Path) -> None:
        self.bag = Mailbag(file)
        self.known: set[str] = set()

    def second_time(self) -> int:
        """Return how many letters arrived again since the last call."""
        came = [read_message_id(letter) for letter in self.bag.fresh()]
        again = len(self.known) + len(came) - len(self.known | set(came))
        self.known |= set(came)
        return again


def wait_for_a_move(crowd: Crowd) -> None:
    """Wait until people play: only then a fault matters. After some faults, letters wait for the periodic task."""
    before, end = len(crowd.diary.accepted), time.monotonic() + MAX_LULL
    while len(crowd.diary.accepted) == before and time.monotonic() < end:
        time.sleep(0.2)


@contextmanager
def retry_quickly(stage: stages.Stage) -> Iterator[None]:
    """Retry delayed letters after seconds, not minutes, so that people have something to answer."""
    enough = threading.Event()

    def push() -> None:
        while not enough.wait(2):
            with suppress(psycopg.Error), psycopg.connect(stage.database.url, autocommit=True) as database:
                database.execute("UPDATE post_letter SET due_at = now() WHERE state = 'retry' AND due_at > now()")

    thread = threading.Thread(target=push, daemon=True)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join()


def describe_fault(fault: faults.Fault) -> str:
    return fault.__name__.replace("_", " ")


def is_healthy(stage: stages.Stage) -> bool:
    return faults.is_database_back(stage) and stages.is_site_up(stage.site)


def wait_until(holds: object, complaint: str, crowd: Crowd | None = None) -> None:
    assert callable(holds)
    if crowd:
        crowd.slow_down(0)
    end = time.monotonic() + TIMEOUT
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(complaint)
        time.sleep(0.2)


def send_all_letters(stage: stages.Stage) -> None:
    """Let all due letters go. Those that a dead sender held or that wait for a retry need not wait for minutes here."""
    with stage.keeper.lock:
        for worker in stage.workers:
            worker.stop()
    with psycopg.connect(stage.database.url, autocommit=True) as database:
        database.execute("UPDATE post_letter SET due_at = now() WHERE state IN ('inflight', 'retry')")
        wait_until(lambda: database.execute(DUE).fetchone() == (0,), "Some letters were never sent.")


DUE = (
    "SELECT count(*) FROM post_letter "
    "WHERE state IN ('inflight', 'retry') OR state = 'queued' AND due_at < now() - interval '1 second'"
)


def find_problems(stage: stages.Stage, crowd: Crowd) -> list[str]:
    diary, letters = crowd.diary, list(Mailbag(stage.letters).fresh())
    came = [read_message_id(letter) for letter in letters]
    print(f"  {len(came)} letters came, {len(came) - len(set(came))} of them a second time.")
    file = stage.home / "presses.json"
    values = {"accepted": diary.accepted, "perhaps": diary.pressed_before, "letters": str(stage.letters)}
    file.write_text(json.dumps(values))
    found = stage.run("-m", "tools.proof.verdict", str(file)).split("\n")
    return [line for line in found if line] + find_differing_letters(letters, came)


def find_differing_letters(letters: list[bytes], came: list[str]) -> list[str]:
    """Return letters that arrived twice with different bytes."""
    first: dict[str, bytes] = {}
    return [
        f"Changed: letter {name} came twice and was not the same."
        for name, letter in zip(came, letters, strict=True)
        if first.setdefault(name, letter) != letter
    ]


def find_leaks(stage: stages.Stage) -> list[str]:
    """Return tickets and addresses of players in the logs: no error may leak them."""
    return [
        f"Told: {file.name} holds {match[0].decode()}"
        for file in stage.home.glob("*.log")
        for match in LEAK.finditer(file.read_bytes())
    ]


if __name__ == "__main__":
    main()
