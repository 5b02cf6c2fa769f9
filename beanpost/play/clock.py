"""Time. The only place that looks at a clock; everybody else is told what time it is."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

ALLOWANCES = {  # what a match may grant for one decision
    "brisk": timedelta(hours=12),
    "daily": timedelta(days=1),
    "relaxed": timedelta(days=3),
    "weekly": timedelta(days=7),
}
SHORTEST = timedelta(minutes=10)


def now() -> datetime:
    return timezone.now()


def due(asked_at: datetime, allowance: timedelta) -> datetime:
    """When the time for a decision is up."""
    return asked_at + allowance


def reminder(asked_at: datetime, allowance: timedelta) -> datetime:
    """When to remind, once: with a quarter of the time left."""
    return asked_at + allowance * 3 / 4
