"""Letters that organisers write in their own words."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.models.rounds import Fixture
from beanpost.leagues.models.seasons import Division, Season


class News(models.Model):
    """An organiser's letter to people in a season. If it is public, the league's page shows it too."""

    class To(models.TextChoices):
        EVERYONE = "everyone", _("everyone in the season")
        DIVISION = "division", _("a division")
        TABLE = "table", _("a table")
        SILENT = "silent", _("players whom tables wait for")

    season = models.ForeignKey(Season, models.CASCADE, related_name="news")
    division = models.ForeignKey(Division, models.SET_NULL, null=True, blank=True, related_name="+")
    fixture = models.ForeignKey(Fixture, models.SET_NULL, null=True, blank=True, related_name="+")
    sent_to = models.CharField(max_length=8, choices=To, default=To.EVERYONE)
    headline = models.CharField(max_length=80)
    words = models.TextField(max_length=3000)
    is_public = models.BooleanField(default=False)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    written_at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        verbose_name_plural = "news"

    def __str__(self) -> str:
        return self.headline
