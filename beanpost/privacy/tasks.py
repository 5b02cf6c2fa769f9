"""Celery task of `privacy`: delete what has been kept long enough."""

from celery import shared_task

from beanpost.play import clock
from beanpost.privacy import storage_limits


@shared_task
def delete_old_data(first: int = 0) -> None:
    """Every hour: keep the promises of the privacy page. A long run hands over to a new task."""
    unfinished = storage_limits.delete_old_data(clock.now(), first)
    if unfinished is not None:
        delete_old_data.delay(unfinished)
