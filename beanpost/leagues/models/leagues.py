"""A league: its games, its pace, and the people who run it."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

import games
from beanpost.i18n import languages
from beanpost.play.pace import Pace, check_pace, parse_pace
from beanpost.players.models import Player


def all_games() -> dict[str, str]:
    """Return every game with its first variant, the default of a new league."""
    return {game.slug: game.variants[0] for game in games.GAMES.values()}


def check_games(chosen: Any) -> None:
    if not isinstance(chosen, dict) or not chosen:
        raise ValidationError(_("Choose at least one game."))
    for slug, variant in chosen.items():
        if slug not in games.GAMES or variant not in games.GAMES[slug].variants:
            raise ValidationError(_("We don’t have “%(game)s %(variant)s”.") % {"game": slug, "variant": variant})


class League(models.Model):
    class Absence(models.TextChoices):
        STRICT = "strict", _("strict: tables don’t wait for players who are away")
        USUAL = "usual", _("usual: tables wait up to seven days for a player who is away")
        PATIENT = "patient", _("patient: tables wait as long as a player has away days left")

    class Weekly(models.TextChoices):
        NEVER = "never", _("never")
        APPROVED = "approved", _("sent once an organiser approves it")
        ITSELF = "itself", _("sent automatically")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public: everyone finds it")
        UNLISTED = "unlisted", _("unlisted: people with the link find it")
        MEMBERS = "members", _("for members: people need its code")

    name = models.CharField(max_length=60)
    slug = models.SlugField(unique=True)
    about = models.TextField(blank=True, max_length=2000)
    organisers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="leagues", blank=True)
    keeper = models.ForeignKey(  # letters call them the organiser; they have accepted
        Player, models.PROTECT, null=True, blank=True, related_name="leagues_kept"
    )
    asked_keeper = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="leagues_offered")
    typed_keeper = models.EmailField(blank=True, default="")  # exactly as the organiser typed it
    run_by = models.CharField(max_length=60, blank=True, default="")  # replaces the keeper's name
    contact = models.EmailField(blank=True, default="")  # answers go there; confirmed by letter
    asked_contact = models.EmailField(blank=True, default="")  # typed, and not confirmed yet
    games = models.JSONField(default=all_games, validators=[check_games])  # game → variant
    pace = models.CharField(max_length=100, default="daily", validators=[check_pace])
    absence = models.CharField(max_length=8, choices=Absence, default=Absence.USUAL)
    language = models.CharField(max_length=8, choices=languages.choices, default="en")
    sign_up = models.BooleanField(default=False)  # a public page where people enter on their own
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    join_code = models.CharField(max_length=20, blank=True, default="")
    weekly = models.CharField(max_length=8, choices=Weekly, default=Weekly.APPROVED)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def code_query(self) -> str:
        """Return what a link in a member's letter needs beyond the address of a page."""
        return f"?code={quote(self.join_code)}" if self.visibility == self.Visibility.MEMBERS else ""

    @property
    def organiser_name(self) -> str:
        """Return the name under which letters and pages name the organiser; "" if nobody has accepted that yet."""
        return self.run_by or (self.keeper.name if self.keeper else "")

    @property
    def parsed_pace(self) -> Pace:
        return parse_pace(self.pace)

    @property
    def away_days(self) -> int | None:
        """Return how many days of an absence its tables wait. None: all of them."""
        return {self.Absence.STRICT: 0, self.Absence.USUAL: 7}.get(self.Absence(self.absence))
