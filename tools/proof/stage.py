"""A whole installation as a host runs it, from the files in beanpost/deploy/: python -m tools.proof.stage [rabbitmq]

PostgreSQL, a broker, a mail server, nginx, gunicorn with two processes, two workers and beat, all of them our own and
removed afterwards. HOSTS=2 puts them on several machines (`hosts`). By default it runs until Ctrl-C; `--check` plays a
few moves and stops.
"""

import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import LiteralString, Protocol
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg

from tools import postgres
from tools.proof import brokers, units
from tools.proof.people import Crowd
from tools.proof.programs import TIMEOUT, Keeper, Program, free_port

MOVES, SOME_MOVES = 10, 20
BINARIES = ["binaries", "wheel"]
PYTHON = sys.executable


class Host(Protocol):
    """A machine of an installation on several."""

    address: str

    def inside(self, command: Sequence[str]) -> list[str]: ...
    def cut(self) -> None: ...
    def mend(self) -> None: ...


@dataclass
class Stage:
    """Everything that was started, and how to reach it."""

    home: Path
    site: str
    env: dict[str, str]
    database: postgres.Server
    broker: brokers.Broker
    sink: Program
    web: Program
    workers: list[Program]
    beat: Program
    keeper: Keeper
    left_out: list[str] = field(default_factory=list)
    hosts: dict[str, Host] = field(default_factory=dict)  # by role, if there are several

    @property
    def letters(self) -> Path:
        """The file to which the mail server appends accepted letters."""
        return self.home / "letters"

    @property
    def own_door(self) -> str:
        """The address of gunicorn itself, even behind nginx: a socket file or a URL."""
        bound = self.web.env["GUNICORN_BIND"]
        return bound.removeprefix("unix:") if bound.startswith("unix:") else f"http://{bound}"

    def mail(self, mood: str) -> None:
        (self.home / "mood").write_text(mood)

    def move_to(self, database: str, **settings: str) -> None:
        """Restart on another database, or on another way to it."""
        with self.keeper.lock:
            for program in (self.web, *self.workers, self.beat):
                program.stop()
                for name, value in (settings | {"DATABASE_URL": database}).items():
                    program.env[name] = self.env[name] = value
                program.start()
        self.web.wait_until(lambda: is_site_up(self.site))

    def manage(self, *words: str) -> str:
        return self.run("manage.py", *words)

    def run(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            [PYTHON, *words], env=self.env, cwd=units.ROOT, check=False, capture_output=True, text=True
        )
        if check and done.returncode:
            raise RuntimeError(f"{' '.join(words)} failed: {done.stdout[-1000:]}{done.stderr[-2000:]}")
        return done.stdout

    def kill(self, *programs: Program) -> None:
        """Kill programs with their children; the keeper restarts them."""
        with self.keeper.lock:
            for program in programs:
                program.kill()

    def restart(self, program: Program, env: dict[str, str]) -> None:
        with self.keeper.lock:
            program.stop()
            program.env = env
            program.start()

    def count_rows(self, which: LiteralString) -> int:
        with psycopg.connect(self.database.url) as database:
            [(count,)] = database.execute(f"SELECT count(*) FROM {which}")
        return int(count)

    def let_people_move(self) -> None:
        """Wait for more moves. After a restart nobody moves for some seconds, since no worker sends letters yet."""
        moves: LiteralString = "play_event WHERE origin = 'player'"
        end, enough = time.monotonic() + TIMEOUT, self.count_rows(moves) + SOME_MOVES
        while self.count_rows(moves) < enough:
            if time.monotonic() > end:
                raise RuntimeError("Nobody could move.")
            time.sleep(0.5)


@contextmanager
def open_stage(broker: str = "redis", *, home: Path | None = None, log_level: str = "INFO") -> Iterator[Stage]:
    """Start the installation; at the end, stop and remove everything, even after an error."""
    with ExitStack() as until_the_end:
        # Not under TMPDIR: the path of a socket must be short.
        temporary = tempfile.TemporaryDirectory(prefix="stage", dir="/tmp", ignore_cleanup_errors=True)
        place = Path(until_the_end.enter_context(temporary))
        database = until_the_end.enter_context(start_postgres(home or place / "pg"))
        port, post = free_port(), free_port()
        env = units.build_environment(
            SECRET_KEY=secrets.token_hex(32),
            SITE_URL=f"http://127.0.0.1:{port}",
            DATABASE_URL=database.url,
            EMAIL_URL=f"smtp://127.0.0.1:{post}",
            DEFAULT_FROM_EMAIL="Beanpost <post@stage.example>",
            SECURE_PROXY_SSL_HEADER="",
            BEANPOST_VAR=str(place),
            STATIC_ROOT=str(place / "static"),
            GUNICORN_BIND=f"unix:{place}/web.sock",
            LOG_LEVEL=log_level,
        )
        queue = getattr(brokers, broker)(place, env)
        env["CELERY_BROKER_URL"] = queue.url
        until_the_end.callback(lambda: queue.program.stop())  # not the first one, after a failover
        queue.start()
        stage = assemble(place, port, post, env, database, queue)
        prepare(stage)
        until_the_end.enter_context(stage.keeper)
        stage.web.wait_until(lambda: is_site_up(stage.site))
        yield stage


