"""Celery task of `leagues`: its hourly work."""

from celery import shared_task

from beanpost import batches
from beanpost.leagues import periodic
from beanpost.play import clock


@shared_task(name="beanpost.leagues.tasks.rounds_of_the_office")  # queued tasks and schedules know it by this name
def run_periodic() -> None:
    """Run the hourly work of the leagues.

    Recompute ratings, invite people who were entered without being asked, remind people who have not answered, and send
    weekly letters.
    """
    now = clock.now()
    batches.run_safely("rate_again", periodic.rate_again)
    batches.run_safely("ask_for_consent", periodic.ask_for_consent, now)
    batches.run_safely("remind_silent", periodic.remind_silent, now)
    batches.run_safely("write_weekly", periodic.write_weekly, now)
