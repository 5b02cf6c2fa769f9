"""Call webhooks in `manage.py serve`, which has no worker that could be killed: each call has a thread of its own.

Nothing waits for such a thread for long. One that hangs is left alone and counted, since nothing can end it.
"""

from __future__ import annotations

import logging
from threading import Event, Thread

from django.db import connections

from beanpost.database import batches
from beanpost.leagues.webhooks import calls
from beanpost.monitoring import counters
from beanpost.play import clock

MAX_SECONDS = 15.0  # for a call, as a worker's time limit
MAX_HANGING = 2
PAUSE, REST = 30.0, 3_600.0  # seconds between two rounds; when calls hang

log = logging.getLogger(__name__)


def call_until(stopped: Event) -> None:
    """Call what is due, round after round, until the event is set."""
    hanging: list[Thread] = []
    while not stopped.wait(REST if len(hanging) >= MAX_HANGING else PAUSE):
        hanging = [thread for thread in hanging if thread.is_alive()]
        batches.run_safely("webhooks", call_due_webhooks, hanging)
        connections.close_all()
        if len(hanging) >= MAX_HANGING:
            log.error("%d calls of webhooks hang. No webhook is called for an hour.", len(hanging))


def call_due_webhooks(hanging: list[Thread]) -> int:
    """Call each webhook that has something to send. Return how many calls hang; `hanging` grows by them."""
    for webhook in calls.list_due_webhooks(clock.now()):
        if len(hanging) >= MAX_HANGING:
            break
        thread = Thread(target=call_webhook, args=(webhook,), name="webhook", daemon=True)
        thread.start()
        thread.join(MAX_SECONDS)
        if thread.is_alive():
            hanging.append(thread)
            counters.HANGING_WEBHOOKS.inc()
            log.error("A call of webhook %d hangs. It is left alone.", webhook)
    return len(hanging)


def call_webhook(webhook: int) -> None:
    try:
        batches.run_safely(f"Webhook {webhook}", calls.send_next_call, webhook, clock.now())
    finally:
        connections.close_all()
