"""Letters sent through Celery to a mail server, compared to a bare loop that sends the same bytes."""

import smtplib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools.bench import workers
from tools.bench.figures import print_figure, scale_effort
from tools.bench.moves import run_on_each_database
from tools.proof.sink import start_sink

# Enough letters that waking up the worker, a tenth of a second, hardly counts.
TABLES, EACH = scale_effort(50, at_least=5), 20
ROUNDS = scale_effort(3)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_on_each_database("tools.bench.post", folder)


def measure_on(name: str) -> None:
    """Measure everything on one database, which is created for it and removed afterwards."""
    with tempfile.TemporaryDirectory() as place, start_sink() as port:
        folder = Path(place)
        with workers.open_queue(name, folder):
            measure_on_queue(name, folder, port)


def measure_on_queue(name: str, folder: Path, port: int) -> None:
    from django.conf import settings  # noqa: PLC0415 (needs the database and broker settings)

    from tools.bench import fixtures  # noqa: PLC0415

    fixtures.name_database(str(folder))
    with fixtures.open_database():
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        with workers.run_workers(name, folder):
            measure(name, port)


def measure(name: str, port: int) -> None:
    from tools.bench import fixtures  # noqa: PLC0415

    letters = fixtures.create_letters(TABLES, EACH)
    bare, stored, composed = [], [], []
    for _ in range(ROUNDS):  # interleaved, so that all run under the same load
        fixtures.mark_unwritten()
        composed.append(letters / measure_seconds(fixtures.send_all))
        assert fixtures.are_all_sent()
        sources = fixtures.list_sources()
        bare.append(len(sources) / measure_bare_loop(port, sources))
        fixtures.mark_unsent()
        stored.append(letters / measure_seconds(fixtures.send_all))
        assert fixtures.are_all_sent()
    loop = statistics.median(bare)
    print_figure(f"{name}: a bare SMTP loop, connection kept", loop, "letters/s")
    for what, rates, goal in (("stored letters sent", stored, 0.8), ("letters composed and sent", composed, 0.35)):
        rate = statistics.median(rates)
        print_figure(f"{name}: {what} through Celery", rate, "letters/s")
        print_figure(f"{name}: {what}, against the bare loop", rate / loop, "", at_least=goal)


def measure_seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure_bare_loop(port: int, sources: list[bytes]) -> float:
    """Send ready bytes and store nothing: the least that sending could cost."""
    began = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port) as line:
        for source in sources:
            line.sendmail("post@beans.example", ["ann@example.org"], source)
    return time.perf_counter() - began


if __name__ == "__main__":
    measure_on(sys.argv[1]) if sys.argv[1:] else main()
