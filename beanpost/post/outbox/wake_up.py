"""Wake up the worker after a commit, so that no player's request waits for the broker.

A thread of its own sends one task for all wake-ups that come close together. A wake-up may be lost, with its process
or while the broker is down: letters are rows, and a periodic task sends those left behind.
"""

from __future__ import annotations

import logging
import time
from threading import Event, Lock, Thread
from typing import TextIO

from celery import current_app
from django.db import transaction

from beanpost.monitoring import logs

A_MOMENT = 0.05  # seconds in which further wake-ups join this one

log = logging.getLogger(__name__)


class WakeUp:
    """Sends one task, at most once per moment, however often it is requested."""

    pipe: TextIO | None = None  # in the postbox that `serve` starts, whose queue is in another process

    def __init__(self, task: str) -> None:
        self.task = task
        self.requested = Event()
        self.lock = Lock()
        self.listener: Thread | None = None
        self.request_id = ""  # of the last request that asked

    def request(self) -> None:
        """Ask the thread to send the task soon; start the thread if this process has none."""
        self.requested.set()
        self.request_id = logs.request_id.get()
        with self.lock:
            if self.listener is None or not self.listener.is_alive():  # a forked process does not inherit the thread
                self.listener = Thread(target=self.listen, name=f"wake-up for {self.task}", daemon=True)
                self.listener.start()

    def schedule(self) -> None:
        """Wake up the worker once the transaction has committed. Wake-ups at the same moment become one task."""
        transaction.on_commit(self.request)

    def listen(self) -> None:
        """Send one task for all requests of a moment, for ever."""
        while self.requested.wait():
            time.sleep(A_MOMENT)
            self.requested.clear()
            logs.request_id.set(self.request_id)
            self.call()

    def call(self, **arguments: int) -> None:
        """Send the task now. If the broker is down, log a warning and go on."""
        try:
            if self.pipe:
                print(self.task, file=self.pipe, flush=True)
                return
            current_app.send_task(self.task, kwargs=arguments, retry=False)
        except Exception as error:
            # Any error is harmless: the next periodic task does the work.
            log.warning("The queue cannot be reached: %s. Letters will go with the next sweep.", type(error).__name__)


SENDERS, READERS = WakeUp("beanpost.post.tasks.deliver"), WakeUp("beanpost.post.tasks.read")


# Wake up the worker for letters that are due, or for reports, requests and replies that have come in.
wake_after_commit, wake_reader_after_commit = SENDERS.schedule, READERS.schedule
