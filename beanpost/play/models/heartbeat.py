"""When the house last looked at the clock, and when it did not."""

from __future__ import annotations

from django.db import models


class Pulse(models.Model):
    """The house's heartbeat: one row, touched by every sweep."""

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.beat_at)


class Outage(models.Model):
    """A time in which the house did not look at the clock. Nobody's time ran in it."""

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at}"
