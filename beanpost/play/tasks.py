"""Celery task of `play`: the sweep."""

from celery import shared_task

from beanpost.play import clock
from beanpost.play.timekeeping import sweep as sweeping


@shared_task
def sweep() -> None:
    """Run the sweep, every half minute. All deadlines are in the database, none in the broker."""
    sweeping.sweep(clock.now())
