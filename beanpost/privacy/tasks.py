"""Celery task of `privacy`: erase people who never came."""

from celery import shared_task

from beanpost.database import batches
from beanpost.play import clock
from beanpost.privacy import erasure


@shared_task
def forget_strangers() -> None:
    """Every hour: forget people who were invited long ago and never came."""
    batches.run_safely("forget_strangers", erasure.forget_strangers, clock.now())
