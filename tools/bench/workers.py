"""Workers for benchmarks: the one process of `serve` with SQLite; two workers and Redis with PostgreSQL."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tools.proof import brokers, units
from tools.proof.programs import TIMEOUT, Keeper, Program

WORKERS = 2


@contextmanager
def open_queue(name: str, folder: Path) -> Iterator[None]:
    """Open the broker that this process and the workers share. Call it before the settings are read."""
    if name == "SQLite":
        yield  # in memory, by default
        return
    redis = brokers.redis(folder, dict(os.environ))
    with ExitStack() as until_the_end:
        until_the_end.callback(redis.program.stop)
        redis.start()
        os.environ["CELERY_BROKER_URL"] = redis.url
        yield


@contextmanager
def run_workers(name: str, folder: Path) -> Iterator[None]:
    """Run the workers, and yield once they are ready."""
    from beanpost.management.commands.serve import run_worker  # noqa: PLC0415 (needs the broker settings)

    with run_worker() if name == "SQLite" else run_own_workers(folder):
        yield


@contextmanager
def run_own_workers(folder: Path) -> Iterator[None]:
    from celery import current_app  # noqa: PLC0415
    from django.conf import settings  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    where = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    env = os.environ | {
        "DATABASE_URL": where.geturl(),
        "EMAIL_URL": f"smtp://{settings.EMAIL_HOST}:{settings.EMAIL_PORT}",
    }
    workers = [
        Program(
            f"worker{n}", units.read_commands("beanpost-worker@", str(n))[0], log=folder / f"worker{n}.log", env=env
        )
        for n in range(1, WORKERS + 1)
    ]
    with Keeper(workers):
        end = time.monotonic() + TIMEOUT
        while len(current_app.control.ping(timeout=1) or []) < WORKERS:
            assert time.monotonic() < end, (folder / "worker1.log").read_text()[-2000:]
        yield
