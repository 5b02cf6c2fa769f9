"""The sweep's heartbeat, and outages."""

from __future__ import annotations

from django.db import models


class Pulse(models.Model):
    """The heartbeat: row 1, updated by every sweep. Row 2 is written to check that the database still stores."""

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.beat_at)


class Outage(models.Model):
    """A span without a sweep, or one in which no letter left. It counts against nobody's time."""

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at}"
