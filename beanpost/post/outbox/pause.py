"""Pause the outbox while the relay refuses everything: two letters of two matches to two people failed alike, and none
was accepted in between. Every few minutes one letter is tried, each time another one if there is one.

The first accepted letter ends the pause. It counts as an outage, so every clock gets its time back.
A single letter whose words trip a filter pauses nothing: it alone is retried.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction

from beanpost.play.deadlines import outages
from beanpost.post.models import Letter, OutboxPause
from beanpost.post.outbox.wake_up import wake_after_commit

BETWEEN_TRIES = timedelta(minutes=5)

log = logging.getLogger(__name__)


def find_pause() -> OutboxPause | None:
    """Return the running pause, or None."""
    return OutboxPause.objects.filter(pk=1, began_at__isnull=False).first()


def begin_try(now: datetime) -> bool:
    """Return whether a letter may be tried during the pause. A guarded update: only one sender gets a yes."""
    return bool(OutboxPause.objects.filter(pk=1, next_try_at__lte=now).update(next_try_at=now + BETWEEN_TRIES))


@transaction.atomic
def note_refusal(letter: Letter, error: str, now: datetime) -> bool:
    """Note that the relay refused a letter. Return whether the outbox is paused."""
    known = OutboxPause.objects.select_for_update(of=("self",)).select_related("letter").filter(pk=1).first()
    if known and known.began_at:
        outages.record(known.began_at, now)
        return True
    alike = known is not None and known.error == error
    if known and alike and is_elsewhere(known.letter, letter):
        OutboxPause.objects.update(began_at=now, next_try_at=now + BETWEEN_TRIES)
        log.error("The mail server refuses all letters: %s. One is tried every five minutes; all others wait.", error)
        return True
    # A letter that was refused like this before never begins the count: after a pause it would begin the next at once,
    # because of two people whose own servers refuse us.
    if letter.error != error and not (alike and known and known.letter.match_id):
        OutboxPause.objects.update_or_create(pk=1, defaults={"letter": letter, "error": error})
    return False


def is_elsewhere(first: Letter, second: Letter) -> bool:
    """Return whether two letters belong to different matches and go to different people."""
    matches = {first.match_id, second.match_id} - {None}
    return len(matches) == 2 and first.recipient_id != second.recipient_id


def note_accepted(now: datetime) -> None:
    """Forget earlier refusals, since a letter was accepted. After a pause, send the waiting letters at once."""
    known = OutboxPause.objects.filter(pk=1).first()
    if known is None or not OutboxPause.objects.filter(pk=1).delete()[0]:
        return
    if known.began_at:
        outages.record(known.began_at, now)
        waiting = Letter.objects.filter(state=Letter.State.RETRY, error=known.error, due_at__gt=now)
        waiting.update(due_at=now)
        wake_after_commit()
        log.warning("The mail server accepts letters again.")
