"""How players wish to be written to: a letter for every turn, one a day, or only reminders.

A question that cannot wait for the daily letter is written about at once, and so is one of which nobody would be
reminded. Whoever changes their mind is written to about what they would not hear of otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from beanpost.play import clock, sitting
from beanpost.play.models import Match, Place, Wait
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox import queue

ENOUGH = timedelta(hours=2)  # there must be more time than this after the daily letter
CLOSE = timedelta(minutes=1)  # a daily letter so near may be written before a question is seen: count on the one after


def question(wait: Wait) -> str:
    """What letters about a question are named by."""
    return f"m/{wait.match_id}/{wait.seat}/{wait.opened}"


def at_once(wait: Wait, place: Place, now: datetime) -> bool:
    """Whether a question is to be written about as soon as it is asked."""
    player = place.player
    assert player is not None
    match player.how_often:
        case Player.HowOften.DAILY:
            return is_urgent(wait, player, now)
        case Player.HowOften.REMINDERS:
            return until(wait, now) is not None and not (wait.remind_at and place.wants_reminders)
    return True


def is_urgent(wait: Wait, player: Player, now: datetime) -> bool:
    """Whether it would fall due before the next daily letter, or too soon after it."""
    due = until(wait, now)
    return due is not None and due <= next_digest(player, now) + ENOUGH


def until(wait: Wait, now: datetime) -> datetime | None:
    """By when an answer is wanted; in a match that is paused, at the earliest."""
    return now + wait.left if wait.left is not None else wait.due_at


def next_digest(player: Player, now: datetime) -> datetime:
    if player.digest_at and player.digest_at > now + CLOSE:
        return player.digest_at
    return clock.next_at(player.digest_hour, player.tz, now + CLOSE, not_on=player.digest_on)


# ── changing one's mind ──


@transaction.atomic
def change(player: Player, wishes: dict[str, Any], *, now: datetime) -> None:
    """Note what somebody wishes from now on."""
    book.change(player, **wishes)
    player.digest_at = None
    if player.how_often == Player.HowOften.DAILY:
        player.digest_at = clock.next_at(player.digest_hour, player.tz, now, not_on=player.digest_on)
    player.save(update_fields=["digest_at"])
    write_what_cannot_wait(player, now)


def no_daily_letter(player: Player) -> dict[str, Any]:
    daily = player.how_often == Player.HowOften.DAILY
    return {"how_often": Player.HowOften.REMINDERS} if daily else {}


FEWER: dict[str, Callable[[Player], dict[str, Any]]] = {  # kinds of which one can have no more, and what is wished then
    "digest": no_daily_letter,
    "weekly": lambda _: {"weekly": False},
}


def want_fewer(player: Player, kind: str, *, now: datetime) -> None:
    """No more letters of this kind; whatever else is wished stays."""
    if wished := FEWER[kind](player):
        change(player, wished, now=now)


@transaction.atomic
def stop_reminding(place: Place, *, now: datetime) -> None:
    """No more reminders of a match. Who is written to only by reminders hears at once of what is open there."""
    sitting.stop_reminding(place)
    if place.player and place.player.how_often == Player.HowOften.REMINDERS:
        write_what_cannot_wait(place.player, now)


def write_what_cannot_wait(player: Player, now: datetime) -> None:
    for place, wait in open_questions(player):
        if at_once(wait, place, now) and not is_told(wait, place):
            queue(player, "turn", question(wait), {"opened": wait.opened}, now=now, match=place.match)


def open_questions(player: Player) -> list[tuple[Place, Wait]]:
    """What tables ask this player now, the most urgent first."""
    places = player.places.filter(match__phase=Match.Phase.RUNNING, stand_in=False).select_related("match", "player")
    seats = {(place.match_id, place.seat): place for place in places}
    waits = Wait.objects.filter(match__in=[match for match, _ in seats]).order_by("due_at", "pk")
    asked = [(seats[wait.match_id, wait.seat], wait) for wait in waits if (wait.match_id, wait.seat) in seats]
    return sorted(asked, key=lambda row: row[1].due_at is None)


def first_told_by(letter: Letter) -> list[tuple[Match, int]]:
    """The questions this letter was the first to tell of, each by its match and the line after which it was asked."""
    if letter.kind == "digest":
        asked = [row for row in open_questions(letter.recipient) if row[1].asked_at <= letter.created_at]
        return [(place.match, wait.opened) for place, wait in asked if not is_told(wait, place, besides=letter)]
    only_reminded = letter.recipient.how_often == Player.HowOften.REMINDERS
    if letter.match is None or letter.kind not in ({"turn", "reminder"} if only_reminded else {"turn"}):
        return []
    return [] if had_spoken(letter, letter.match) else [(letter.match, letter.values["opened"])]


def had_spoken(letter: Letter, match: Match) -> bool:
    """Whether its reader had spoken in the question before it was queued: then they knew of it, and what an offer of
    theirs has come to is held back for hours.
    """
    own = match.events.filter(seat__in=match.places.filter(player=letter.recipient).values("seat"))
    queued_at = letter.created_at.replace(microsecond=0)  # what an order says in the same breath was not before
    return own.filter(seq__gt=letter.values["opened"], said_at__lt=queued_at).exists()


def is_told(wait: Wait, place: Place, *, besides: Letter | None = None) -> bool:
    """Whether a letter about the question has gone, or is on its way."""
    own = Letter.objects.filter(recipient=place.player).exclude(state=Letter.State.DROPPED)
    if besides:
        own = own.exclude(pk=besides.pk)
    about = Q(key=question(wait)) | Q(key__startswith=f"{question(wait)}/")
    if own.filter(about, kind__in=("turn", "reminder")).exists():
        return True
    return own.filter(kind="digest", created_at__gte=wait.asked_at).exists()
