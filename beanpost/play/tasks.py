"""The table's errand for Celery: look at the clock."""

from celery import shared_task

from beanpost.play import clock, late


@shared_task
def sweep() -> None:
    """Every half minute: remind, and speak for whoever's time is up. What is due is kept in the database alone."""
    now = clock.now()
    late.remind(now)
    late.time_out(now)
