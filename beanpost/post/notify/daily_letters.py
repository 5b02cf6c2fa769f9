"""Queue the daily letters that are due."""

from __future__ import annotations

import time
from datetime import datetime

from django.db import transaction

from beanpost.database import batches
from beanpost.play import clock
from beanpost.players.models import Player
from beanpost.post.compose.acknowledgements import find_waiting
from beanpost.post.outbox.queue import queue
from beanpost.post.preferences import find_open_questions

BATCH = 200
A_RUN = 20  # seconds for one run; the next comes in thirty


def write_due(now: datetime) -> int:
    """Queue the daily letters that are due, and return how many. Safe to repeat, and to run on several machines."""
    due, done, end = Player.objects.filter(digest_at__lte=now).order_by("digest_at"), 0, time.monotonic() + A_RUN
    while batch := list(due[:BATCH]):
        results = [batches.run_safely(f"The daily letter of {one.pk}", write_one, one, now) for one in batch]
        done += sum(results)
        stuck = due.filter(pk__in=[one.pk for one in batch]).count() == len(batch)  # each of them failed
        if stuck or len(batch) < BATCH or time.monotonic() > end:
            break
    return done


@transaction.atomic
def write_one(player: Player, now: datetime) -> bool:
    """Queue a player's letter for one day, unless no table asks them anything and no reply is to be acknowledged."""
    assert player.digest_at is not None
    day = player.digest_at.astimezone(player.tz).date()
    following = clock.find_next_hour(player.digest_hour, player.tz, now, not_on=day)
    ours = Player.objects.filter(pk=player.pk, digest_at=player.digest_at)
    if not ours.update(digest_at=following, digest_on=day):  # another machine was faster, or their preferences changed
        return False
    if player.how_often != Player.HowOften.DAILY:
        return False
    if not find_open_questions(player) and not find_waiting(player).exists():
        return False
    queue(player, "digest", f"day/{day}", now=now)
    return True
