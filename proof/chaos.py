"""Faults of every kind while people play: python -m proof.chaos [name of a fault …]

Afterwards every press that was answered must stand in the log once, every question must have its letter, no digest may
be broken and nobody may have lost time. CHAOS says how many tables, CHAOS_RATE how many moves a second are tried.
"""

import email
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from proof import faults
from proof import stage as stages
from proof.people import Crowd, Mailbag
from proof.programs import PATIENCE

TABLES = int(os.environ.get("CHAOS", "80"))
RATE = float(os.environ.get("CHAOS_RATE", "10"))
BETWEEN = 3  # seconds of peace after each fault
LONGEST_LULL = 30  # seconds: the clock calls for letters left behind every twenty
LEAK = re.compile(rb"/[a-z]+/[\w.-]+:\w{6}:[\w-]{43}|[\w.-]+@players\.example")
DISK = "500m"


def main() -> None:
    chosen = [fault for fault in faults.FAULTS if not sys.argv[1:] or fault.__name__ in sys.argv[1:]]
    with small_disk() as disk:
        if disk is None:
            chosen = [fault for fault in chosen if fault is not faults.the_disk_is_full]
            print("The full disk is LEFT OUT: no small disk can be made here.")
        with stages.opened(home=disk) as stage:
            found, moves = put_to_the_test(stage, chosen)
    print(f"{len(chosen)} faults survived, {moves} moves accepted; lost, doubled or broken: {len(found)}.", flush=True)
    if found:
        sys.exit("\n".join(found))


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """A disk of its own for the database, where we may make one."""
    with tempfile.TemporaryDirectory(prefix="disk", dir="/tmp") as place:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", place]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            yield None
            return
        try:
            yield Path(place) / "pg"
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)


def put_to_the_test(stage: stages.Stage, chosen: list[faults.Fault]) -> tuple[list[str], int]:
    """What was found, and how many moves were accepted."""
    print(stage.run("-m", "proof.tables", str(TABLES)).strip(), flush=True)
    with hurry(stage), Crowd(stage.site, stage.letters, patient=True) as crowd:
        crowd.rate = RATE
        time.sleep(BETWEEN)
        arrivals = Arrivals(stage.letters)
        for fault in chosen:
            wait_for_a_move(crowd)
            before, troubles = len(crowd.diary.accepted), len(crowd.diary.troubles)
            fault(stage)
            time.sleep(BETWEEN)
            moves, felt = len(crowd.diary.accepted) - before, len(crowd.diary.troubles) - troubles
            came = f"{moves:>4} moves meanwhile, felt {felt} times; {arrivals.second_time()} letters a second time"
            print(f"  {said(fault):<34} {came}", flush=True)
        wait_until(lambda: is_well(stage), "The house does not come back.")
        wait_until(lambda: all(person.is_at_rest for person in crowd.people), "Somebody never got an answer.", crowd)
    settle(stage)
    return [*verdict(stage, crowd), *leaks(stage)], len(crowd.diary.accepted)


class Arrivals:
    """Which letters have come, and come again."""

    def __init__(self, file: Path) -> None:
        self.bag = Mailbag(file)
        self.known: set[str] = set()

    def second_time(self) -> int:
        """How many came since it was asked last that had come before."""
        came = [name_of(letter) for letter in self.bag.fresh()]
        again = len(self.known) + len(came) - len(self.known | set(came))
        self.known |= set(came)
        return again


def name_of(letter: bytes) -> str:
    return str(email.message_from_bytes(letter)["Message-ID"]).strip("<> \n")


def wait_for_a_move(crowd: Crowd) -> None:
    """A fault tells while people play. After some of them letters wait for the clock, and people for letters."""
    before, end = len(crowd.diary.accepted), time.monotonic() + LONGEST_LULL
    while len(crowd.diary.accepted) == before and time.monotonic() < end:
        time.sleep(0.2)


@contextmanager
def hurry(stage: stages.Stage) -> Iterator[None]:
    """Letters that were put off for minutes are tried again after seconds, so that people have something to answer."""
    enough = threading.Event()

    def push() -> None:
        while not enough.wait(2):
            with suppress(psycopg.OperationalError), psycopg.connect(stage.database.url, autocommit=True) as database:
                database.execute("UPDATE post_letter SET due_at = now() WHERE state = 'retry' AND due_at > now()")

    thread = threading.Thread(target=push, daemon=True)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join()


def said(fault: faults.Fault) -> str:
    return fault.__name__.replace("_", " ")


def is_well(stage: stages.Stage) -> bool:
    return faults.is_back(stage) and stages.is_open(stage.site)


def wait_until(holds: object, complaint: str, crowd: Crowd | None = None) -> None:
    assert callable(holds)
    if crowd:
        crowd.slow_down(0)
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(complaint)
        time.sleep(0.2)


def settle(stage: stages.Stage) -> None:
    """Let all letters go that are due. What a dead sender held, or was put off, need not wait for minutes here."""
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


def verdict(stage: stages.Stage, crowd: Crowd) -> list[str]:
    diary, letters = crowd.diary, list(Mailbag(stage.letters).fresh())
    came = [name_of(letter) for letter in letters]
    print(f"  {len(came)} letters came, {len(came) - len(set(came))} of them a second time.")
    file = stage.home / "presses.json"
    told = {"accepted": diary.accepted, "perhaps": diary.pressed_before, "letters": came}
    file.write_text(json.dumps(told))
    found = stage.run("-m", "proof.verdict", str(file)).split("\n")
    return [line for line in found if line] + differing(letters, came)


def differing(letters: list[bytes], came: list[str]) -> list[str]:
    """A letter that comes twice is the same to the byte."""
    first: dict[str, bytes] = {}
    return [
        f"Changed: letter {name} came twice and was not the same."
        for name, letter in zip(came, letters, strict=True)
        if first.setdefault(name, letter) != letter
    ]


def leaks(stage: stages.Stage) -> list[str]:
    """No log may hold a ticket or a player's address, whatever went wrong."""
    return [
        f"Told: {file.name} holds {match[0].decode()}"
        for file in stage.home.glob("*.log")
        for match in LEAK.finditer(file.read_bytes())
    ]


if __name__ == "__main__":
    main()
