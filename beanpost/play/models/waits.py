"""Open questions, and the standing orders that may answer them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q

from beanpost.play.models.matches import Match


class Wait(models.Model):
    """An open question, identified by its seat and by `opened`, the line after which it was first asked."""

    match = models.ForeignKey(Match, models.PROTECT, db_index=False, related_name="waits")
    seat = models.PositiveSmallIntegerField()
    about = models.CharField(max_length=120)
    opened = models.PositiveIntegerField()
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)  # None: nobody waits for this seat
    rounding = models.DurationField(default=timedelta)  # what `due_at` adds to the time given
    remind_at = models.DateTimeField(null=True, blank=True)  # None: no reminder, or it was sent
    since = models.DateTimeField()  # when the table began to wait for this seat, perhaps with an earlier question
    window = models.BooleanField(default=False)  # others may speak too, so it has its own time limit
    left = models.DurationField(null=True, blank=True)  # time left when the match was paused, before rounding
    credit = models.DurationField(default=timedelta)  # time after `since` that does not count
    credited_at = models.DateTimeField(null=True, blank=True)  # outages before this have been credited
    stalled_at = models.DateTimeField(null=True, blank=True)  # when the sweep failed on it; it retries later

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("match", "seat"), name="one_question_per_seat"),
            models.CheckConstraint(
                condition=Q(remind_at=None) | Q(due_at=None) | Q(remind_at__lte=F("due_at")), name="remind_before_due"
            ),
        )
        indexes = (
            models.Index(fields=("due_at",), name="wait_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=("remind_at",), name="wait_remind", condition=Q(remind_at__isnull=False)),
            models.Index(fields=("stalled_at",), name="wait_stalled", condition=Q(stalled_at__isnull=False)),
            models.Index(fields=("match",), name="wait_stopped", condition=Q(left__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.about}, seat {self.seat} of match {self.match_id}"

    @property
    def uncredited_since(self) -> datetime:
        """Since when outages have not been given back."""
        return self.credited_at or self.since

    @property
    def is_blocking(self) -> bool:
        """Whether the table waits for this seat. In a paused match `left` takes the place of the deadline."""
        return self.due_at is not None or self.left is not None


class Order(models.Model):
    """A standing order of a seat. Nobody else may learn that it exists, so it is not part of the log."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="orders")
    seat = models.PositiveSmallIntegerField()
    line = models.TextField()
    given_at = models.DateTimeField()
    answered = models.JSONField(default=list)  # the lines of the log that it played
    lapsed_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)  # why it lapsed: a phrase, filled in with `values`
    values = models.JSONField(default=dict)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("match",), name="order_open", condition=Q(lapsed_at__isnull=True)),)

    def __str__(self) -> str:
        return f"order {self.pk} at match {self.match_id}"

    __repr__ = __str__
