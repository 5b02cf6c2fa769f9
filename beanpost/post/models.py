"""The post room's shelf: letters on their way, and as they went."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from beanpost.play.models import Match
from beanpost.players.models import Player


class Letter(models.Model):
    """A letter in the outbox: a row of the move that caused it, written and sent by the worker.

    What stands in it is for its recipient alone: bodies, links and options are kept out of the admin, of logs and of
    every text that names a letter.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting to be written")
        INFLIGHT = "inflight", _("being sent")
        RETRY = "retry", _("to be tried again")
        SENT = "sent", _("sent")
        FAILED = "failed", _("given up")
        DROPPED = "dropped", _("no longer needed")

    ON_THE_WAY = (State.QUEUED, State.INFLIGHT, State.RETRY)

    # the envelope
    recipient = models.ForeignKey(Player, models.PROTECT, related_name="letters")
    address = models.EmailField(blank=True)  # where it went; known once it is written
    match = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, related_name="letters")
    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=80)  # what it is about: the same news is written once
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # not before; while it is being sent: when we take the sender for dead
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    message_id = models.CharField(max_length=120, blank=True)
    error = models.CharField(max_length=80, blank=True)  # the kind of the last trouble, never its words

    # what is in it
    values = models.JSONField(default=dict, blank=True)  # what its writer needs to know beside the match
    subject = models.CharField(max_length=400, blank=True)  # seven long names have room in it
    text = models.TextField(blank=True)
    html = models.TextField(blank=True)
    source = models.BinaryField(default=bytes, blank=True)  # exactly as sent, and as it is sent again
    options = models.JSONField(default=list, blank=True)  # the numbered moves as printed

    class Meta:
        constraints = (models.UniqueConstraint(fields=("recipient", "kind", "key"), name="one_letter_per_news"),)
        indexes = (
            models.Index(fields=("due_at",), name="letter_due", condition=Q(state__in=("queued", "inflight", "retry"))),
            models.Index(fields=("recipient", "match", "kind"), name="letter_thread"),
        )

    def __str__(self) -> str:
        return f"{self.kind} letter {self.pk}"

    __repr__ = __str__
