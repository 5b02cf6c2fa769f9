"""Matches, their seats and their secrets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from beanpost.play.pace import Pace, parse_pace
from beanpost.players.models import Player
from games.engine import catalogue
from games.verification.witness import Card


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
