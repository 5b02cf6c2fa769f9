"""Celery task of `privacy`: delete what has been kept long enough."""

from celery import shared_task

from beanpost.play import clock
from beanpost.privacy import storage_limits


@shared_task
def delete_old_data() -> None:
    """Every hour: keep the promises of the privacy page."""
    storage_limits.delete_old_data(clock.now())
