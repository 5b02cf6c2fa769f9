"""Waking the worker: soon, once for all requests within a moment, and without blocking the caller."""

import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import StringIO
from threading import Event, main_thread

import pytest
from celery import Celery

from beanpost import celery_app
from beanpost.post.outbox import wake_up
from beanpost.post.outbox.wake_up import WakeUp
from tests.friends import seat_friends
from tests.post.gallery import deliver, move

LONG = 60  # seconds: nothing here takes that long unless it is broken


@pytest.fixture
def queue(monkeypatch):
    """A queue that is down."""
    down = Celery("down", broker="redis://127.0.0.1:1/0", set_as_current=False)
    down.conf.broker_transport_options = {"max_retries": 1, "interval_start": 0}
    monkeypatch.setattr(wake_up, "current_app", down)
    return down


class Counted(WakeUp):
    """A wake-up that counts its calls instead of queueing a task."""

    def __init__(self):
        super().__init__("task")
        self.calls, self.called = [], Event()

    def call(self, **arguments):
        self.calls.append(arguments)
        self.called.set()


def test_the_worker_is_woken_from_another_thread():
    counted = Counted()
    counted.request()
    assert counted.called.wait(LONG)
    assert counted.listener not in (None, main_thread())


def test_requests_within_a_moment_are_merged(monkeypatch):
    counted, moment_is_over = Counted(), Event()
    monkeypatch.setattr(wake_up.time, "sleep", lambda _: moment_is_over.wait(LONG))
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda _: counted.request(), range(100)))
    moment_is_over.set()
    assert counted.called.wait(LONG)
    assert counted.calls == [{}]


def test_a_later_request_wakes_the_worker_again():
    counted = Counted()
    for n in (1, 2):
        counted.called.clear()
        counted.request()
        assert counted.called.wait(LONG)
        assert len(counted.calls) == n


def test_a_call_queues_the_named_task():
    with celery_app.connection_for_write() as line:
        inbox = line.SimpleQueue(celery_app.conf.task_routes["beanpost.post.tasks.deliver"]["queue"])
        inbox.clear()
        wake_up.SENDERS.call(others=0)
        calls = iter(partial(inbox.get, timeout=LONG), None)  # other tests may have queued tasks meanwhile
        called = next(call for call in calls if call.payload[1])
    assert called.headers["task"] == "beanpost.post.tasks.deliver"
    assert called.payload[1] == {"others": 0}


def test_the_postbox_of_serve_wakes_its_workers_through_a_pipe(monkeypatch, queue, caplog):
    monkeypatch.setattr(WakeUp, "pipe", pipe := StringIO())
    wake_up.READERS.call()
    wake_up.SENDERS.call()
    assert pipe.getvalue() == "beanpost.post.tasks.read\nbeanpost.post.tasks.deliver\n"
    assert not caplog.records


def test_a_queue_that_is_down_is_logged(queue, caplog):
    with caplog.at_level(logging.WARNING):
        wake_up.SENDERS.call()
    assert "The queue cannot be reached: OperationalError." in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_queue_that_is_down_does_not_break_the_move(queue):
    move(seat_friends())
    assert deliver() > 0
