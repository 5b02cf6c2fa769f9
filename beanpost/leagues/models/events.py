"""The history of a league: what organisers did, when and why, and which columns it changed."""

from __future__ import annotations

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.models.leagues import League
from beanpost.leagues.models.rounds import Fixture, Round
from beanpost.leagues.models.seasons import Division, Entry, Season


class LeagueEvent(models.Model):
    """An organiser's action, in the sentence that confirmed it, or what a form changed.

    Draws and letters have rows of their own.
    """

    class Kind(models.TextChoices):
        ROUNDS = "rounds", _("rounds and draws")
        TABLES = "tables", _("tables and results")
        PEOPLE = "people", _("people")
        LETTERS = "letters", _("letters")
        SETTINGS = "settings", _("settings")

    league = models.ForeignKey(League, models.CASCADE, related_name="events")
    season = models.ForeignKey(Season, models.CASCADE, null=True, blank=True, related_name="events")
    division = models.ForeignKey(Division, models.SET_NULL, null=True, blank=True, related_name="events")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, blank=True, related_name="events")
    fixture = models.ForeignKey(Fixture, models.SET_NULL, null=True, blank=True, related_name="events")
    entry = models.ForeignKey(Entry, models.SET_NULL, null=True, blank=True, related_name="events")
    kind = models.CharField(max_length=8, choices=Kind)
    about = models.CharField(max_length=200)  # the row's name at that time: a redraw deletes rounds
    told = models.TextField(blank=True)  # "" if a form changed columns only
    changes = models.JSONField(default=dict, encoder=DjangoJSONEncoder)  # column → [before, after], keys for relations
    reason = models.CharField(max_length=200, blank=True)
    done_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    done_at = models.DateTimeField()

    class Meta:
        ordering = ("-done_at", "-pk")

    def __str__(self) -> str:
        return self.told
