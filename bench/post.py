"""Letters sent through Celery to a mail server, compared to a bare loop that sends the same bytes."""

import smtplib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench import sink, workers
from bench.figures import effort, figure
from bench.moves import on_each_database

# Enough letters that waking up the worker, a tenth of a second, hardly counts.
TABLES, EACH = effort(50, at_least=20), 20
ROUNDS = 3


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        on_each_database("bench.post", folder)


def on(name: str) -> None:
    """Measure everything on one database, which is created for it and removed afterwards."""
    with tempfile.TemporaryDirectory() as place, sink.opened() as port:
        folder = Path(place)
        with workers.queue(name, folder):
            on_queue(name, folder, port)


def on_queue(name: str, folder: Path, port: int) -> None:
    from django.conf import settings  # noqa: PLC0415 (needs the database and broker settings)

    from bench import fixtures  # noqa: PLC0415

    fixtures.keep_in(str(folder))
    with fixtures.opened():
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        with workers.at_work(name, folder):
            measure(name, port)


def measure(name: str, port: int) -> None:
    from bench import fixtures  # noqa: PLC0415

    letters = fixtures.many_letters(TABLES, EACH)
    bare, stored, composed = [], [], []
    for _ in range(ROUNDS):  # interleaved, so that all run under the same load
        fixtures.to_be_written()
        composed.append(letters / took(fixtures.send_all))
        assert fixtures.all_went()
        sources = fixtures.sources()
        bare.append(len(sources) / bare_loop(port, sources))
        fixtures.to_be_sent_again()
        stored.append(letters / took(fixtures.send_all))
        assert fixtures.all_went()
    loop = statistics.median(bare)
    figure(f"{name}: a bare SMTP loop, connection kept", loop, "letters/s")
    for what, rates, goal in (("stored letters sent", stored, 0.8), ("letters composed and sent", composed, 0.35)):
        rate = statistics.median(rates)
        figure(f"{name}: {what} through Celery", rate, "letters/s")
        figure(f"{name}: {what}, against the bare loop", rate / loop, "", at_least=goal)


def took(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def bare_loop(port: int, sources: list[bytes]) -> float:
    """Send ready bytes and store nothing: the least that sending could cost."""
    began = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port) as line:
        for source in sources:
            line.sendmail("post@beans.example", ["ann@example.org"], source)
    return time.perf_counter() - began


if __name__ == "__main__":
    on(sys.argv[1]) if sys.argv[1:] else main()
