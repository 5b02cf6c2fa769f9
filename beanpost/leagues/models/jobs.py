"""Long work on a season, which a Celery task does step by step."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from beanpost.leagues.models.seasons import Season


class Job(models.Model):
    """Inviting or drawing many people, or starting their rounds and tables.

    Each step and its count are stored in one transaction.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="jobs")
    action = models.CharField(max_length=16)
    steps: Any = models.JSONField(default=list)  # what is left to do at the start, one item per step
    done = models.PositiveIntegerField(default=0)  # how many steps are done
    changed = models.PositiveIntegerField(default=0)  # how many of them changed something
    told = models.TextField(blank=True)  # the result in words, in the organiser's language
    error = models.TextField(blank=True)
    language = models.CharField(max_length=8)
    reason = models.CharField(max_length=200, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("season",), condition=models.Q(finished_at=None), name="one_open_job_per_season"
            ),
        )

    def __str__(self) -> str:
        return f"{self.action} in {self.season}"

    @property
    def total(self) -> int:
        return len(self.steps)
