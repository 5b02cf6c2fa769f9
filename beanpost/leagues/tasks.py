"""The leagues' Celery task."""

from celery import shared_task

from beanpost.leagues import errands
from beanpost.play import clock, stumbling


@shared_task
def rounds_of_the_office() -> None:
    """Run the hourly work of the leagues.

    Recompute ratings, invite people who were entered without being asked, remind people who have not answered, send
    weekly letters and erase people who never came.
    """
    now = clock.now()
    stumbling.done("rate_again", errands.rate_again)
    stumbling.done("ask_for_consent", errands.ask_for_consent, now)
    stumbling.done("remind_silent", errands.remind_silent, now)
    stumbling.done("write_weekly", errands.write_weekly, now)
    stumbling.done("forget_strangers", errands.forget_strangers, now)
