"""What the people at a table decide together."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from beanpost.play.models.log import Event
from beanpost.play.models.matches import Match
from beanpost.players.models import Player
from games.chairs import HOUSE


class Proposal(models.Model):
    """Something the people at a table decide together: to pause, to go on, to go back, to give a seat away."""

    class About(models.TextChoices):
        PAUSE = "pause"
        RESUME = "resume"
        REWIND = "rewind"
        GIVE = "give"

    match = models.ForeignKey(Match, models.PROTECT, related_name="proposals")
    about = models.CharField(max_length=8, choices=About)
    seat = models.SmallIntegerField(default=HOUSE)  # which is to be given away; the house's: it is about no seat
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")  # to whom
    origin = models.CharField(max_length=16, choices=Event.Origin)  # the table itself, or an organiser
    line = models.PositiveIntegerField(null=True, blank=True)  # to which the table is to go back
    length = models.PositiveIntegerField(default=0)  # how many lines the log had when that was proposed
    reason = models.CharField(max_length=200, blank=True, default="")  # which an organiser has told
    opened_at = models.DateTimeField()
    passed_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)  # carried out, or overtaken

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("match", "about", "seat"),
                condition=Q(closed_at=None, passed_at=None),
                name="one_open_proposal",
            ),
        )

    def __str__(self) -> str:
        return f"{self.about} at match {self.match_id}"


class Voice(models.Model):
    """Somebody's yes to a proposal."""

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="voices")
    seat = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("proposal", "seat"), name="one_voice_per_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat} for proposal {self.proposal_id}"
