"""The sweep's heartbeat, and outages."""

from __future__ import annotations

from django.db import models


class Pulse(models.Model):
    """The heartbeat: one row, updated by every sweep."""

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.beat_at)


class Outage(models.Model):
    """A span without a sweep. It counts against nobody's time."""

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at}"
