"""The tables of the play app: matches and their seats, the log, open questions, proposals, the sweep's heartbeat."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NoReturn

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from beanpost.play.pace import Pace, parse_pace
from beanpost.players.models import Player
from games.contract.seats import HOUSE
from games.engine import catalogue
from games.verification.witness import Card

# ── matches ──


class Match(models.Model):
    """A game between people. Its log decides; this row holds settings made before it, and values derived from it."""

    class Phase(models.TextChoices):
        GATHERING = "gathering", _("waiting for players")
        RUNNING = "running", _("being played")
        ENDED = "ended", _("over")
        CALLED_OFF = "called off", _("called off before it started")

    TEXTS, ENVELOPES, NOTHING = 2, 1, 0

    code = models.CharField(max_length=32, unique=True)  # its public, unguessable identifier
    game = models.CharField(max_length=32)
    edition = models.PositiveSmallIntegerField()
    variant = models.CharField(max_length=32)
    seats = models.PositiveSmallIntegerField()
    pace = models.CharField(max_length=100, default="daily")  # in the syntax of pace.parse_pace
    allowance = models.DurationField()  # of that pace, for one sitting
    away_days = models.PositiveSmallIntegerField(null=True, blank=True)  # days of absence it honours; None: all
    open_to_all = models.BooleanField(default=False)
    listed = models.BooleanField(default=True)  # on the front page, if open to all; otherwise found by its link only
    keeper = models.ForeignKey(Player, models.PROTECT, related_name="kept")
    phase = models.CharField(max_length=16, choices=Phase, default=Phase.GATHERING, db_index=True)
    ending = models.CharField(max_length=16, blank=True)  # finished, annulled, adjudicated, expired
    follows = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="followed_by")
    commitment = models.CharField(max_length=64)
    card_digest = models.CharField(max_length=64, blank=True)  # of the original card, if a name on it was erased
    length = models.PositiveIntegerField(default=0)  # number of lines in the log
    head = models.CharField(max_length=64, blank=True)  # digest of the last line
    dealt = models.PositiveIntegerField(default=0)  # number of the dealer's lines, including those rewound
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)  # when a table that has not filled is called off
    paused_at = models.DateTimeField(null=True, blank=True)
    practice = models.BooleanField(default=False, editable=False)  # a guest's, against bots; deleted after a while
    watchable = models.BooleanField(default=False, editable=False)  # players may let others watch
    placed = models.BooleanField(default=False, editable=False)  # opened by a league, whose organisers fill the seats
    letters_kept = models.PositiveSmallIntegerField(default=TEXTS, editable=False)  # the kept part of its letters

    # Set by load.load_matches for a page or a batch of letters, like a Prefetch with to_attr: all scenes
    # made from this object share the same few queries. As an argument, it would pass through every letter and page.
    loaded: Any = None

    class Meta:
        verbose_name_plural = "matches"
        indexes = (
            models.Index(fields=("expires_at",), name="match_expires", condition=Q(expires_at__isnull=False)),
            models.Index(fields=("paused_at",), name="match_paused", condition=Q(paused_at__isnull=False)),
            models.Index(fields=("started_at",), name="match_watched", condition=Q(watchable=True, phase="running")),
            models.Index(fields=("game", "edition"), name="match_played", condition=Q(phase="running")),
            models.Index(
                fields=("letters_kept", "ended_at"),
                name="match_letters",
                condition=Q(ended_at__isnull=False, letters_kept__gt=0),
            ),
        )

    def __str__(self) -> str:
        return f"{catalogue.title(self.game)} {self.code}"

    def refresh_from_db(self, *args: Any, **options: Any) -> None:
        super().refresh_from_db(*args, **options)
        self.loaded = None

    @property
    def parsed_pace(self) -> Pace:
        return parse_pace(self.pace)


class Vault(models.Model):
    """The hidden part of a match: its secret and its cached state. Nobody may see it while the match runs."""

    match = models.OneToOneField(Match, models.PROTECT, primary_key=True)
    secret = models.BinaryField(max_length=32)
    memory = models.TextField(blank=True)
    remembered = models.PositiveIntegerField(default=0)  # the line after which `memory` was written

    def __str__(self) -> str:
        return f"the vault of match {self.match_id}"

    __repr__ = __str__


class Place(models.Model):
    """A seat and its player. Without a player it is a bot's; a bot may also play for an absent player."""

    match = models.ForeignKey(Match, models.PROTECT, db_index=False, related_name="places")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="places")
    name = models.CharField(max_length=40)  # the name they play under
    word = models.CharField(max_length=40, blank=True)
    word_of_house = models.BooleanField(default=False)
    occupant = models.PositiveIntegerField(default=1)  # raised to void every link sent before
    invited_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    hears_notes = models.BooleanField(default=True)
    wants_reminders = models.BooleanField(default=True)
    may_be_watched = models.BooleanField(default=False)  # the player lets us list the match for everybody

    # time and absence
    bank = models.DurationField(default=timedelta)  # saved time, used when the allowance is not enough
    excuses = models.PositiveSmallIntegerField(default=Pace.excuses)  # how often they can still be excused
    misses = models.PositiveSmallIntegerField(default=0)  # sittings in a row that timed out
    stand_in = models.BooleanField(default=False)  # a bot plays for the player
    resigned_at = models.DateTimeField(null=True, blank=True)
    waited_from = models.DateField(null=True, blank=True)  # the first day of an absence on which the match waited
    unreached = models.DurationField(default=timedelta)  # time given because letters bounced
    nudge_at = models.DateTimeField(null=True, blank=True)  # when to ask: are you still playing?
    nudged = models.BooleanField(default=False)  # that has been asked, and nobody has answered
    card_name = models.CharField(max_length=40, blank=True)  # the name on the match's card, where it is another
    here_at = models.DateTimeField(null=True, blank=True, editable=False)  # last seen at the open page; shown to nobody
    seated = models.PositiveIntegerField(default=0)  # the line with which the present occupant sat down

    has_played_before = False  # the same game, in an earlier match; computed by load.load_matches
    has_absences = False  # the player has announced days away; computed there, too
    is_awaited_elsewhere = False  # another match waits for the player's move; computed there, too

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
    def can_read_notes(self) -> bool:
        """Whether notes are shown here: the player has muted neither this match's notes nor all notes."""
        return self.hears_notes and (self.player is None or self.player.hears_notes)

    @property
    def is_keeper(self) -> bool:
        """Whether they may fill the table or call it off. In a league's match the keeper's seat is like any other."""
        return self.player_id == self.match.keeper_id and not self.match.placed

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays here: for good, or while the player is absent."""
        return self.player_id is None or self.stand_in


class Departure(models.Model):
    """A player who left a match and whose seat somebody else has taken over."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="departures")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="departures")
    name = models.CharField(max_length=40)
    seq = models.PositiveIntegerField()  # the line with which the successor sat down
    left_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("match", "player"), name="leaves_a_match_once"),)

    def __str__(self) -> str:
        return self.name


def build_card(match: Match, places: list[Place]) -> Card:
    """Return the match's card, with which its hash chain begins."""
    return Card(
        match=match.code,
        game=match.game,
        edition=match.edition,
        variant=match.variant,
        seats=tuple(place.card_name or place.name for place in places),
        commitment=match.commitment,
        words=tuple(place.word for place in places),
    )


# ── the log ──


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
    """A line of the log. `storage.append` inserts it; database triggers refuse updates and deletions."""

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


# ── open questions ──


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


# ── proposals ──


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


# ── the sweep's heartbeat ──


class Pulse(models.Model):
    """The heartbeat: row 1, updated by every sweep. Row 2 is written to check that the database still stores."""

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.beat_at)


class Outage(models.Model):
    """A span without a sweep, or one in which no letter left. It counts against nobody's time."""

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at}"
