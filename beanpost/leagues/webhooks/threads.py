"""Call webhooks in `manage.py serve`, which has no worker that could be killed: each call has a thread of its own.

Nothing waits for such a thread for long. One that hangs is left alone and counted, since nothing can end it. Its
receiver gets no other call for an hour; when two receivers hang, none gets one until the first hour is over.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from threading import Event, Thread

from django.db import connections

from beanpost.database import batches
from beanpost.leagues.webhooks import calls
from beanpost.monitoring import counters
from beanpost.play import clock

MAX_SECONDS = 15.0  # for a call, as a worker's time limit
MAX_HANGING = 2
PAUSE = 30.0  # seconds between two rounds
REST = timedelta(hours=1)

log = logging.getLogger(__name__)


def call_until(stopped: Event) -> None:
    """Call what is due, round after round, until the event is set."""
    resting: dict[str, datetime] = {}
    while not stopped.wait(PAUSE):
        batches.run_safely("webhooks", call_due_webhooks, resting)
        connections.close_all()


def call_due_webhooks(resting: dict[str, datetime]) -> int:
    """Call each webhook that has something to send. `resting` says until when a receiver gets none.

    Return how many receivers rest.
    """
    for receiver in [receiver for receiver, until in resting.items() if until <= clock.now()]:
        del resting[receiver]
        log.warning("Webhooks of %s are called again.", receiver)
    for webhook, receiver in calls.list_due_webhooks(clock.now()).items():
        if len(resting) >= MAX_HANGING:
            break
        if receiver in resting:
            continue
        thread = Thread(target=call_webhook, args=(webhook,), name="webhook", daemon=True)
        thread.start()
        thread.join(MAX_SECONDS)
        if thread.is_alive():
            resting[receiver] = clock.now() + REST
            counters.HANGING_WEBHOOKS.inc()
            log.error("The call of webhook %d hangs. %s gets no other call for an hour.", webhook, receiver)
            if len(resting) >= MAX_HANGING:
                log.error("Calls to %s hang. No webhook is called for an hour.", " and ".join(resting))
    return len(resting)


def call_webhook(webhook: int) -> None:
    try:
        batches.run_safely(f"Webhook {webhook}", calls.send_next_call, webhook, clock.now())
    finally:
        connections.close_all()
