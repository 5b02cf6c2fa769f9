"""Celery tasks of `play`: the sweep."""

from datetime import datetime

from celery import current_app, shared_task
from django.db import connection

from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.timekeeping import sweep as sweeping
from beanpost.play.timekeeping import timeouts


@shared_task
def sweep() -> None:
    """Run the sweep, every half minute. All deadlines are in the database, none in the broker."""
    sweeping.sweep_now(call_helper)


def call_helper(now: datetime) -> int:
    """Ask another worker for help if many questions are due. SQLite has one writer: no use there.

    Return 0, the number of things done here.
    """
    if connection.features.has_select_for_update_skip_locked and timeouts.has_many_due(now):
        current_app.send_task("beanpost.play.tasks.time_out")
    return 0


@shared_task
def time_out() -> None:
    """Help a sweep with time-outs, on another worker. The two share the due rows: see `handle_all_due`."""
    now = clock.now()
    if outages.is_clock_right(now):
        timeouts.time_out_all(now)
