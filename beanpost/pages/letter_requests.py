"""Rate limits for letters that anybody can request by typing an address, so that nobody's mailbox is flooded."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from beanpost.pages.access import TOO_MANY
from beanpost.post import visitor_limits
from beanpost.post.outbox import unconfirmed

MAX_STRANGERS = 10  # letters an hour that one visitor may have sent to addresses that may be new to us
MAX_OF_A_NETWORK = 50  # letters a day that the visitors of one larger network may have sent to such addresses
MAX_KNOWN = 30  # letters an hour that one visitor may request on pages that write only to players


def check_stranger(request: HttpRequest, now: datetime) -> None:
    """Refuse a visitor who has had us write to many addresses. Known and unknown addresses are treated alike."""
    much = _("We’ve written to many new addresses today. Please sign in if you play here, or come back tomorrow.")
    if unconfirmed.find_free_time(now, requested=True):
        raise ValidationError(much, code=TOO_MANY)
    check_visitor(request, "stranger", MAX_STRANGERS, now)
    address = request.META.get("REMOTE_ADDR", "")
    if not visitor_limits.count_network("stranger", address, most=MAX_OF_A_NETWORK, now=now):
        raise ValidationError(much, code=TOO_MANY)


def check_known(request: HttpRequest, now: datetime) -> None:
    """Refuse a visitor who has requested many letters, on pages that write only to players."""
    check_visitor(request, "known", MAX_KNOWN, now)


def check_visitor(request: HttpRequest, purpose: str, most: int, now: datetime) -> None:
    if not visitor_limits.count(purpose, request.META.get("REMOTE_ADDR", ""), most=most, now=now):
        much = _("You’ve asked for many letters in the last hour. Please come back a little later.")
        raise ValidationError(much, code=TOO_MANY)
