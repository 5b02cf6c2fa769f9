"""The organisers' office: leagues, their seasons, and who plays whom.

League ── Season ── Division ── Round ── Fixture ── Chair
              └── Entry ────────────────────────────┘
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

import games
from beanpost.leagues.standings import MEASURES, SHARE, USUAL, Scheme, UnknownScheme
from beanpost.play.models import Match
from beanpost.play.opening import check_pace
from beanpost.players.models import Player


def all_games() -> dict[str, str]:
    """Every game with its first variant: what a league plays unless its organisers choose."""
    return {game.slug: game.variants[0] for game in games.GAMES.values()}


def usual_breaks() -> list[str]:
    return list(USUAL)


def check_games(chosen: Any) -> None:
    if not isinstance(chosen, dict) or not chosen:
        raise ValidationError(_("Please choose at least one game."))
    for slug, variant in chosen.items():
        if slug not in games.GAMES or variant not in games.GAMES[slug].variants:
            raise ValidationError(_("“%(game)s %(variant)s” is not on the shelf.") % {"game": slug, "variant": variant})


def check_points(text: str) -> None:
    try:
        Scheme.read(text)
    except UnknownScheme as refusal:
        raise ValidationError(_("Points are a falling list such as “10 6 3 1”.")) from refusal


def check_breaks(names: Any) -> None:
    if not isinstance(names, list) or any(name not in MEASURES for name in names):
        raise ValidationError(_("Tie-breaks are some of: %(names)s.") % {"names": ", ".join(MEASURES)})


class League(models.Model):
    class Absence(models.TextChoices):
        STRICT = "strict", _("strict: tables do not wait for who is away")
        USUAL = "usual", _("usual: tables wait for up to seven days of an absence")
        PATIENT = "patient", _("patient: tables wait as long as somebody has days left")

    class Weekly(models.TextChoices):
        NEVER = "never", _("not written")
        APPROVED = "approved", _("sent when an organiser approves it")
        ITSELF = "itself", _("sent by itself")

    name = models.CharField(max_length=60)
    slug = models.SlugField(unique=True)
    about = models.TextField(blank=True, max_length=2000)
    organisers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="leagues", blank=True)
    keeper = models.ForeignKey(Player, models.PROTECT, related_name="leagues_kept")  # whom letters call the organiser
    games = models.JSONField(default=all_games, validators=[check_games])  # game → variant
    pace = models.CharField(max_length=100, default="daily", validators=[check_pace])
    absence = models.CharField(max_length=8, choices=Absence, default=Absence.USUAL)
    language = models.CharField(max_length=8, choices=settings.LANGUAGES, default="en")
    sign_up = models.BooleanField(default=False)  # a public page where people enter by themselves
    weekly = models.CharField(max_length=8, choices=Weekly, default=Weekly.APPROVED)
    history = HistoricalRecords(m2m_fields=[organisers])

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def away_days(self) -> int | None:
        """How many days of an absence its tables wait; None: all of them."""
        return {self.Absence.STRICT: 0, self.Absence.USUAL: 7}.get(self.Absence(self.absence))


class Season(models.Model):
    class Format(models.TextChoices):
        ROUND_ROBIN = "round_robin", _("round robin: everybody meets everybody, evenly")
        SWISS = "swiss", _("Swiss: equal scores sit together")
        LADDER = "ladder", _("ladder: neighbours play for their rungs")
        KNOCK_OUT = "knock_out", _("knock-out: the better half of each table goes on")
        CLASSIC = "classic", _("classic: round robin, each round another game")

    class Phase(models.TextChoices):
        PLANNED = "planned", _("being planned")
        ENTERING = "entering", _("open for entries")
        CLOSED = "closed", _("entries closed")
        RUNNING = "running", _("being played")
        ENDED = "ended", _("over")

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=60)
    format = models.CharField(max_length=16, choices=Format, default=Format.ROUND_ROBIN)
    size = models.PositiveSmallIntegerField(default=4)  # seats at a table
    rounds = models.PositiveSmallIntegerField(default=5)  # a knock-out has as many as it takes
    points = models.CharField(max_length=60, default=SHARE, validators=[check_points])
    tie_breaks = models.JSONField(default=usual_breaks, validators=[check_breaks])
    moving = models.PositiveSmallIntegerField(default=2)  # how many go up and down between two divisions
    substitutes_score = models.BooleanField(default=True)  # whether their points count for the entry they sit in for
    most_entries = models.PositiveSmallIntegerField(null=True, blank=True)  # later ones wait
    starts_on = models.DateField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    phase = models.CharField(max_length=8, choices=Phase, default=Phase.PLANNED)
    seed = models.CharField(max_length=64, blank=True)  # drawn by the house when entries close
    history = HistoricalRecords()

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

    @property
    def draws_ahead(self) -> bool:
        """Whether all rounds are drawn at once: nothing in them depends on results."""
        return self.format in {self.Format.ROUND_ROBIN, self.Format.CLASSIC}


class Division(models.Model):
    MOST = 12  # in a season: its page shows the standings of each

    season = models.ForeignKey(Season, models.PROTECT, related_name="divisions")
    name = models.CharField(max_length=60)
    level = models.PositiveSmallIntegerField(default=1)  # 1 is the highest
    history = HistoricalRecords()

    class Meta:
        ordering = ("level",)
        constraints = (models.UniqueConstraint(fields=("season", "level"), name="one_division_per_level"),)

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.level is not None and not 1 <= self.level <= self.MOST:
            raise ValidationError({"level": _("Levels go from 1, the highest, to %(most)d.") % {"most": self.MOST}})


class Entry(models.Model):
    """Somebody in a season: asked, playing, waiting for a place, ready to sit in, or gone."""

    class State(models.TextChoices):
        INVITED = "invited", _("invited")
        ENTERED = "entered", _("plays")
        WAITING = "waiting", _("on the waiting list")
        SUBSTITUTE = "substitute", _("sits in for others")
        DECLINED = "declined", _("declined")
        LEFT = "left", _("left")

    season = models.ForeignKey(Season, models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    division = models.ForeignKey(Division, models.SET_NULL, null=True, blank=True, related_name="entries")
    state = models.CharField(max_length=12, choices=State, default=State.INVITED)
    rung = models.PositiveSmallIntegerField(default=0)  # on the ladder, or how strong one is held to be: 0 is the top
    invited_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ("rung", "pk")
        verbose_name_plural = "entries"
        constraints = (models.UniqueConstraint(fields=("season", "player"), name="one_entry_per_player"),)

    def __str__(self) -> str:
        return self.player.name


class Draw(models.Model):
    """A draw of rounds, kept for good: whoever draws again must say why, and everybody can read it."""

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
        return _("draw %(nth)d of %(division)s") % {"nth": self.nth, "division": self.division}


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

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("division", "number"), name="one_round_per_number"),)

    def __str__(self) -> str:
        return _("%(division)s, round %(number)d") % {"division": self.division, "number": self.number}

    @property
    def title(self) -> str:
        return games.get(self.game).title

    @property
    def is_final(self) -> bool:
        """Whether a knock-out ends with it: all who are left sit at one table."""
        knock_out = self.division.season.format == Season.Format.KNOCK_OUT
        return knock_out and len(self.fixtures.all()) == 1 and not self.byes.all()


class Fixture(models.Model):
    """A table of a round; once published, a match."""

    class Ending(models.TextChoices):
        OPEN = "", _("not decided")
        PLAYED = "played", _("played")
        ADJUDICATED = "adjudicated", _("decided by the organiser")
        ANNULLED = "annulled", _("does not count")

    round = models.ForeignKey(Round, models.CASCADE, related_name="fixtures")  # a redraw removes what it replaces
    table = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="fixture")
    ending = models.CharField(max_length=12, choices=Ending, default=Ending.OPEN, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    history = HistoricalRecords()

    class Meta:
        ordering = ("round", "table")
        constraints = (models.UniqueConstraint(fields=("round", "table"), name="one_fixture_per_table"),)

    def __str__(self) -> str:
        return _("%(round)s, table %(table)d") % {"round": self.round, "table": self.table}


class Chair(models.Model):
    """A seat of a fixture: whose it is, who sat there, and how it came out."""

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
    def is_held_by_bot(self) -> bool:
        """Whether a bot plays here at the moment."""
        match = self.fixture.match
        return match is not None and any(place.seat == self.seat and place.is_bot for place in match.places.all())


class Bye(models.Model):
    """Somebody sits out a round."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="byes")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("round", "entry"), name="one_bye_per_round"),)

    def __str__(self) -> str:
        return f"{self.entry} sits out {self.round}"


class Rating(models.Model):
    """How strong somebody is held to be, and how sure that is; without a game: over all of them."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="ratings")
    game = models.CharField(max_length=32, blank=True)
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("player", "game"), name="one_rating_per_game"),)

    def __str__(self) -> str:
        return f"{self.player} {self.game}: {self.mu:.1f} ± {self.sigma:.1f}"


class Rated(models.Model):
    """That a match has been counted, and as the how-manyeth: working it out again follows the same order."""

    match = models.OneToOneField(Match, models.PROTECT, related_name="rated")
    nth = models.PositiveIntegerField(unique=True)

    def __str__(self) -> str:
        return f"match {self.match_id} was rated as number {self.nth}"


class SecondFactor(models.Model):
    """What the app of somebody who signs in works its digits out from. Shown to nobody but them, until confirmed."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor")
    key = models.CharField(max_length=32)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    last_step = models.BigIntegerField(default=0)  # of the code that was used last: none is taken twice

    def __str__(self) -> str:
        return f"the second factor of {self.user}"
