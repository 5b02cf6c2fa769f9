"""Celery tasks of `play`: the sweep."""

from celery import current_app, shared_task
from django.db import connection

from beanpost.play import clock
from beanpost.play.timekeeping import sweep as sweeping
from beanpost.play.timekeeping import timeouts

SOON = 30  # seconds; then the next sweep calls again


@shared_task
def sweep() -> None:
    """Run the sweep, every half minute. All deadlines are in the database, none in the broker."""
    if connection.features.has_select_for_update_skip_locked and timeouts.has_many_due(clock.now()):
        current_app.send_task("beanpost.play.tasks.time_out", expires=SOON)  # SQLite has one writer: no use there
    sweeping.sweep(clock.now())


@shared_task
def time_out() -> None:
    """Help a sweep with time-outs, on another worker. The two share the due rows: see `handle_all_due`."""
    timeouts.time_out_all(clock.now())