@contextmanager
def start_postgres(home: Path) -> Iterator[postgres.Server]:
    """Start a server with durable writes, as a host has it, unlike the tests' server."""
    home.mkdir(exist_ok=True)
    binaries = next(iter(postgres.find_binaries(BINARIES)), None)
    if binaries is None:
        raise brokers.MissingProgram("There is no PostgreSQL here. Try: apt-get install postgresql")
    server = postgres.Server(binaries, str(home))
    try:
        server.start()
        yield server
    finally:
        server.stop()


def assemble(
    home: Path, port: int, post: int, env: dict[str, str], database: postgres.Server, queue: brokers.Broker
) -> Stage:
    def program(name: str, command: list[str]) -> Program:
        return Program(name, command, log=home / f"{name}.log", env=env, cwd=units.ROOT)

    sink = program("sink", [PYTHON, "-m", "tools.proof.sink", str(post), str(home)])
    web = program("web", units.read_commands("beanpost-web")[0])
    workers = [program(f"worker{n}", units.read_commands("beanpost-worker@", str(n))[0]) for n in (1, 2)]
    slow = program("slow", units.read_commands("beanpost-slow")[0])
    beat = program("beat", units.read_commands("beanpost-beat")[0])
    programs, left_out = [sink, web, *workers, slow, beat], []
    if nginx := brokers.find_or_install("nginx-light", ("nginx",)):
        programs.append(
            program(
                "nginx",
                [
                    nginx,
                    "-c",
                    str(units.write_proxy_config(port, [f"unix:{home}/web.sock fail_timeout=0"], home)),
                    "-p",
                    str(home),
                ],
            )
        )
    else:
        left_out.append("There is no nginx here: gunicorn answers itself. Try: apt-get install nginx-light")
        env["GUNICORN_BIND"] = web.env["GUNICORN_BIND"] = f"127.0.0.1:{port}"
    site, keeper = f"http://127.0.0.1:{port}", Keeper(programs)
    return Stage(home, site, env, database, queue, sink, web, workers, beat, keeper, left_out)


def prepare(stage: Stage) -> None:
    """Do what beanpost-prepare.service does before the start. `check --deploy` may fail here, as there is no TLS."""
    create_database(stage.database, urlsplit(stage.env["DATABASE_URL"]).username or "")
    for command in units.read_commands("beanpost-prepare"):
        stage.run(*command[1:], check="check" not in command)


def create_database(server: postgres.Server, owner: str) -> None:
    name = server.url.split("@/")[1].partition("?")[0]
    with psycopg.connect(host=server.home, user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" OWNER {owner}'.encode())


def is_site_up(site: str) -> bool:
    try:
        return int(urlopen(f"{site}/healthz", timeout=10).status) == 200
    except (URLError, OSError):
        return False


def play_a_little(stage: Stage) -> None:
    """Play a few moves from letter to letter, so that every part has worked once."""
    stage.run("-m", "tools.proof.tables", "5")
    with Crowd(stage.site, stage.letters, hands=2) as crowd:
        end = time.monotonic() + TIMEOUT
        while len(crowd.diary.accepted) < MOVES and time.monotonic() < end:
            time.sleep(0.2)
    print(f"{len(crowd.diary.accepted)} moves were played, {crowd.bag.count} letters came.")
    print(stage.manage("audit").strip())
    if len(crowd.diary.accepted) < MOVES or crowd.diary.troubles:
        sys.exit(f"The site does not work: {crowd.diary.troubles}")


def keep_open(opening: AbstractContextManager[Stage]) -> None:
    """Open an installation until Ctrl-C; with `--check`, until a few moves are played."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with opening as stage:
        print(*stage.left_out, sep="\n")
        print(f"The site is open: {stage.site}/\nIts logs and letters are in {stage.home}/.", flush=True)
        if "--check" in sys.argv:
            play_a_little(stage)
        else:
            print("Press Ctrl-C to close it.", flush=True)
            with suppress(KeyboardInterrupt):
                threading.Event().wait()
    print("The site is closed; its files are deleted.")


if __name__ == "__main__":
    keep_open(open_stage("rabbitmq" if "rabbitmq" in sys.argv else "redis"))
