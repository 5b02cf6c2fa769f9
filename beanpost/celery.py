"""The Celery app and its schedule: a few large tasks, woken by a queued letter or by the clock.

The broker may lose a wake-up. The work itself is in the database, and the next scheduled run finds it.
"""

import os
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import setup_logging
from kombu import Queue

from beanpost.environment import read_text

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")

# A worker takes from its queues in turn. beanpost-sweeper takes only deadlines and replies, and beanpost-worker letters
# too, so that none of these waits behind a long task. beanpost-slow takes the rest: leagues, erasing ("celery"), and
# calls of other people's servers ("slow"), for which `serve` has threads.
SWEEP, LETTERS, MAIL_IN, LEAGUES, REST, SLOW = "sweep", "letters", "mail-in", "leagues", "celery", "slow"
QUICK = (SWEEP, MAIL_IN, LETTERS, LEAGUES, REST)
QUEUE_ARGUMENTS = {"x-queue-type": "quorum"} if read_text("CELERY_QUEUE_TYPE", "") == "quorum" else None
ROUTES = {
    "beanpost.play.tasks.*": SWEEP,
    "beanpost.post.tasks.deliver": LETTERS,
    "beanpost.post.tasks.write_daily": LETTERS,
    "beanpost.post.tasks.read": MAIL_IN,
    "beanpost.leagues.tasks.call_webhooks": SLOW,
    "beanpost.leagues.tasks.call_webhook": SLOW,
    "beanpost.leagues.tasks.*": LEAGUES,
}

app = Celery("beanpost")
app.config_from_object("django.conf:settings", namespace="CELERY")  # the broker, as set in the environment
app.autodiscover_tasks()

app.conf.update(
    beat_schedule={
        # All are safe to run twice or late: they query the database for what is due. None expires: a worker whose clock
        # is ahead would drop every one of them.
        "letters left behind": {"task": "beanpost.post.tasks.deliver", "schedule": 20.0},
        "replies left behind": {
            "task": "beanpost.post.tasks.read",
            "schedule": 20.0,
        },
        "daily letters": {
            "task": "beanpost.post.tasks.write_daily",
            "schedule": 30.0,
        },
        "new addresses": {
            "task": "beanpost.post.tasks.move_addresses",
            "schedule": 300.0,
        },
        # crontab, not an interval: an interval of an hour starts over whenever beat restarts.
        "the office": {
            "task": "beanpost.leagues.tasks.run_periodic",
            "schedule": crontab(minute="47"),
        },
        "ratings": {
            "task": "beanpost.leagues.tasks.recompute_ratings",
            "schedule": crontab(minute="37"),
        },
        "tables to deal": {
            "task": "beanpost.leagues.tasks.deal_tables",
            "schedule": 300.0,
        },
        "news for webhooks": {
            "task": "beanpost.leagues.tasks.queue_webhook_calls",
            "schedule": 60.0,
        },
        "webhooks": {
            "task": "beanpost.leagues.tasks.call_webhooks",
            "schedule": 30.0,
        },
        "old data": {
            "task": "beanpost.privacy.tasks.delete_old_data",
            "schedule": crontab(minute="57"),
        },
        "time is up": {"task": "beanpost.play.tasks.sweep", "schedule": 30.0},
    },
    task_queues=[Queue(name, queue_arguments=QUEUE_ARGUMENTS) for name in (*QUICK, SLOW)],
    task_default_queue=REST,
    task_routes={task: {"queue": queue} for task, queue in ROUTES.items()},
    timezone="UTC",
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_acks_late=True,  # if the worker dies, the task runs again
    task_reject_on_worker_lost=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # retry for ever
)


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Keep Django's logging: Celery configures its own unless this signal has a receiver."""
