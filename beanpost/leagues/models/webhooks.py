"""Webhooks: addresses of a club's chat that get a league's public news."""

from __future__ import annotations

from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from beanpost.leagues.models.leagues import League
from beanpost.play import random_codes


def new_secret() -> str:
    return random_codes.make_key()


class Webhook(models.Model):
    class Format(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", _("Slack, Mattermost or Matrix (hookshot)")
        JSON = "json", _("JSON, for your own program")

    league = models.ForeignKey(League, models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=400, validators=[URLValidator(schemes=["https"])])
    format = models.CharField(max_length=8, choices=Format, default=Format.DISCORD)
    results = models.BooleanField(default=True)
    rounds = models.BooleanField(default=True)
    standings = models.BooleanField(default=True)
    active = models.BooleanField(default=True)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)  # signs each call
    failures = models.PositiveSmallIntegerField(default=0, editable=False)  # calls in a row that were given up
    busy_until = models.DateTimeField(null=True, editable=False)  # a call is under way: no other begins until then
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.get_format_display())

    __repr__ = __str__  # the URL is a secret of the chat


class WebhookCall(models.Model):
    """One piece of news for one webhook. It is kept a while after it was sent, so that it goes out once."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="calls", db_index=False)
    key = models.CharField(max_length=80)
    body = models.TextField()  # the exact bytes of every attempt
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    error = models.CharField(max_length=80, blank=True)  # the class of the last error or a status, never a message

    class Meta:
        constraints = (models.UniqueConstraint(fields=("webhook", "key"), name="one_call_per_news"),)
        indexes = (
            models.Index(fields=("due_at",), name="webhook_call_due", condition=models.Q(state="waiting")),
            models.Index(fields=("created_at",), name="webhook_call_created"),
        )

    def __str__(self) -> str:
        return f"call {self.pk} of webhook {self.webhook_id}"
