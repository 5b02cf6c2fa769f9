"""The guest book: who our players are, where and in which language to reach them."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Player(models.Model):
    """A person, known by a mail address. There is no password: whoever reads the address's letters is them."""

    address = models.EmailField(unique=True)  # as `book.tidy_address` writes it
    name = models.CharField(max_length=40)
    language = models.CharField(max_length=8, choices=settings.LANGUAGES, default="en")
    zone = models.CharField(max_length=64, default="UTC")
    joined_at = models.DateTimeField()
    unwanted_at = models.DateTimeField(null=True, blank=True)  # "never write to this address again"

    def __str__(self) -> str:
        return self.name

    @property
    def tz(self) -> ZoneInfo:
        return ZoneInfo(self.zone)


class Away(models.Model):
    """Days on which somebody cannot play. They are taken from the stock only when a question would fall due."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="absences")
    first = models.DateField()
    last = models.DateField()
    used_from = models.DateField(null=True, blank=True)  # the days that were needed; None: none was
    used_until = models.DateField(null=True, blank=True)
    announced_at = models.DateTimeField()

    class Meta:
        ordering = ("first",)
        constraints = (models.CheckConstraint(condition=Q(first__lte=F("last")), name="away_forwards"),)

    def __str__(self) -> str:
        return f"{self.player_id}: {self.first} to {self.last}"

    @property
    def days_used(self) -> int:
        if self.used_from is None or self.used_until is None:
            return 0
        return max((self.used_until - self.used_from).days + 1, 0)
