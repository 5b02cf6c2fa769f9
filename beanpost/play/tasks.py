"""The table's errand for Celery: look at the clock."""

from celery import shared_task

from beanpost.play import clock, sweeping


@shared_task
def sweep() -> None:
    """Every half minute. What is due is kept in the database alone."""
    sweeping.sweep(clock.now())
