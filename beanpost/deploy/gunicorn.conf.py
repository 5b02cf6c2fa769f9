"""Settings for gunicorn: a few processes, each with a few threads for slow connections."""

import os
import tempfile
from typing import Any

# Before the first import of prometheus_client: the processes share what they count through files in this folder.
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="beanpost-metrics-"))

from prometheus_client import multiprocess

bind = os.environ.get("GUNICORN_BIND") or "unix:/run/beanpost/web.sock"
workers = int(os.environ.get("GUNICORN_WORKERS") or 2)
worker_class = "gthread"
threads = 4
preload_app = True  # report an error in the settings once, before listening
control_socket_disable = True
accesslog = None  # beanpost/middleware.py logs requests itself, without tickets
timeout = 60
graceful_timeout = 20


def child_exit(server: Any, worker: Any) -> None:
    """Drop the gauges of a process that has ended; its counters stay."""
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
