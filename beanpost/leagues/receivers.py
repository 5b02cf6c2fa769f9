"""What the office does when something happens at a table."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from beanpost.leagues import results
from beanpost.play import signals
from beanpost.play.models import Match


@receiver(signals.finished)
def note_result(match: Match, now: datetime, **_: Any) -> None:
    results.note(match, now=now)
