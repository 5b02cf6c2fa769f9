"""The office's errand for Celery: what needs nobody's press."""

from celery import shared_task

from beanpost.leagues import errands
from beanpost.play import clock, stumbling


@shared_task
def rounds_of_the_office() -> None:
    """Every hour: put ratings right, invite people who were made to play unasked, remind those who have not answered
    an invitation, write weekly letters where they go by themselves, and forget people who never came.
    """
    now = clock.now()
    stumbling.done("rate_again", errands.rate_again)
    stumbling.done("ask_for_consent", errands.ask_for_consent, now)
    stumbling.done("remind_silent", errands.remind_silent, now)
    stumbling.done("write_weekly", errands.write_weekly, now)
    stumbling.done("forget_strangers", errands.forget_strangers, now)
