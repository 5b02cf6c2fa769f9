"""The post room's errands for Celery."""

from celery import shared_task

from beanpost.play import clock
from beanpost.post import outbox, sending


@shared_task
def deliver() -> None:
    """Send what is due: called after a move, and every twenty seconds for what was left behind."""
    sending.deliver(clock.now)


@shared_task
def erase() -> None:
    """Forget the bodies of old letters."""
    outbox.erase(clock.now())
