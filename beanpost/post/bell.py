"""The bell that calls the worker: nobody who plays waits for the queue.

It is rung after a commit and answered in a thread of its own, once for all who ring meanwhile. A ring may be lost
with its process, or while the queue is down: the letters are rows, and the clock calls for those left behind.
"""

from __future__ import annotations

import logging
import time
from threading import Event, Lock, Thread

from celery import current_app

EXPIRES = 60  # seconds; by then the clock has called
A_MOMENT = 0.05  # seconds in which others may ring, too

log = logging.getLogger(__name__)


class Bell:
    def __init__(self, task: str) -> None:
        self.task = task
        self.rung = Event()
        self.lock = Lock()
        self.listener: Thread | None = None

    def ring(self) -> None:
        self.rung.set()
        with self.lock:
            if self.listener is None or not self.listener.is_alive():  # a process that was forked has none of its own
                self.listener = Thread(target=self.listen, name=f"the bell for {self.task}", daemon=True)
                self.listener.start()

    def listen(self) -> None:
        while self.rung.wait():
            time.sleep(A_MOMENT)
            self.rung.clear()
            self.call()

    def call(self, **arguments: int) -> None:
        try:
            current_app.send_task(self.task, kwargs=arguments, expires=EXPIRES, retry=False)
        except Exception as trouble:
            # Whatever the queue's trouble is, what the worker was called for will be done at the clock's next call.
            log.warning("The queue cannot be reached: %s. Letters will go with the next sweep.", type(trouble).__name__)
