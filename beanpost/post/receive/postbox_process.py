"""The postbox as a process of its own, for `serve` when other machines may connect to it.

Strangers who hold its connections then hold no files of the process that serves pages. The postbox can't reach the
queue in memory of `serve`, so it prints a line for each wake-up. It ends when its standard input does.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from django.conf import settings

from beanpost.post.outbox import wake_up

COMMAND = [sys.executable, "-m", "django", "postbox", "--for-serve"]
PAUSE = 5  # seconds before it is started again
PATIENCE = 10  # seconds for it to end

log = logging.getLogger(__name__)


class DidNotOpen(Exception):
    """The postbox ended at its start, and has said why."""


class Postbox:
    """The process, which is started again if it dies."""

    def __init__(self) -> None:
        self.stopped = Event()
        self.process = start()

    def keep(self) -> None:
        while not self.stopped.is_set():
            assert self.process.stdout
            for _line in self.process.stdout:
                wake_up.SENDERS.request()
                wake_up.READERS.request()
            self.process.wait()
            if self.stopped.wait(PAUSE):
                return
            log.error("The postbox has ended. It is started again.")
            with suppress(DidNotOpen):
                self.process = start()

    def stop(self) -> None:
        self.stopped.set()
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()


@contextmanager
def run() -> Iterator[None]:
    """Run the postbox while the context is open."""
    postbox = Postbox()
    Thread(target=postbox.keep, name="postbox", daemon=True).start()
    try:
        yield
    finally:
        postbox.stop()


def start() -> subprocess.Popen[str]:
    """Start the postbox, and return once it listens."""
    path = os.pathsep.join(filter(None, (str(settings.BASE_DIR), os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        COMMAND,
        env=os.environ | {"PYTHONPATH": path},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for `serve` alone
    )
    assert process.stdout
    if not process.stdout.readline():
        process.wait()
        raise DidNotOpen
    return process
