"""Prove that a backup can be restored: python -m proof.restore

People play; the database is dumped while they do; they play on. Then the dump is restored into a new database, and the
installation switches to it. Nothing in it may differ, and the links in letters sent before must still work.
"""

import re
import subprocess
import sys
import time

import psycopg

from proof import stage as stages
from proof.people import Crowd, Diary
from proof.programs import TIMEOUT
from tools import postgres

TABLES = 12
MOVES = 30
RESTORED = "restored"


def main() -> None:
    with stages.open_stage() as stage:
        stage.run("-m", "proof.tables", str(TABLES))
        with Crowd(stage.site, stage.letters, hands=4) as crowd:
            play(crowd.diary, MOVES)
            dump(stage)
            play(crowd.diary, MOVES // 2)
        restore(stage)
        told = stage.manage("audit").strip()
        print(f"Restored: {told}")
        # People answer every letter they ever got, even those that the restored database has never known.
        with Crowd(stage.site, stage.letters, hands=4) as again:
            play(again.diary, MOVES)
        after = stage.manage("audit").strip()
        print(f"Played on: {len(again.diary.accepted)} moves. {after}")
    troubles = crowd.diary.troubles + again.diary.troubles
    if troubles or not (told.endswith(" 0 differ") and after.endswith(" 0 differ")):
        sys.exit(f"The restored database differs from the saved one: {troubles}")


def play(diary: Diary, moves: int) -> None:
    goal, end = len(diary.accepted) + moves, time.monotonic() + TIMEOUT
    while len(diary.accepted) < goal:
        if time.monotonic() > end:
            raise RuntimeError(f"Nobody can play: {diary.troubles[-3:]}")
        time.sleep(0.1)


def dump(stage: stages.Stage) -> None:
    """Dump the database while the site is running, as docs/hosting/run.md says."""
    words = ["--format=custom", f"--file={stage.home}/beanpost.dump", f"--dbname={stage.database.url}"]
    subprocess.run([find_tool("pg_dump"), *words], check=True)


def restore(stage: stages.Stage) -> None:
    """Restore the dump into a new database, and switch to it with the same secret key."""
    with psycopg.connect(stage.database.url, autocommit=True) as database:
        database.execute(f"CREATE DATABASE {RESTORED}")
    url = re.sub(r"@/\w+", f"@/{RESTORED}", stage.database.url)
    words = ["--exit-on-error", "--no-owner", "--role=postgres", f"--dbname={url}", f"{stage.home}/beanpost.dump"]
    subprocess.run([find_tool("pg_restore"), *words], check=True)
    stage.move_to(url)


def find_tool(name: str) -> str:
    folder = next(iter(postgres.find_binaries(stages.BINARIES)))
    return str(folder / name)


if __name__ == "__main__":
    main()
