"""Rounds: how they were drawn, who sits at which table, and the results."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.models.seasons import Division, Entry, Season
from beanpost.play.models import Match, Place
from beanpost.play.seats.names import make_distinct
from beanpost.players.models import Player
from games.engine import catalogue


class Draw(models.Model):
    """A draw of rounds, kept for good. A redraw needs a reason, which everybody can read."""

    division = models.ForeignKey(Division, models.PROTECT, related_name="draws")
    nth = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=80)
    first = models.PositiveSmallIntegerField()  # the first round it drew
    rounds = models.JSONField(default=list)  # [{"tables": [[entry, …], …], "byes": [entry, …]}, …]
    reason = models.CharField(max_length=200, blank=True)
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    drawn_at = models.DateTimeField()

    class Meta:
        ordering = ("nth",)
        constraints = (models.UniqueConstraint(fields=("division", "nth"), name="one_draw_per_number"),)

    def __str__(self) -> str:
        return _("%(division)s, draw %(nth)d") % {"nth": self.nth, "division": self.division}

    @property
    def is_redraw(self) -> bool:
        """Whether an earlier draw covered the same rounds; some of those may have been played since."""
        earlier = Draw.objects.filter(division=self.division_id, nth__lt=self.nth)
        return any(draw.first + len(draw.rounds) > self.first for draw in earlier)


class Round(models.Model):
    class Phase(models.TextChoices):
        DRAWN = "drawn", _("drawn")
        PUBLISHED = "published", _("being played")
        CLOSED = "closed", _("closed")

    division = models.ForeignKey(Division, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    game = models.CharField(max_length=32)
    variant = models.CharField(max_length=32)
    phase = models.CharField(max_length=12, choices=Phase, default=Phase.DRAWN)
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    due_on = models.DateField(null=True, blank=True)  # the last day on which its tables should end
    warned_on = models.DateField(null=True, blank=True)  # when players of open tables were warned of that
    rungs = models.JSONField(null=True, blank=True)  # the ladder before closing, by entry, in case it is reopened

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("division", "number"), name="one_round_per_number"),)

    def __str__(self) -> str:
        return _("%(division)s, round %(number)d") % {"division": self.division, "number": self.number}

    @property
    def title(self) -> str:
        return catalogue.title(self.game)

    @property
    def is_final(self) -> bool:
        """Whether a knock-out ends with this round: everybody left sits at one table."""
        knock_out = self.division.season.format == Season.Format.KNOCK_OUT
        return knock_out and len(self.fixtures.all()) == 1 and not self.byes.all()


class Fixture(models.Model):
    """A table of a round; a match once it is published."""

    class Ending(models.TextChoices):
        OPEN = "", _("undecided")
        PLAYED = "played", _("played")
        ADJUDICATED = "adjudicated", _("decided by the organiser")
        ANNULLED = "annulled", _("doesn’t count")

    round = models.ForeignKey(Round, models.CASCADE, related_name="fixtures")  # a redraw deletes the rounds it replaces
    table = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="fixture")
    ending = models.CharField(max_length=12, choices=Ending, default=Ending.OPEN, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("round", "table")
        constraints = (models.UniqueConstraint(fields=("round", "table"), name="one_fixture_per_table"),)

    def __str__(self) -> str:
        return _("%(round)s, table %(table)d") % {"round": self.round, "table": self.table}

    @property
    def unready_names(self) -> list[str]:
        """The names of the players who have not said yet that they are ready, before the match begins."""
        places = self.match.places.all() if self.match else ()
        unready = {place.seat for place in places if place.confirmed_at is None}
        return [chair.sitter_name for chair in self.chairs.all() if chair.seat in unready]


class EarlierMatch(models.Model):
    """A match of a table that was played again. It is over, stays public, and counts for nothing."""

    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="earlier_matches")
    match = models.OneToOneField(Match, models.PROTECT, related_name="replaced_at_table")
    replaced_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"an earlier match of {self.fixture}"


class Chair(models.Model):
    """A seat of a fixture: the entry it belongs to, the player who sat there, and the result."""

    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="chairs")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="chairs")
    seat = models.PositiveSmallIntegerField()
    sitter = models.ForeignKey(Player, models.PROTECT, related_name="chairs")  # the entry's player, or a substitute
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.IntegerField(null=True, blank=True)
    forfeited = models.BooleanField(default=False)
    by_bot = models.BooleanField(default=False)  # a bot played it to the end

    class Meta:
        ordering = ("seat",)
        constraints = (
            models.UniqueConstraint(fields=("fixture", "seat"), name="one_chair_per_seat"),
            models.UniqueConstraint(fields=("fixture", "entry"), name="one_chair_per_entry"),
        )

    def __str__(self) -> str:
        return _("%(entry)s at %(fixture)s") % {"entry": self.entry, "fixture": self.fixture}

    @property
    def entry_name(self) -> str:
        """The name of the player whom the seat belongs to, with its letter where two are called alike."""
        others = [chair.entry.player.name for chair in self.fixture.chairs.all() if chair.pk != self.pk]
        return make_distinct(self.entry.player.name, self.seat, others)

    @property
    def public_entry_name(self) -> str:
        others = [chair.entry.player.public_name for chair in self.fixture.chairs.all() if chair.pk != self.pk]
        return make_distinct(self.entry.player.public_name, self.seat, others)

    @property
    def public_sitter_name(self) -> str:
        """The sitter's name as they want it shown, with the letter of the seat where two are called alike."""
        others = [chair.sitter.public_name for chair in self.fixture.chairs.all() if chair.pk != self.pk]
        return make_distinct(self.sitter.public_name, self.seat, others)

    @property
    def sitter_name(self) -> str:
        """The sitter's name, with the letter of the seat where two at the table are called alike."""
        others = [chair.sitter.name for chair in self.fixture.chairs.all() if chair.pk != self.pk]
        return make_distinct(self.sitter.name, self.seat, others)

    @property
    def left_to_bot(self) -> Place | None:
        """Return the seat at the table, if a bot plays it at the moment."""
        places = self.fixture.match.places.all() if self.fixture.match else ()
        return next((place for place in places if place.seat == self.seat and place.is_bot), None)


class Bye(models.Model):
    """An entry that sits out a round."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="byes")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("round", "entry"), name="one_bye_per_round"),)

    def __str__(self) -> str:
        return f"{self.entry} sits out {self.round}"
