"""A mail server that accepts everything and stores nothing, for measuring senders. It prints its port."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Sink:
    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 (its name)
        return "250 Taken"


@contextmanager
def start_sink() -> Iterator[int]:
    """Start the server in a process of its own, and yield its port."""
    process = subprocess.Popen([sys.executable, "-m", "tools.bench.sink"], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    with socket.socket() as finder:
        finder.bind(("127.0.0.1", 0))
        port = finder.getsockname()[1]
    Controller(Sink(), hostname="127.0.0.1", port=port).start()
    print(port, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
