"""The office's errand for Celery: what needs nobody's press."""

from celery import shared_task

from beanpost.leagues import errands
from beanpost.play import clock


@shared_task
def rounds_of_the_office() -> None:
    """Every hour: put ratings right, remind who has not answered an invitation, and write weekly letters where they
    go by themselves.
    """
    now = clock.now()
    errands.rate_again()
    errands.remind_silent(now)
    errands.write_weekly(now)
