"""The guest book: who our players are, where and in which language to reach them."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models


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
