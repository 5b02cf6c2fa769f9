"""The tables of players: their names, addresses, languages, preferences and absences."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from beanpost.i18n import languages
from beanpost.players.names import shorten_name


class Player(models.Model):
    """A person, identified by a mail address. There is no password: reading the letters proves who you are."""

    class HowOften(models.TextChoices):
        EVERY = "every", _("a letter for every turn")
        DAILY = "daily", _("one letter a day with everything waiting for me")
        REMINDERS = "reminders", _("only a reminder when my time is running out")
        ONCE = "once", _("one letter, then none until I look in")

    class NameShown(models.TextChoices):
        WHOLE = "whole", _("my whole name")
        INITIAL = "initial", _("my first name and an initial")
        NICKNAME = "nickname", _("a nickname")

    ERASED = "@erased.invalid"  # the end of an erased player's address

    address = models.EmailField(unique=True)  # as `accounts.tidy_address` returns it
    name = models.CharField(max_length=40)
    name_shown = models.CharField(  # at a league's tables and on its public pages
        max_length=8, choices=NameShown, default=NameShown.INITIAL
    )
    nickname = models.CharField(max_length=40, blank=True, default="")
    name_asked = models.BooleanField(default=False, editable=False)  # whether they have chosen
    language = models.CharField(max_length=8, choices=languages.choices, default="en")
    zone = models.CharField(max_length=64, default="UTC")
    zone_asked = models.BooleanField(default=False, editable=False)  # whether they have seen and settled their zone
    joined_at = models.DateTimeField()
    unwanted_at = models.DateTimeField(null=True, blank=True)  # "never write to this address again"
    unreached_at = models.DateTimeField(null=True, blank=True)  # since when letters to this address bounce
    confirmed_at = models.DateTimeField(null=True, blank=True)  # when somebody there first pressed a link or replied
    guest = models.BooleanField(default=False, editable=False)  # plays a practice match; never written to

    # letter preferences
    how_often = models.CharField(max_length=9, choices=HowOften, default=HowOften.EVERY)
    digest_hour = models.PositiveSmallIntegerField(default=8)  # hour of the daily letter, in their time zone
    digest_at = models.DateTimeField(null=True, blank=True)  # when the next daily letter is due; None: no daily letter
    digest_on = models.DateField(null=True, blank=True)  # the day of the last one: at most one a day
    text_only = models.BooleanField(default=False)
    without_pictures = models.BooleanField(default=False)
    calendar = models.BooleanField(default=False)  # whether letters attach the deadline as a calendar entry
    alarm_hours = models.PositiveSmallIntegerField(default=0)  # before it, in calendars; 0: no alarm
    hears_notes = models.BooleanField(default=True)
    reply_receipts = models.BooleanField(default=True)  # whether moves by reply are acknowledged
    weekly = models.BooleanField(default=True)  # whether they get the weekly letters of their leagues
    league_news = models.BooleanField(default=True)  # letters that organisers write in their own words
    follows_rounds = models.BooleanField(default=False)  # of a knock-out, after they were knocked out
    feed = models.PositiveIntegerField(default=0)  # raised to void the URL of the calendar feed

    # signing in by mail
    visits = models.PositiveIntegerField(default=0)  # raised by each sign-in, which voids every link sent before
    sessions = models.PositiveIntegerField(default=0)  # raised to sign out everywhere

    class Meta:
        indexes = (
            models.Index(fields=("digest_at",), name="player_digest", condition=Q(digest_at__isnull=False)),
            models.Index(fields=("name", "id"), name="player_name"),  # the order of the office's list
        )
        constraints = (models.CheckConstraint(condition=Q(digest_hour__lt=24), name="digest_hour_of_a_day"),)

    def __str__(self) -> str:
        return self.name

    @property
    def public_name(self) -> str:
        """Return the name as the player wants it shown at a league's tables and on its public pages."""
        match self.name_shown:
            case self.NameShown.WHOLE:
                return self.name
            case self.NameShown.NICKNAME if self.nickname:
                return self.nickname
        return shorten_name(self.name)

    @property
    def counts_on_reminders(self) -> bool:
        """Whether the reminder may be the only letter the player gets about a question."""
        return self.how_often in (self.HowOften.REMINDERS, self.HowOften.ONCE)

    @property
    def tz(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    @property
    def is_forgotten(self) -> bool:
        """Whether the player's data are erased."""
        return self.address.endswith(self.ERASED)

    @property
    def is_zone_open(self) -> bool:
        """Whether the zone is the one that every player had before we asked browsers for it."""
        return self.zone == "UTC" and not self.zone_asked


class AddressChange(models.Model):
    """A new address for a player whose old address could not confirm it, since letters to it bounce.

    It takes effect after two days. Until then we notify the old address, which can stop it.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="address_changes")
    old = models.EmailField()
    new = models.EmailField()
    session = models.PositiveIntegerField()  # `Player.sessions` at that time: signing out everywhere stops the change
    asked_at = models.DateTimeField()
    effective_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    waited_for = models.JSONField(default=list, blank=True)  # [match, seat, since] of each sitting it extends

    OPEN = Q(stopped_at=None, done_at=None)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("player",), condition=Q(stopped_at=None, done_at=None), name="one_address_change_at_a_time"
            ),
        )

    def __str__(self) -> str:
        return f"a new address for player {self.player_id}"


class Unanswered(models.Model):
    """Letters to an address that nobody has confirmed: at most one a day and three in 90 days.

    The address is stored as a keyed fingerprint, so that the row may outlive everything else known about a stranger:
    otherwise forgetting them would let us write three more.
    """

    fingerprint = models.CharField(max_length=64, unique=True)
    letters = models.PositiveSmallIntegerField()
    last_at = models.DateTimeField(db_index=True)
    last_letter = models.PositiveBigIntegerField()  # primary key of the last letter: a retry is not counted again

    class Meta:
        verbose_name_plural = "unanswered"

    def __str__(self) -> str:
        return f"{self.letters} unanswered letters"


class RefusedAddress(models.Model):
    """An address that refused our letters, and is no player's any more: they moved away, or their data was erased.

    It is stored as a keyed fingerprint, which tells nobody the address.
    """

    fingerprint = models.CharField(max_length=64, unique=True)
    since = models.DateTimeField()

    class Meta:
        verbose_name_plural = "refused addresses"

    def __str__(self) -> str:
        return f"an address refused since {self.since:%Y-%m-%d}"


class FormerAddress(models.Model):
    """An earlier address of a player: an organiser account with this address is still theirs."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="former_addresses")
    address = models.EmailField(db_index=True)
    until = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "former addresses"
        constraints = (models.UniqueConstraint(fields=("player", "address"), name="one_row_per_former_address"),)

    def __str__(self) -> str:
        return f"a former address of player {self.player_id}"


class FormerName(models.Model):
    """An earlier name or nickname of a player: others' texts may name them so, until their data is erased."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=40)
    until = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "former names"
        constraints = (models.UniqueConstraint(fields=("player", "name"), name="one_row_per_former_name"),)

    def __str__(self) -> str:
        return f"a former name of player {self.player_id}"


class Away(models.Model):
    """Days on which a player is away. They are charged to the player's stock only when a question would fall due."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="absences")
    first = models.DateField()
    last = models.DateField()
    used_from = models.DateField(null=True, blank=True)  # the days that were charged; None: none
    used_until = models.DateField(null=True, blank=True)
    announced_at = models.DateTimeField()

    class Meta:
        ordering = ("first",)
        indexes = (models.Index(fields=["last"], name="away_last"),)
        constraints = (models.CheckConstraint(condition=Q(first__lte=F("last")), name="away_forwards"),)

    def __str__(self) -> str:
        return f"{self.player_id}: {self.first} to {self.last}"

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def days_used(self) -> int:
        if self.used_from is None or self.used_until is None:
            return 0
        return max((self.used_until - self.used_from).days + 1, 0)
