"""Put letters into the outbox."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Model, QuerySet, Value
from django.db.models.functions import Least

from beanpost.play.models import Match, Place
from beanpost.play.seats import own_seat
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import kinds
from beanpost.post.models import Letter
from beanpost.post.outbox import retention
from beanpost.post.outbox.wake_up import wake_after_commit


def queue(
    to: Player,
    kind: str,
    key: str,
    values: dict[str, Any] | None = None,
    *,
    now: datetime,
    after: datetime | None = None,
    match: Match | None = None,
    about: Model | None = None,
    replaces: Letter | None = None,
) -> None:
    """Queue a letter, in the same transaction as the change it reports. The same key is queued only once.

    `after` delays it, except in the demo, whose visitors want to see the letters. `values` holds what composing needs
    beyond the match; the modules of `compose` list them by kind.
    With `values["to"]`, the letter goes to that address instead of the recipient's own. `about` is the row that the
    letter is about, apart from its match; a letter that replaces another is about the same row.
    """
    if to.guest or to.is_forgotten or (to.unwanted_at and not kinds.load()[kind].asked_for):
        return
    if values and "to" in values and accounts.is_refused(values["to"]):
        return
    due = now if settings.DEMO else after or now
    letter = Letter(recipient=to, match=match, kind=kind, key=key, values=values or {}, created_at=now, due_at=due)
    if about:
        letter.about_model, letter.about_id = str(about._meta.model_name), about.pk
    elif replaces:
        letter.replaces, letter.about_model, letter.about_id = replaces, replaces.about_model, replaces.about_id
    Letter.objects.bulk_create([letter], ignore_conflicts=True)
    if match and match.ended_at:  # its letters may have been erased since it was loaded
        retention.keep_again(letter)
    if due <= now:
        wake_after_commit()


@transaction.atomic
def renew_all_links(player: Player, *, now: datetime, session: int | None = None) -> bool:
    """Void every link that was ever sent to a player, and send them new ones: all together, or nothing.

    `session` is the number in the link that was pressed: it works once. Return False if it had been used.
    """
    session = player.sessions if session is None else session
    renewed = own_seat.renew_all_links(player, session)
    if renewed:
        queue(player, "lost", f"renewed/{session}", {}, now=now)
    return renewed


def bring_forward(match: Match, to: Player, opened: int, by: datetime, *, now: datetime) -> bool:
    """Make a queued letter about this question due by `by`: it has more to report. Return False if none is queued."""
    if not find_queued(match, to, opened).update(values={"opened": opened}, due_at=Least(F("due_at"), Value(by))):
        return False
    if by <= now:
        wake_after_commit()
    return True


def renew_queued(match: Match, to: Player, opened: int) -> bool:
    """Let a queued letter about this question report the latest lines too. Return False if none is queued.

    A letter with `values["since"]` is dropped if its reader moves after that line, so `since` becomes the last line.
    """
    letter = find_queued(match, to, opened).first()
    if letter and "since" in letter.values:
        find_queued(match, to, opened).filter(pk=letter.pk).update(values=letter.values | {"since": match.length})
    return letter is not None


def find_queued(match: Match, to: Player, opened: int) -> QuerySet[Letter]:
    """Return the queued letters to a player about the question that was opened at this line."""
    coming = Letter.objects.filter(match=match, recipient=to, kind="turn", state=Letter.State.QUEUED)
    return coming.filter(values__opened=opened)


def queue_current(match: Match, place: Place, *, now: datetime) -> None:
    """Queue the letter this seat would get now, or send the one that is held back.

    At most one an hour is queued, so that nobody can flood a mailbox.
    """
    assert place.player is not None
    if send_held_letter_now(match, place.player, now=now):
        return
    kind, values = choose_current_letter(match, place)
    key = f"m/{match.pk}/{place.seat}/again/{place.occupant}/{now:%y%m%d%H}"
    queue(place.player, kind, key, values, now=now, match=match)


def choose_current_letter(match: Match, place: Place) -> tuple[str, dict[str, Any]]:
    """Return the kind and values of the letter this seat would get now."""
    wait = match.waits.filter(seat=place.seat).first()
    kind = "turn" if wait else "finished" if match.phase == Match.Phase.ENDED else "started"
    return kind, {"opened": wait.opened} if wait else {}


def send_held_letter_now(match: Match, player: Player, *, now: datetime) -> bool:
    """Send the held-back letter about the player's question now. Return False if there is none."""
    own = match.waits.filter(seat__in=match.places.filter(player=player).values("seat"))
    waited = [wait.opened for wait in own if wait.is_blocking]
    held_back = match.letters.filter(recipient=player, kind="turn", state=Letter.State.QUEUED, due_at__gt=now)
    if not held_back.filter(values__opened__in=waited).update(due_at=now):
        return False
    wake_after_commit()
    return True
