"""The queue only wakes workers up; it stores nothing."""

from copy import copy
from datetime import timedelta
from threading import Event

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from celery.schedules import maybe_schedule
from kombu import Connection, Queue

from beanpost.celery import app
from beanpost.monitoring import logs
from beanpost.post.outbox import wake_up
from tests.friends import NOON


def test_the_schedule_names_existing_tasks():
    app.loader.import_default_modules()
    called = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert called <= set(app.tasks)
    assert {"beanpost.post.tasks.deliver", "beanpost.play.tasks.sweep"} <= called


def test_a_task_is_acknowledged_only_after_it_has_run():
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost


def test_only_json_is_queued_and_no_result_is_kept():
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"
    assert app.conf.task_ignore_result


def test_no_task_expires(monkeypatch):
    """A worker whose clock is ahead would drop it, and say nothing."""
    sent = []
    monkeypatch.setattr(Celery, "send_task", lambda _app, task, **options: sent.append(options))
    wake_up.SENDERS.call()
    assert [options.get("expires") for options in sent] == [None]
    assert [entry for entry in app.conf.beat_schedule.values() if "expires" in entry.get("options", {})] == []


def test_a_flood_of_letters_delays_no_other_queue():
    """A worker takes one task at a time, from its queues in turn."""
    assert app.conf.worker_prefetch_multiplier == 1
    taken = []

    def take(body, message):
        taken.append(body)
        message.ack()

    with Connection("memory://") as line, line.Producer() as producer:
        queues = [Queue(f"test-{name}") for name in ("letters", "sweep")]
        for queue, count in zip(queues, (50, 1), strict=True):
            for _ in range(count):
                producer.publish(queue.name, routing_key=queue.name, declare=[queue])
        with line.Consumer(queues, callbacks=[take], prefetch_count=1):
            for _ in range(4):
                line.drain_events(timeout=5)
    assert "test-sweep" in taken


@pytest.mark.parametrize("errand", app.conf.beat_schedule)
def test_a_beat_restarted_every_half_hour_still_runs_every_task(errand):
    schedule = maybe_schedule(copy(app.conf.beat_schedule[errand]["schedule"]), app=app)
    called = 0
    for start in (NOON, NOON + timedelta(minutes=30)):
        schedule.nowfun = lambda start=start: start + timedelta(minutes=29)
        called += schedule.is_due(start).is_due
    assert called


@pytest.mark.parametrize(
    ("task", "queue"),
    [
        ("beanpost.play.tasks.sweep", "sweep"),
        ("beanpost.play.tasks.share", "sweep"),
        ("beanpost.post.tasks.deliver", "letters"),
        ("beanpost.post.tasks.read", "mail-in"),
        ("beanpost.leagues.tasks.run_periodic", "leagues"),
        ("beanpost.leagues.tasks.recompute_ratings", "leagues"),  # not "slow", which `serve` does not take
        ("beanpost.leagues.tasks.queue_webhook_calls", "leagues"),
        ("beanpost.leagues.tasks.call_webhook", "slow"),
        ("beanpost.privacy.tasks.delete_old_data", "celery"),
    ],
)
def test_each_kind_of_work_has_its_own_queue(task, queue):
    assert app.amqp.router.route({}, task)["queue"].name == queue


def test_a_worker_takes_from_all_queues_unless_told_otherwise():
    assert set(app.amqp.queues) == {"sweep", "mail-in", "letters", "leagues", "celery", "slow"}


def test_a_task_is_logged_under_the_request_that_queued_it():
    queue, seen, done = Celery("queue", broker="memory://", set_as_current=False), [], Event()
    queue.conf.broker_transport_options = {"polling_interval": 0.05}

    @queue.task
    def note():
        seen.append(logs.request_id.get())
        if len(seen) == 2:
            done.set()

    with start_worker(queue, pool="solo", perform_ping_check=False, shutdown_timeout=60):
        for number in ("from-the-proxy-1", ""):
            token = logs.request_id.set(number)
            note.delay()
            logs.request_id.reset(token)
        assert done.wait(60)
    app.set_current()  # start_worker has replaced both
    app.set_default()
    assert seen == ["from-the-proxy-1", ""]


def test_a_wake_up_carries_the_request_that_asked(monkeypatch):
    sent, called = [], Event()
    monkeypatch.setattr(wake_up.WakeUp, "call", lambda _: (sent.append(logs.request_id.get()), called.set()))
    token = logs.request_id.set("from-the-proxy-2")
    wake_up.WakeUp("task").request()
    logs.request_id.reset(token)
    assert called.wait(60)
    assert sent == ["from-the-proxy-2"]
