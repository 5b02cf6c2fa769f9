"""The table: matches, who sits at them, what was said, and whom they wait for."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from beanpost.players.models import Player
from games.witness import Card


class Match(models.Model):
    """A game between people. Its log is the truth; the rest of this row is derived from it or known before it."""

    class Phase(models.TextChoices):
        GATHERING = "gathering", _("waiting for players")
        RUNNING = "running", _("being played")
        ENDED = "ended", _("over")
        CALLED_OFF = "called off", _("called off before it began")

    code = models.CharField(max_length=32, unique=True)  # its public, unguessable name
    game = models.CharField(max_length=32)
    edition = models.PositiveSmallIntegerField()
    variant = models.CharField(max_length=32)
    seats = models.PositiveSmallIntegerField()
    allowance = models.DurationField()
    open_to_all = models.BooleanField(default=False)
    keeper = models.ForeignKey(Player, models.PROTECT, related_name="kept")
    phase = models.CharField(max_length=16, choices=Phase, default=Phase.GATHERING, db_index=True)
    ending = models.CharField(max_length=16, blank=True)  # finished, annulled, adjudicated, expired
    follows = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="followed_by")
    commitment = models.CharField(max_length=64)
    length = models.PositiveIntegerField(default=0)  # how many lines the log has
    head = models.CharField(max_length=64, blank=True)  # the digest of the last one
    dealt = models.PositiveIntegerField(default=0)  # how many were ever the dealer's, taken back or not
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return f"{self.game} {self.code}"


class Vault(models.Model):
    """What nobody may see while the match runs: its secret, and the state it was left in."""

    match = models.OneToOneField(Match, models.PROTECT, primary_key=True)
    secret = models.BinaryField(max_length=32)
    memory = models.TextField(blank=True)
    remembered = models.PositiveIntegerField(default=0)  # after which line the memory was written

    def __str__(self) -> str:
        return f"the vault of match {self.match_id}"

    __repr__ = __str__


class Place(models.Model):
    """A seat at a match and who sits there; nobody named: a bot."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="places")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="places")
    name = models.CharField(max_length=40)  # the name they play under
    word = models.CharField(max_length=40, blank=True)
    word_of_house = models.BooleanField(default=False)
    occupant = models.PositiveIntegerField(default=1)  # renewed to void every link sent before
    invited_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    hears_notes = models.BooleanField(default=True)
    wants_reminders = models.BooleanField(default=True)

    class Meta:
        ordering = ("seat",)
        constraints = (
            models.UniqueConstraint(fields=("match", "seat"), name="one_place_per_seat"),
            models.UniqueConstraint(fields=("match", "player"), name="one_seat_per_player"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        return self.player_id is None


class LogIsFinal(Exception):
    """Somebody tried to change or remove a row of the log."""


class EventQuerySet(models.QuerySet["Event"]):
    def update(self, **values: Any) -> NoReturn:
        raise LogIsFinal

    def delete(self) -> NoReturn:
        raise LogIsFinal

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise LogIsFinal


class Event(models.Model):
    """A line of the log. Appended once, by `history.append`; the database refuses anything else."""

    class Origin(models.TextChoices):
        PLAYER = "player"
        BOT = "bot"
        CLOCK = "clock"
        HOUSE = "house"
        DEALER = "dealer"
        ORGANISER = "organiser"

    match = models.ForeignKey(Match, models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    seat = models.SmallIntegerField()
    line = models.TextField()
    origin = models.CharField(max_length=16, choices=Origin)
    said_at = models.DateTimeField()  # in whole seconds, as it is sealed
    digest = models.CharField(max_length=64)

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


class Wait(models.Model):
    """An open question. It is named by the seat and by the line after which it was first asked."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="waits")
    seat = models.PositiveSmallIntegerField()
    about = models.CharField(max_length=120)
    opened = models.PositiveIntegerField()
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)  # None: nobody waits for this seat
    remind_at = models.DateTimeField(null=True, blank=True)  # None: there is nothing to remind of any more

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
        )

    def __str__(self) -> str:
        return f"{self.about}, seat {self.seat} of match {self.match_id}"


class Order(models.Model):
    """A standing order of a seat. Nobody else learns that it exists, so it is no part of the log."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="orders")
    seat = models.PositiveSmallIntegerField()
    line = models.TextField()
    given_at = models.DateTimeField()
    answered = models.JSONField(default=list)  # the lines of the log it said
    lapsed_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)  # why it lapsed: a phrase, and what fills its gaps
    values = models.JSONField(default=dict)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("match",), name="order_open", condition=Q(lapsed_at__isnull=True)),)

    def __str__(self) -> str:
        return f"order {self.pk} at match {self.match_id}"

    __repr__ = __str__


class Note(models.Model):
    """A few words to the table that went with a move. Not part of the log."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="notes")
    seat = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField()  # the line it went with
    text = models.CharField(max_length=200)
    said_at = models.DateTimeField()
    reported_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("seq", "pk")
        constraints = (models.UniqueConstraint(fields=("match", "seat", "seq"), name="one_note_per_move"),)

    def __str__(self) -> str:
        return f"note {self.pk} of match {self.match_id}"


def card(match: Match, places: list[Place]) -> Card:
    """The match's card, with which its chain of digests begins."""
    return Card(
        match=match.code,
        game=match.game,
        edition=match.edition,
        variant=match.variant,
        seats=tuple(place.name for place in places),
        commitment=match.commitment,
        words=tuple(place.word for place in places),
    )
