"""The post room's errands for Celery."""

from __future__ import annotations

from datetime import datetime

from celery import Task, shared_task

from beanpost.play import clock
from beanpost.post import digests, inbox, keeping, moving, replying, sending, tracking, visitors


@shared_task(bind=True)
def deliver(self: Task[[int], None], others: int = 1) -> None:
    """Read what came back and send what is due: called after a move, and every twenty seconds for what was left."""
    if has_expired(self.request.expires):
        return
    tracking.read(clock.now)
    sending.deliver(clock.now, others)


@shared_task
def read() -> None:
    """Read the replies that have come: called when one does, and every twenty seconds for what was left behind."""
    replying.read_waiting(clock.now)


@shared_task
def write_daily() -> None:
    """Every half minute: queue the daily letters whose hour has come."""
    digests.write_due(clock.now())


@shared_task
def move_addresses() -> None:
    """Every few minutes: carry out the changes of address that have waited long enough."""
    moving.carry_out(clock.now())


@shared_task
def erase() -> None:
    """Forget the bodies of old letters and replies, and what was told about letters."""
    keeping.erase(clock.now())
    inbox.erase(clock.now())
    tracking.erase(clock.now())
    visitors.erase(clock.now())


def has_expired(until: object) -> bool:
    """Whether a call has waited too long. Celery asks that when it fetches one, which may then wait for a thread."""
    return until is not None and datetime.fromisoformat(str(until)) < clock.now()
