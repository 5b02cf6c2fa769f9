"""The log of a match, and the notes to it."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models

from beanpost.play.models.matches import Match


class LogIsFinal(Exception):
    """Raised on an attempt to change or delete a row of the log."""


class EventQuerySet(models.QuerySet["Event"]):
    def update(self, **values: Any) -> NoReturn:
        raise LogIsFinal

    def delete(self) -> NoReturn:
        raise LogIsFinal

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise LogIsFinal


class Event(models.Model):
    """A line of the log. `append.append` inserts it; database triggers refuse updates and deletions."""

    class Origin(models.TextChoices):
        PLAYER = "player"
        BOT = "bot"
        CLOCK = "clock"
        HOUSE = "house"
        DEALER = "dealer"
        ORGANISER = "organiser"

    match = models.ForeignKey(Match, models.PROTECT, db_index=False, related_name="events")
    seq = models.PositiveIntegerField()
    seat = models.SmallIntegerField()
    line = models.TextField()
    origin = models.CharField(max_length=16, choices=Origin)
    said_at = models.DateTimeField()  # in whole seconds, as in the seal
    digest = models.CharField(max_length=64)
    practice = models.BooleanField(default=False, editable=False)  # only rows of practice matches may be deleted

    objects = EventQuerySet.as_manager()

    class Meta:
        ordering = ("seq",)
        constraints = (models.UniqueConstraint(fields=("match", "seq"), name="one_event_per_line"),)

    def __str__(self) -> str:
        return f"line {self.seq} of match {self.match_id}"

    __repr__ = __str__

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise LogIsFinal
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise LogIsFinal


class Note(models.Model):
    """A few words to the table, attached to a line. Not part of the log."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="notes")
    seat = models.SmallIntegerField()  # HOUSE: the reason for an organiser's decision
    seq = models.PositiveIntegerField()  # the line it is attached to
    text = models.CharField(max_length=200)
    said_at = models.DateTimeField()
    reported_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("seq", "pk")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "seq"), name="one_note_per_move"),)

    def __str__(self) -> str:
        return f"note {self.pk} of match {self.match_id}"
