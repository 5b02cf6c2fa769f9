"""A season's history: what organisers did, when and why."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.models.rounds import Fixture, Round
from beanpost.leagues.models.seasons import Division, Entry, Season


class Event(models.Model):
    """An organiser's action, in the sentence that confirmed it to them. Draws and letters have their own rows."""

    class Kind(models.TextChoices):
        ROUNDS = "rounds", _("rounds and draws")
        TABLES = "tables", _("tables and results")
        PEOPLE = "people", _("people")
        LETTERS = "letters", _("letters")
        SETTINGS = "settings", _("settings")

    season = models.ForeignKey(Season, models.CASCADE, related_name="events")
    division = models.ForeignKey(Division, models.SET_NULL, null=True, blank=True, related_name="events")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, blank=True, related_name="events")
    fixture = models.ForeignKey(Fixture, models.SET_NULL, null=True, blank=True, related_name="events")
    entry = models.ForeignKey(Entry, models.SET_NULL, null=True, blank=True, related_name="events")
    kind = models.CharField(max_length=8, choices=Kind)
    about = models.CharField(max_length=200)  # the row's name at that time: a redraw deletes rounds
    told = models.TextField()
    reason = models.CharField(max_length=200, blank=True)
    done_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    done_at = models.DateTimeField()

    class Meta:
        ordering = ("-done_at", "-pk")

    def __str__(self) -> str:
        return self.told
