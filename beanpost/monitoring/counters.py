"""Counters for Prometheus: requests by view and status, and lines played by origin.

Labels name views, never addresses: an address holds a ticket. gunicorn's processes share their numbers through files
(beanpost/deploy/gunicorn.conf.py sets PROMETHEUS_MULTIPROC_DIR).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.multiprocess import MultiProcessCollector  # type: ignore[no-untyped-call, unused-ignore]

registry = CollectorRegistry()  # without the library's own metrics of the process

REQUESTS = Counter("beanpost_requests", "Requests answered.", ["view", "method", "status"], registry=registry)
SECONDS = Histogram(
    "beanpost_request_seconds",
    "Time to answer a request.",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=registry,
)
MOVES = Counter("beanpost_moves", "Lines written to logs by this server's processes.", ["origin"], registry=registry)
HANGING_WEBHOOKS = Counter("beanpost_webhooks_hanging", "Calls of webhooks that `serve` left alone.", registry=registry)
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
NOT_COUNTED = {"here"}  # a browser's sign that a player is at the table: on a small site the count would say who


def count_request(view: str, method: str | None, status: int, seconds: float) -> None:
    if view in NOT_COUNTED:
        return
    REQUESTS.labels(view, method if method in METHODS else "other", str(status)).inc()
    SECONDS.labels(view).observe(seconds)


def count_moves(events: Iterable[Any], **_: Any) -> None:
    """Count new lines of a log, by origin: a receiver of `play.signals.moved`."""
    for event in events:
        MOVES.labels(event.origin).inc()


def collect_counters() -> CollectorRegistry:
    """Return the registry to read from: one for all processes of this server, if they share their numbers."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return registry
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together
