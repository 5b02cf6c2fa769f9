"""Rate limits for letters that anybody can request by typing an address, so that nobody's mailbox is flooded."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from beanpost.pages.access import TOO_MANY
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post import visitor_limits
from beanpost.post.models import Letter
from beanpost.post.outbox import queue, unconfirmed

MAX_AN_HOUR = 5  # letters of each kind to one person
MAX_STRANGERS = 10  # letters an hour that one visitor may have sent to addresses that may be new to us
MAX_KNOWN = 30  # letters an hour that one visitor may request on pages that write only to players


def check_stranger(request: HttpRequest, now: datetime) -> None:
    """Refuse a visitor who has had us write to many addresses. Known and unknown addresses are treated alike."""
    if unconfirmed.find_free_time(now):
        much = _("We’ve written to many new addresses today. Please sign in if you play here, or come back tomorrow.")
        raise ValidationError(much, code=TOO_MANY)
    check_visitor(request, "stranger", MAX_STRANGERS, now)


def check_known(request: HttpRequest, now: datetime) -> None:
    """Refuse a visitor who has requested many letters, on pages that write only to players."""
    check_visitor(request, "known", MAX_KNOWN, now)


def check_visitor(request: HttpRequest, purpose: str, most: int, now: datetime) -> None:
    if not visitor_limits.count(purpose, request.META.get("REMOTE_ADDR", ""), most=most, now=now):
        much = _("You’ve asked for many letters in the last hour. Please come back a little later.")
        raise ValidationError(much, code=TOO_MANY)


def queue_letter(to: Player, kind: str, values: dict[str, Any], *, now: datetime, match: Match | None = None) -> None:
    """Queue a requested letter. Its key holds the hour and a number, so that the database enforces the limit too."""
    hour = f"asked/{now:%y%m%d%H}/"
    asked = Letter.objects.filter(recipient=to, kind=kind, key__startswith=hour).count()
    if asked < MAX_AN_HOUR:
        queue.queue(to, kind, f"{hour}{asked}", values, now=now, match=match)
