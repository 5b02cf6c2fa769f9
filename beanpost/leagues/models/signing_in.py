"""What organisers sign in with beside their password, and which player they are."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from beanpost.players.models import Player


class SecondFactor(models.Model):
    """What the app of somebody who signs in works its digits out from. Shown to nobody but them, until confirmed."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor")
    key = models.CharField(max_length=32)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    last_step = models.BigIntegerField(default=0)  # of the code that was used last: none is taken twice

    def __str__(self) -> str:
        return f"the second factor of {self.user}"


class OrganiserAccount(models.Model):
    """Which player signs in at the office with an account. Linked by key, so that a new address changes nothing."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="organiser_account")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="organiser_accounts")
    asked_at = models.DateTimeField(null=True, blank=True)  # whether they play here; until they answer we don't know
    says_no_at = models.DateTimeField(null=True, blank=True)  # when they stated that they don't play here

    def __str__(self) -> str:
        return f"the account of {self.user}"

    @property
    def has_answered(self) -> bool:
        return self.player_id is not None or self.says_no_at is not None
