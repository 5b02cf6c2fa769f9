"""Celery tasks of `leagues`: its hourly work, dealing, and webhooks."""

import logging

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded

from beanpost.database import batches
from beanpost.leagues import periodic
from beanpost.leagues.seasons import dealing
from beanpost.leagues.webhooks import calls
from beanpost.play import clock

log = logging.getLogger(__name__)


@shared_task
def run_periodic() -> None:
    """Run the hourly work of the leagues.

    Remind people who have not answered, warn of deadlines, and send weekly letters.
    """
    now = clock.now()
    batches.run_safely("remind_silent", periodic.remind_silent_people, now)
    batches.run_safely("warn_of_deadlines", periodic.warn_of_deadlines, now)
    batches.run_safely("write_weekly", periodic.queue_weekly_letters, now)


@shared_task
def recompute_ratings() -> None:
    """Recompute ratings every hour if a match no longer counts. This may take minutes, so no letter waits for it."""
    try:
        batches.run_safely("rate_again", periodic.recompute_ratings_if_needed)
    except SoftTimeLimitExceeded:
        log.error("Recomputing the ratings takes longer than a task may. Run `manage.py ratings`, which has no limit.")


@shared_task
def deal_tables() -> None:
    """Deal the tables whose players have had a day to answer, every five minutes."""
    dealing.deal_due_tables(clock.now())


@shared_task
def queue_webhook_calls() -> None:
    """Queue the news of leagues for their webhooks, every minute."""
    calls.queue_all_news(clock.now())


@shared_task(soft_time_limit=10, time_limit=15)
def call_webhooks() -> None:
    """Have each webhook called that has something to send, every half minute."""
    for webhook in calls.list_due_webhooks(clock.now()):
        call_webhook.delay(webhook)


@shared_task(soft_time_limit=10, time_limit=15)
def call_webhook(webhook: int) -> None:
    """Make one call, and queue the next if it was taken."""
    if calls.send_next_call(webhook, clock.now()):
        call_webhook.delay(webhook)
