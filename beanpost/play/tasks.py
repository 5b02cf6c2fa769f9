"""Celery tasks of `play`: the sweep."""

from celery import current_app, shared_task
from django.db import connection

from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.timekeeping import reminders, timeouts
from beanpost.play.timekeeping import sweep as sweeping


@shared_task
def sweep() -> None:
    """Run the sweep, every half minute. All deadlines are in the database, none in the broker."""
    sweeping.sweep_now(call_helper)


def call_helper() -> None:
    """Ask another worker to share the rows that are due. That is no use on SQLite, which has one writer."""
    if connection.features.has_select_for_update_skip_locked:
        current_app.send_task("beanpost.play.tasks.share")


@shared_task
def share() -> None:
    """Help a sweep with reminders and time-outs, on another worker: see `handle_all_due`."""
    now = clock.now()
    if outages.is_clock_right(now):
        reminders.remind_players(now, call_helper)
        timeouts.time_out_all(now, call_helper)
