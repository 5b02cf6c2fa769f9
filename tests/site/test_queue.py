"""The queue only wakes workers up; it stores nothing."""

from collections import deque
from copy import copy
from datetime import timedelta
from itertools import pairwise

import pytest
from celery.schedules import maybe_schedule

from beanpost.celery import app
from beanpost.play.deadlines.outages import LONGEST_GAP
from beanpost.post.deliver import sending
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


@pytest.mark.parametrize("task", ["beanpost.play.tasks.sweep", "beanpost.post.tasks.read"])
def test_frequent_sender_tasks_delay_no_other_task_for_long(task):
    """Two workers take the oldest task that has not expired; each sender has letters for more than its time slice."""
    every, expires = next(
        (int(entry["schedule"]), entry["options"]["expires"])
        for entry in app.conf.beat_schedule.values()
        if entry["task"] == task
    )
    waiting: deque[tuple[bool, int]] = deque()
    free, done = [0, 0], [0]
    for now in range(3600):
        if now % 3 == 0:
            waiting.append((True, now + wake_up.EXPIRES))
        if now % every == 0:
            waiting.append((False, now + expires))
        for worker in range(2):
            while free[worker] <= now and waiting:
                is_sender, until = waiting.popleft()
                if is_sender and until > now:
                    free[worker] = now + round(sending.LONGEST_RUN.total_seconds()) + 5
                elif until > now:
                    done.append(now)
    longest = max(later - before for before, later in pairwise([*done, 3600]))
    assert longest < LONGEST_GAP.total_seconds() / 2


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
        ("beanpost.play.tasks.time_out", "sweep"),
        ("beanpost.post.tasks.deliver", "letters"),
        ("beanpost.post.tasks.read", "mail-in"),
        ("beanpost.leagues.tasks.run_periodic", "leagues"),
        ("beanpost.leagues.tasks.queue_webhook_calls", "leagues"),
        ("beanpost.leagues.tasks.call_webhook", "slow"),
        ("beanpost.privacy.tasks.delete_old_data", "celery"),
    ],
)
def test_each_kind_of_work_has_its_own_queue(task, queue):
    assert app.amqp.router.route({}, task)["queue"].name == queue


def test_a_worker_takes_from_all_queues_unless_told_otherwise():
    assert set(app.amqp.queues) == {"sweep", "mail-in", "letters", "leagues", "celery", "slow"}
