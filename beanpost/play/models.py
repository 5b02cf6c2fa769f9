"""The table: matches, who sits at them, what was said, and whom they wait for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NoReturn

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

import games
from beanpost.play.pace import Pace
from beanpost.play.pace import read as read_pace
from beanpost.players.models import Player
from games.chairs import HOUSE
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
    pace = models.CharField(max_length=100, default="daily")  # as pace.read takes it
    allowance = models.DurationField()  # of that pace, for one sitting
    away_days = models.PositiveSmallIntegerField(null=True, blank=True)  # of absence it honours; None: all
    open_to_all = models.BooleanField(default=False)
    listed = models.BooleanField(default=True)  # on the front page, where it is open; otherwise only by its link
    keeper = models.ForeignKey(Player, models.PROTECT, related_name="kept")
    phase = models.CharField(max_length=16, choices=Phase, default=Phase.GATHERING, db_index=True)
    ending = models.CharField(max_length=16, blank=True)  # finished, annulled, adjudicated, expired
    follows = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="followed_by")
    commitment = models.CharField(max_length=64)
    card_digest = models.CharField(max_length=64, blank=True)  # of the card as it was, where a name was erased since
    length = models.PositiveIntegerField(default=0)  # how many lines the log has
    head = models.CharField(max_length=64, blank=True)  # the digest of the last one
    dealt = models.PositiveIntegerField(default=0)  # how many were ever the dealer's, taken back or not
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)  # when a table that never filled is cleared
    paused_at = models.DateTimeField(null=True, blank=True)
    practice = models.BooleanField(default=False, editable=False)  # a guest's, against bots: removed after a while

    class Meta:
        verbose_name_plural = "matches"
        indexes = (
            models.Index(fields=("expires_at",), name="match_expires", condition=Q(expires_at__isnull=False)),
            models.Index(fields=("paused_at",), name="match_paused", condition=Q(paused_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{games.get(self.game).title} {self.code}"

    @property
    def rhythm(self) -> Pace:
        return read_pace(self.pace)


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
    """A seat at a match and who sits there; nobody named: a bot. A bot may also sit in for somebody who is absent."""

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

    # time and absence
    bank = models.DurationField(default=timedelta)  # saved up, to be used when the allowance is not enough
    excuses = models.PositiveSmallIntegerField(default=Pace.excuses)  # how often more time can still be given
    misses = models.PositiveSmallIntegerField(default=0)  # sittings in a row that the clock has ended
    stand_in = models.BooleanField(default=False)  # a bot sits in
    resigned_at = models.DateTimeField(null=True, blank=True)
    unreached = models.DurationField(default=timedelta)  # how long the clock stood still since letters came back
    nudge_at = models.DateTimeField(null=True, blank=True)  # when to ask: are you still playing?
    nudged = models.BooleanField(default=False)  # that has been asked, and nobody has answered
    card_name = models.CharField(max_length=40, blank=True)  # who sat here first, as on the match's card; "": the same
    seated = models.PositiveIntegerField(default=0)  # the line with which the present occupant sat down

    class Meta:
        ordering = ("seat",)
        indexes = (models.Index(fields=("nudge_at",), name="place_nudge", condition=Q(nudge_at__isnull=False)),)
        constraints = (
            models.UniqueConstraint(fields=("match", "seat"), name="one_place_per_seat"),
            models.UniqueConstraint(fields=("match", "player"), name="one_seat_per_player"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def hears(self) -> bool:
        """Whether notes are shown here: neither this match's nor all notes are muted."""
        return self.hears_notes and (self.player is None or self.player.hears_notes)

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays here: for good, or while somebody is absent."""
        return self.player_id is None or self.stand_in


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
    practice = models.BooleanField(default=False, editable=False)  # the one kind of line that may be removed

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
    since = models.DateTimeField()  # when the table began to wait for this seat, perhaps with an earlier question
    window = models.BooleanField(default=False)  # others may speak too: a limit of its own
    left = models.DurationField(null=True, blank=True)  # how much time there was when the match was paused
    credit = models.DurationField(default=timedelta)  # time since then that does not count
    credited_at = models.DateTimeField(null=True, blank=True)  # faults of the house before this are made good
    stalled_at = models.DateTimeField(null=True, blank=True)  # the sweep stumbled over it, and tries again later

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


class Departure(models.Model):
    """Somebody who sat at a match, and whose seat is another's now."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="departures")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="departures")
    name = models.CharField(max_length=40)
    seq = models.PositiveIntegerField()  # the line with which somebody else sat down
    left_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("match", "player"), name="leaves_a_match_once"),)

    def __str__(self) -> str:
        return self.name


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
    opened_at = models.DateTimeField()
    passed_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)  # carried out, or overtaken

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("match", "about", "seat"), condition=Q(closed_at=None), name="one_open_proposal"
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


class Pulse(models.Model):
    """The house's heartbeat: one row, touched by every sweep."""

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.beat_at)


class Outage(models.Model):
    """A time in which the house did not look at the clock. Nobody's time ran in it."""

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at}"


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
        seats=tuple(place.card_name or place.name for place in places),
        commitment=match.commitment,
        words=tuple(place.word for place in places),
    )
