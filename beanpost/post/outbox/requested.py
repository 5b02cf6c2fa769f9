"""Letters that people request: limits, and requests by a typed address.

A page that takes any address only stores a request. The worker looks the address up, so that the page answers known and
unknown addresses alike, in time too.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from beanpost.database import batches
from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter, LetterRequest
from beanpost.post.outbox import queue, wake_up

MAX_AN_HOUR = 5  # letters of each kind to one person
MAX_REFUSED = 3  # a day, if that person wants no letters
KEPT = timedelta(days=1)  # a request that no worker has answered


def queue_letter(to: Player, kind: str, values: dict[str, Any], *, now: datetime, match: Match | None = None) -> None:
    """Queue a requested letter. Its key holds the hour and a number, so that the database enforces the limit too."""
    hour = f"asked/{now:%y%m%d%H}/"
    own = Letter.objects.filter(recipient=to, kind=kind)
    asked = own.filter(key__startswith=hour).count()
    today = own.filter(created_at__gt=now - timedelta(days=1)).count() if to.unwanted_at else 0
    if asked < MAX_AN_HOUR and today < MAX_REFUSED:
        queue.queue(to, kind, f"{hour}{asked}", values, now=now, match=match)


@transaction.atomic
def request_letter(address: str, kind: str, *, now: datetime) -> None:
    """Store a request for a letter to a typed address, known or not."""
    LetterRequest.objects.create(address=accounts.tidy_address(address), kind=kind, asked_at=now)
    wake_up.wake_reader_after_commit()


def answer_requests(now: datetime) -> int:
    """Queue the letters that were requested for addresses we know, and delete all requests."""
    return batches.run_each(LetterRequest.objects.order_by("pk").values_list("pk"), answer_request, now)


@transaction.atomic
def answer_request(request_id: int, now: datetime) -> bool:
    request = LetterRequest.objects.filter(pk=request_id).first()
    if request is None or not LetterRequest.objects.filter(pk=request_id).delete()[0]:  # another worker has it
        return False
    if player := accounts.look_up(request.address):
        queue_letter(player, request.kind, {"visit": player.visits} if request.kind == "sign_in" else {}, now=now)
    return True
