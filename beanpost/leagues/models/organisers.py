"""Organisers' second factor, and the player an organiser is."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from beanpost.players.models import Player


class SecondFactor(models.Model):
    """The shared key of a user's authenticator app. Only its owner sees it, until it is confirmed."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor")
    key = models.CharField(max_length=32)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    last_step = models.BigIntegerField(default=0)  # time step of the last code used: no code works twice
    guesses = models.PositiveSmallIntegerField(default=0)  # codes tried since `guessing_since`
    guessing_since = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"the second factor of {self.user}"


class OrganiserAccount(models.Model):
    """The player an organiser's account belongs to. Linked by key, so that a new address changes nothing."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="organiser_account")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="organiser_accounts")
    asked_at = models.DateTimeField(null=True, blank=True)  # when we asked whether they play here
    says_no_at = models.DateTimeField(null=True, blank=True)  # when they stated that they don't play here

    def __str__(self) -> str:
        return f"the account of {self.user}"

    @property
    def has_answered(self) -> bool:
        return self.player_id is not None or self.says_no_at is not None
