"""The office's errand for Celery: letters that need nobody's press."""

from celery import shared_task

from beanpost.leagues import errands
from beanpost.play import clock


@shared_task
def rounds_of_the_office() -> None:
    """Every hour: remind who has not answered an invitation, and write weekly letters where they go by themselves."""
    now = clock.now()
    errands.remind_silent(now)
    errands.write_weekly(now)
