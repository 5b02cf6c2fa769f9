"""Celery tasks for mail."""

from __future__ import annotations

from celery import shared_task

from beanpost.play import clock
from beanpost.post import address_moves
from beanpost.post.deliver import reports, sending
from beanpost.post.notify import daily_letters
from beanpost.post.outbox import requested
from beanpost.post.receive import replies


@shared_task
def deliver(others: int = 1) -> None:
    """Send due letters: after every move, and every twenty seconds for those left behind."""
    sending.deliver(clock.now, others)


@shared_task
def read() -> None:
    """Read what comes in: reports, requests for letters and replies; every twenty seconds also those left behind."""
    reports.process_reports(clock.now)
    requested.answer_requests(clock.now())
    replies.read_waiting(clock.now)


@shared_task
def write_daily() -> None:
    """Queue the daily letters that are due, every half minute."""
    daily_letters.write_due(clock.now())


@shared_task
def move_addresses() -> None:
    """Apply the changes of address that are due, every few minutes."""
    address_moves.apply_due_changes(clock.now())
