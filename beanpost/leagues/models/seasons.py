"""A season: its format and scoring, its divisions and its entries."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.models.leagues import League
from beanpost.leagues.standings.points import SHARE, Scheme, UnknownScheme
from beanpost.leagues.standings.scoring import MEASURES, USUAL_TIE_BREAKS
from beanpost.players.models import Player


def usual_breaks() -> list[str]:
    return list(USUAL_TIE_BREAKS)


def check_points(text: str) -> None:
    try:
        Scheme.read(text)
    except UnknownScheme as refusal:
        raise ValidationError(_("Enter points from highest to lowest, such as “10 6 3 1”.")) from refusal


def check_breaks(names: Any) -> None:
    if not isinstance(names, list) or any(name not in MEASURES for name in names):
        raise ValidationError(_("Choose tie-breaks from: %(names)s.") % {"names": ", ".join(MEASURES)})


class Season(models.Model):
    class Format(models.TextChoices):
        ROUND_ROBIN = "round_robin", _("round robin: everyone plays everyone, as evenly as possible")
        SWISS = "swiss", _("Swiss: players with similar scores meet")
        LADDER = "ladder", _("ladder: neighbours play for their rungs")
        KNOCK_OUT = "knock_out", _("knock-out: the top half of each table goes through")
        CLASSIC = "classic", _("classic: round robin with a different game each round")

    class Phase(models.TextChoices):
        PLANNED = "planned", _("being planned")
        ENTERING = "entering", _("open for entries")
        CLOSED = "closed", _("entries closed")
        RUNNING = "running", _("being played")
        ENDED = "ended", _("over")

    class Annulled(models.TextChoices):
        NOTHING = "nothing", _("count for nothing")
        BYE = "bye", _("count like sitting out: the points of an average seat")
        REPLAY = "replay", _("are played again")

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=60)
    format = models.CharField(max_length=16, choices=Format, default=Format.ROUND_ROBIN)
    size = models.PositiveSmallIntegerField(default=4)  # seats at a table
    rounds = models.PositiveSmallIntegerField(default=5)  # a knock-out has as many as it takes
    points = models.CharField(max_length=60, default=SHARE, validators=[check_points])
    tie_breaks = models.JSONField(default=usual_breaks, validators=[check_breaks])
    moving = models.PositiveSmallIntegerField(default=2)  # how many entries move up and down between two divisions
    substitutes_score = models.BooleanField(default=True)  # whether they score for the entry they replace
    annulled = models.CharField(max_length=8, choices=Annulled, default=Annulled.BYE)  # tables that don't count
    most_entries = models.PositiveSmallIntegerField(null=True, blank=True)  # later entries go on the waiting list
    starts_on = models.DateField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    round_days = models.PositiveSmallIntegerField(null=True, blank=True)  # how long a round should take
    invitation_words = models.TextField(  # the organiser's own words, in every invitation
        max_length=1000, blank=True, default=""
    )
    phase = models.CharField(max_length=8, choices=Phase, default=Phase.PLANNED)
    cancelled_at = models.DateTimeField(null=True, blank=True)  # it is over, and was never played
    seed = models.CharField(max_length=64, blank=True)  # drawn by the house when entries close

    class Meta:
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("league", "name"), name="one_season_per_name"),)

    def __str__(self) -> str:
        return _("%(league)s: %(season)s") % {"league": self.league, "season": self.name}

    def clean(self) -> None:
        if not 2 <= self.size <= 7:
            raise ValidationError({"size": _("Tables have two to seven seats.")})
        if not 1 <= self.rounds <= 60:
            raise ValidationError({"rounds": _("A season has one to sixty rounds.")})
        if self.starts_on and self.ends_on and self.ends_on < self.starts_on:
            raise ValidationError({"ends_on": _("A season can’t end before it starts.")})
        if Season.objects.filter(league=self.league_id, name=self.name).exclude(pk=self.pk).exists():
            raise ValidationError({"name": _("This league already has a season with that name.")})

    @property
    def phase_label(self) -> str:
        """The phase as people read it."""
        return str(_("cancelled")) if self.cancelled_at else self.get_phase_display()

    @property
    def draws_ahead(self) -> bool:
        """Whether all rounds are drawn at once, because none depends on results."""
        return self.format in {self.Format.ROUND_ROBIN, self.Format.CLASSIC}


class Division(models.Model):
    MAX_DIVISIONS = 12  # per season: its page shows the standings of each
    MAIN = gettext_noop("Main division")  # of a season for which no organiser has named any

    season = models.ForeignKey(Season, models.PROTECT, related_name="divisions")
    name = models.CharField(max_length=60)
    level = models.PositiveSmallIntegerField(default=1)  # 1 is the highest
    paused_at = models.DateTimeField(null=True, blank=True)  # tables that begin while it is paused are paused too

    class Meta:
        ordering = ("level",)
        constraints = (models.UniqueConstraint(fields=("season", "level"), name="one_division_per_level"),)

    def __str__(self) -> str:
        return gettext(self.name) if self.name == self.MAIN else self.name

    def clean(self) -> None:
        if self.level is not None and not 1 <= self.level <= self.MAX_DIVISIONS:
            raise ValidationError(
                {"level": _("Levels run from 1 (the highest) to %(most)d.") % {"most": self.MAX_DIVISIONS}}
            )
        if Division.objects.filter(season=self.season_id, level=self.level).exclude(pk=self.pk).exists():
            raise ValidationError({"level": _("Another division already has that level.")})


class Entry(models.Model):
    """A person in a season: invited, playing, waiting for a place, a substitute, or gone."""

    class State(models.TextChoices):
        INVITED = "invited", _("invited")
        ENTERED = "entered", _("playing")
        WAITING = "waiting", _("on the waiting list")
        SUBSTITUTE = "substitute", _("substitute")
        DECLINED = "declined", _("declined")
        LEFT = "left", _("left")

    season = models.ForeignKey(Season, models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    division = models.ForeignKey(Division, models.SET_NULL, null=True, blank=True, related_name="entries")
    state = models.CharField(max_length=12, choices=State, default=State.INVITED)
    rung = models.PositiveSmallIntegerField(default=0)  # position on the ladder, or seeding by strength: 0 is the top
    invited_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    on_acceptance = models.CharField(  # the state they get when they accept, if an organiser asked them by name
        max_length=12, choices=State, blank=True, default=""
    )

    # Until a person accepts an invitation of the league, its organisers see only what they typed.
    typed_name = models.CharField(max_length=40, blank=True, default="")
    typed_address = models.EmailField(blank=True, default="")
    known = models.BooleanField(default=False)  # they have accepted one

    class Meta:
        ordering = ("rung", "pk")
        verbose_name_plural = "entries"
        constraints = (models.UniqueConstraint(fields=("season", "player"), name="one_entry_per_player"),)

    def __str__(self) -> str:
        return self.called

    @staticmethod
    def hidden() -> Q:
        """Match entries of people of whom the organisers see only what was typed."""
        return Q(known=False) & ~Q(typed_address="")

    @property
    def is_hidden(self) -> bool:
        return bool(self.typed_address) and not self.known

    @property
    def called(self) -> str:
        """Return the name that organisers see."""
        return (self.typed_name or self.typed_address) if self.is_hidden else self.player.name

    @property
    def shown_address(self) -> str:
        return self.typed_address if self.is_hidden else self.player.address

    @property
    def has_accepted(self) -> bool:
        """Whether the person has accepted this season by pressing a link. Until then nobody may make them play."""
        if self.state == self.State.LEFT:
            return self.answered_at is not None
        return self.state in {self.State.ENTERED, self.State.WAITING, self.State.SUBSTITUTE}
