"""Prove that a backup can be restored: python -m tools.proof.restore

People play; the database is copied while they do; they play on. Then the copy is restored, and the installation
switches to it: PostgreSQL under the separate processes, and SQLite under `serve`. Nothing in it may differ, and the
links in letters sent before must still work.
"""

import re
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import psycopg

from tools import postgres
from tools.proof import stage as stages
from tools.proof import units
from tools.proof.people import Crowd, Diary
from tools.proof.programs import TIMEOUT, Program, free_port

TABLES = 12
MOVES = 30
RESTORED = "restored"
SQLITE_TABLES, SQLITE_MOVES = 5, 10


def main() -> None:
    prove_sqlite()
    prove_postgres()


def prove_sqlite() -> None:
    with tempfile.TemporaryDirectory(prefix="restore", dir="/tmp") as name:
        home, port, post = Path(name), free_port(), free_port()
        site, letters, database = f"http://127.0.0.1:{port}", home / "letters", home / "beanpost.sqlite3"
        env = units.build_environment(
            SECRET_KEY=secrets.token_hex(32),
            SITE_URL=site,
            PORT=str(port),
            BEANPOST_VAR=name,
            EMAIL_URL=f"smtp://127.0.0.1:{post}",
            **dict.fromkeys(("DATABASE_URL", "CELERY_BROKER_URL", "SECURE_PROXY_SSL_HEADER", "TRUSTED_PROXY"), ""),
        )

        def run(*words: str) -> str:
            words = (sys.executable, *words)
            return subprocess.run(words, env=env, cwd=units.ROOT, check=True, capture_output=True, text=True).stdout

        sink = Program(
            "sink", [sys.executable, "-m", "tools.proof.sink", str(post), name], log=home / "sink.log", env=env
        )
        serve = Program("serve", units.read_commands("beanpost-serve")[0], log=home / "log", env=env, cwd=units.ROOT)
        try:
            for program in (sink, serve):
                program.start()
            serve.wait_until(lambda: stages.is_site_up(site))
            run("-m", "tools.proof.tables", str(SQLITE_TABLES))
            with Crowd(site, letters, hands=2) as crowd:
                play(crowd.diary, SQLITE_MOVES)
                copy(database, home / "copy.sqlite3")
                play(crowd.diary, SQLITE_MOVES // 2)
            serve.stop()
            for file in home.glob("beanpost.sqlite3*"):
                file.unlink()
            (home / "copy.sqlite3").rename(database)
            told = run("manage.py", "audit").strip()
            serve.start()
            serve.wait_until(lambda: stages.is_site_up(site))
            with Crowd(site, letters, hands=2) as again:
                play(again.diary, SQLITE_MOVES)
        finally:
            for program in (serve, sink):
                program.stop()
        report("SQLite", told, run("manage.py", "audit").strip(), crowd.diary, again.diary)


def copy(database: Path, to: Path) -> None:
    """Copy the database while the site is running, with the statement in docs/hosting/run.md."""
    page = (units.ROOT / "docs/hosting/run.md").read_text()
    [statement] = re.findall(r'beanpost\.sqlite3 "(VACUUM INTO .+)"', page)
    with closing(sqlite3.connect(database)) as line:
        line.execute(statement.replace("copy.sqlite3", str(to)))


def prove_postgres() -> None:
    with stages.open_stage() as stage:
        stage.run("-m", "tools.proof.tables", str(TABLES))
        with Crowd(stage.site, stage.letters, hands=4) as crowd:
            play(crowd.diary, MOVES)
            dump(stage)
            play(crowd.diary, MOVES // 2)
        restore(stage)
        told = stage.manage("audit").strip()
        # People answer every letter they ever got, even those that the restored database has never known.
        with Crowd(stage.site, stage.letters, hands=4) as again:
            play(again.diary, MOVES)
        after = stage.manage("audit").strip()
    report("PostgreSQL", told, after, crowd.diary, again.diary)


def report(engine: str, told: str, after: str, *diaries: Diary) -> None:
    print(f"{engine}, restored: {told}\n{engine}, played on: {len(diaries[-1].accepted)} moves. {after}", flush=True)
    troubles = [trouble for diary in diaries for trouble in diary.troubles]
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
