"""Programs that can be started, killed and restarted, each with a log file of its own."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread

TIMEOUT = 240  # seconds, for a busy machine; nothing waits longer than it must


class DidNotStart(Exception):
    """A program does not answer."""


class Program:
    """A process, perhaps with children. Its output goes to its log."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        env: Mapping[str, str],
        cwd: Path | None = None,
        files: Sequence[int] = (),
    ) -> None:
        self.name = name
        self.command = list(command)
        self.log = log
        self.env = dict(env)
        self.cwd = cwd
        self.files = files  # open files that it inherits, under the same numbers
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env=self.env,
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=self.files,
                start_new_session=True,  # a process group of its own, so that its children end with it
            )

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """Kill it at once with all its children, so that it cannot clean up."""
        if self.process:
            send(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        if self.process is None:
            return
        if self.is_running:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        self.kill()

    def children(self) -> list[int]:
        """Return the ids of its child processes."""
        assert self.process
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], check=False, capture_output=True, text=True)
        return [int(pid) for pid in found.stdout.split()]

    def wait_until(self, answers: Callable[[], bool]) -> None:
        end = time.monotonic() + TIMEOUT
        while not answers():
            if not self.is_running or time.monotonic() > end:
                raise DidNotStart(f"{self.name} does not answer. It said: {self.log.read_text()[-2000:]}")
            time.sleep(0.1)


def send(group: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, what)


class Keeper:
    """Restarts programs that have died, as systemd does with Restart=always."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self.programs = programs
        self.revived = 0
        self.lock = Lock()
        self.enough = Event()
        self.thread = Thread(target=self.watch, daemon=True)

    def __enter__(self) -> "Keeper":
        for program in self.programs:
            program.start()
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.enough.set()
        self.thread.join()
        for program in self.programs:
            if program.is_running and program.process:
                program.process.terminate()  # all at once, before waiting for each
        for program in self.programs:
            program.stop()

    def watch(self) -> None:
        while not self.enough.wait(1):
            with self.lock:
                for program in self.programs:
                    if not program.is_running:
                        program.start()
                        self.revived += 1


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def listens(port: int, host: str = "127.0.0.1") -> bool:
    try:
        with socket.create_connection((host, port), timeout=10):
            return True
    except OSError:
        return False
