"""The queue: few fat tasks, woken by a letter or by the clock. It may lose a wake-up; the database loses nothing."""

import os
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "beanpost.settings")

# As long as a bell's call and a sender's turn together: workers take what was called first, and where letters are many
# and a mail server is slow they find so many calls for senders that all that expires sooner would never be done.
PATIENCE = 120

app = Celery("beanpost")
app.config_from_object("django.conf:settings", namespace="CELERY")  # the broker, which the environment chooses
app.autodiscover_tasks()

app.conf.update(
    beat_schedule={
        # All are safe to run twice or late: they ask the database what is due.
        "letters left behind": {"task": "beanpost.post.tasks.deliver", "schedule": 20.0, "options": {"expires": 20}},
        "replies left behind": {"task": "beanpost.post.tasks.read", "schedule": 20.0, "options": {"expires": PATIENCE}},
        "daily letters": {
            "task": "beanpost.post.tasks.write_daily",
            "schedule": 30.0,
            "options": {"expires": PATIENCE},
        },
        "new addresses": {
            "task": "beanpost.post.tasks.move_addresses",
            "schedule": 300.0,
            "options": {"expires": PATIENCE},
        },
        # By the clock on the wall: an hour that is counted begins anew whenever beat does.
        "old letters": {
            "task": "beanpost.post.tasks.erase",
            "schedule": crontab(minute="17"),
            "options": {"expires": 3600},
        },
        "the office": {
            "task": "beanpost.leagues.tasks.rounds_of_the_office",
            "schedule": crontab(minute="47"),
            "options": {"expires": 3600},
        },
        "time is up": {"task": "beanpost.play.tasks.sweep", "schedule": 30.0, "options": {"expires": PATIENCE}},
    },
    timezone="UTC",
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_acks_late=True,  # a worker that dies has not done it
    task_reject_on_worker_lost=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # a worker waits for its broker as long as it takes
)


@setup_logging.connect
def keep_our_log(**_: Any) -> None:
    """Celery sets up a log of its own unless somebody says that it is done. Django has done it."""
