"""The clock: Celery beat, and a watch that does the most urgent work itself when nobody else does."""

import logging
import signal
from contextlib import suppress
from datetime import timedelta
from threading import Event
from typing import Any

from django.core.management import BaseCommand
from django.db import Error, close_old_connections

from beanpost.database import batches
from beanpost.management.commands.serve import run_beat
from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.timekeeping import sweep
from beanpost.post.deliver import reports, sending
from beanpost.post.notify import daily_letters
from beanpost.post.outbox import claims, requested
from beanpost.post.receive import replies

A_LOOK = 5  # seconds between two looks at the heartbeat and the letters
SILENCE = 40  # seconds without a sweep, which a worker runs every thirty: the broker or the workers are down
OVERDUE = timedelta(minutes=2)  # if a letter is due for longer, no worker sends letters

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Run Celery beat. While the broker or the workers are down, sweep and send letters here."

    def handle(self, *args: Any, **options: Any) -> None:
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, signal.default_int_handler)
        with suppress(KeyboardInterrupt), run_beat():
            watch(Event())


def watch(stopped: Event) -> None:
    """Look at the heartbeat and the letters every few seconds, until stopped."""
    while not stopped.wait(A_LOOK):
        close_old_connections()
        with suppress(Error):  # the database is down: nothing can be done, and other processes log it
            if is_silent():
                stand_in()
            elif claims.find_due(clock.now() - OVERDUE).exists() and (sent := sending.deliver(clock.now)):
                log.warning("Letters were overdue: the clock sent %d of them itself. Are the workers up?", sent)


def is_silent() -> bool:
    """Return whether the last sweep is too long ago. Before the very first one, wait for the workers to start."""
    last = outages.find_last_heartbeat()
    return last is not None and (clock.now() - last).total_seconds() > SILENCE


def stand_in() -> None:
    """Do what players wait for: deadlines, daily letters, replies and letters. All of it is in the database."""
    log.warning("No sweep has run for %d seconds: the clock runs one itself. Are broker and workers up?", SILENCE)
    sweep.sweep_now()
    batches.run_safely("daily letters", daily_letters.write_due, clock.now())
    batches.run_safely("replies", replies.read_waiting, clock.now)
    batches.run_safely("reports", reports.process_reports, clock.now)
    batches.run_safely("requested letters", requested.answer_requests, clock.now())
    batches.run_safely("letters", sending.deliver, clock.now)
