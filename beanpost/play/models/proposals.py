"""Proposals that the players of a match vote on."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from beanpost.play.models.log import Event
from beanpost.play.models.matches import Match
from beanpost.players.models import Player
from games.contract.seats import HOUSE


class Proposal(models.Model):
    """Something the players vote on: to pause, to resume, to rewind, to give a seat to somebody else."""

    class About(models.TextChoices):
        PAUSE = "pause"
        RESUME = "resume"
        REWIND = "rewind"
        GIVE = "give"

    match = models.ForeignKey(Match, models.PROTECT, related_name="proposals")
    about = models.CharField(max_length=8, choices=About)
    seat = models.SmallIntegerField(default=HOUSE)  # the seat to be given away; HOUSE: about no seat
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")  # who gets the seat
    origin = models.CharField(max_length=16, choices=Event.Origin)  # a player or an organiser
    line = models.PositiveIntegerField(null=True, blank=True)  # the line to rewind to
    length = models.PositiveIntegerField(default=0)  # length of the log when it was proposed
    reason = models.CharField(max_length=200, blank=True, default="")  # given by an organiser
    opened_at = models.DateTimeField()
    passed_at = models.DateTimeField(null=True, blank=True)
    free_at = models.DateTimeField(null=True, blank=True)  # until then the absent player can keep their seat
    accepted_at = models.DateTimeField(null=True, blank=True)  # the newcomer accepted before that
    vetoed_at = models.DateTimeField(null=True, blank=True)  # the absent player kept the seat
    closed_at = models.DateTimeField(null=True, blank=True)  # carried out, superseded or vetoed

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(
                fields=("free_at",),
                condition=Q(closed_at=None, accepted_at__isnull=False),
                name="proposal_newcomer_waits",
            ),
        )
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
    """A seat's vote for a proposal."""

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="voices")
    seat = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("proposal", "seat"), name="one_voice_per_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat} for proposal {self.proposal_id}"
