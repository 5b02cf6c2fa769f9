"""Signal receivers that queue the letters for events at the table, in the same transaction."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.dispatch import receiver

from beanpost.play import signals
from beanpost.play.models import Event, Match, Note, Place, Wait
from beanpost.play.seats import own_seat
from beanpost.players.models import Player
from beanpost.post.compose.contents import find_title
from beanpost.post.kinds import PLAYED
from beanpost.post.outbox.queue import bring_forward, queue, renew_queued
from beanpost.post.preferences import (
    TIME_AFTER_DIGEST,
    build_question_key,
    find_deadline,
    find_earliest_time,
    find_next_digest,
    needs_letter_now,
    will_be_read,
)

GATHERING = timedelta(minutes=5)  # news within this time goes into one letter
TIME_TO_JOIN = timedelta(seconds=90)  # for another letter to acknowledge a move; the outbox is read every 20 seconds
SHOWN_ALREADY = timedelta(minutes=5)  # the page has shown the question; by then the player may have left it


@receiver(signals.invited)
def write_invitation(place: Place, now: datetime, **_: Any) -> None:
    assert place.player is not None
    queue(place.player, "invitation", f"place/{place.pk}", {"place": place.pk}, now=now, match=place.match)


@receiver(signals.declined)
def tell_keeper_of_refusal(match: Match, place: Place, now: datetime, **_: Any) -> None:
    """Tell keepers who fill their own table. For league tables, the admin lists the empty seats."""
    if match.placed:
        return
    key = f"m/{match.pk}/{place.seat}/{place.player_id}/{place.invited_at:%y%m%d%H%M%S}"
    queue(match.keeper, "declined", key, {"player": place.player_id}, now=now, match=match)


@receiver(signals.called_off)
def write_called_off(match: Match, now: datetime, **_: Any) -> None:
    """Tell players who have accepted and wait for a letter. Players who have not accepted get no second one."""
    values = {"title": find_title(match), "keeper": match.keeper_id, "thread": match.pk}
    for place in list_places(match):
        if place.player and place.confirmed_at and not place.is_keeper:
            queue(place.player, "called_off", f"m/{match.pk}", values, now=now)


@receiver(signals.started)
def write_started(match: Match, now: datetime, **_: Any) -> None:
    """Tell the players who are not asked yet; the others read it in their turn letter.

    Players of a league have a letter that says when their table is dealt. Their next one is their first turn.
    """
    if match.placed:
        return
    asked = set(match.waits.values_list("seat", flat=True))
    for place in list_places(match):
        if place.player and place.seat not in asked:
            queue(place.player, "started", f"m/{match.pk}", now=now, match=match)


@receiver(signals.asked)
def write_turn(match: Match, wait: Wait, place: Place, again: bool, now: datetime, **_: Any) -> None:
    assert place.player is not None
    if not needs_letter_now(wait, place, now):
        return
    after = now + SHOWN_ALREADY if again else now if wait.is_blocking else now + GATHERING
    after = max(after, delay_while_present(place, now), find_earliest_time(wait, place, now))
    values = {"opened": wait.opened} | ({"again": True} if again else {})
    queue(place.player, "turn", build_question_key(wait), values, now=now, after=after, match=match)


def delay_while_present(place: Place, now: datetime) -> datetime:
    """Return when a letter may go: now, or in two minutes if the player may have the page open, which shows the news.

    A tab left open delays a letter but never stops it.
    """
    is_here = place.here_at is not None and now - place.here_at < own_seat.PRESENCE_LASTS
    return now + own_seat.PRESENCE_LASTS if is_here else now


@receiver(signals.addressed)
def write_new_offers(match: Match, wait: Wait, place: Place, through: bool, now: datetime, **_: Any) -> None:
    """Queue one letter for all offers that come close together, unless one is already queued.

    Once all players are through, there is nothing more to collect: send the letter at once. Players whom the table
    waits for get none if a letter about the question is still unread: its link shows the new offers too.
    """
    assert place.player is not None
    if not needs_letter_now(wait, place, now) or will_be_read(wait, place):
        return
    after = now if through else now + GATHERING
    after = max(after, delay_while_present(place, now), find_earliest_time(wait, place, now))
    if not bring_forward(match, place.player, wait.opened, after, now=now):
        key = f"{build_question_key(wait)}/{match.length}"
        queue(place.player, "turn", key, {"opened": wait.opened}, now=now, after=after, match=match)


@receiver(signals.resumed)
def write_turn_again(match: Match, wait: Wait, place: Place, now: datetime, **_: Any) -> None:
    """Ask again, even if the first letter is unread: while the game was missing, its links played nothing."""
    assert place.player is not None
    if needs_letter_now(wait, place, now):
        key = f"{build_question_key(wait)}/{match.length}"
        queue(place.player, "turn", key, {"opened": wait.opened}, now=now, match=match)


@receiver(signals.turned_down)
def write_declined_offers(match: Match, wait: Wait, place: Place, now: datetime, **_: Any) -> None:
    """Collect declined offers like new ones.

    A player whom the table waits for gets the letter once all players are through, or after half of their time, unless
    a standing order handles it.
    """
    assert place.player is not None
    if not needs_letter_now(wait, place, now):
        return
    if renew_queued(match, place.player, wait.opened):
        return
    due, gathered = find_deadline(wait, now), max(now + GATHERING, find_earliest_time(wait, place, now))
    values = {"opened": wait.opened, "since": match.length} | ({"again": True} if due else {})
    after = max(gathered, compute_halfway(now, due)) if due else gathered
    queue(place.player, "turn", f"{build_question_key(wait)}/{match.length}", values, now=now, after=after, match=match)


def compute_halfway(now: datetime, due: datetime) -> datetime:
    return now + (due - now) / 2


@receiver(signals.reminded)
def write_reminder(match: Match, wait: Wait, place: Place, now: datetime, **_: Any) -> None:
    assert place.player is not None
    key = f"{build_question_key(wait)}/{match.length}"  # an organiser may send more reminders of the same question
    queue(place.player, "reminder", key, {"opened": wait.opened}, now=now, match=match)


@receiver(signals.late)
def write_late(match: Match, place: Place, event: Event, now: datetime, **_: Any) -> None:
    assert place.player is not None
    queue(place.player, "late", f"m/{match.pk}/{place.seat}/{event.seq}", {"seq": event.seq}, now=now, match=match)


def acknowledge_reply(
    match: Match, player: Player, seq: int, *, order: str = "", answers: str = "", now: datetime
) -> None:
    """Queue the acknowledgement of a move by reply, with the plan that was given with it.

    `answers` is the Message-ID of the reply. Players who want one letter a day find it there; if that letter does not
    leave, it goes alone.
    """
    if not player.reply_receipts:
        return
    after = now + TIME_TO_JOIN
    if player.how_often == Player.HowOften.DAILY:
        after = find_next_digest(player, now) + TIME_AFTER_DIGEST
    values = {"seq": seq, "order": order, "answers": answers}
    given = {name: value for name, value in values.items() if value}
    queue(player, PLAYED, f"m/{match.pk}/{seq}", given, now=now, after=after, match=match)


@receiver(signals.finished)
def tell_result(match: Match, now: datetime, **_: Any) -> None:
    for place in list_places(match):
        if place.player:
            queue(place.player, "finished", f"m/{match.pk}", now=now, match=match)


@receiver(signals.reported)
def tell_caretaker_of_note(match: Match, note: Note, by: Player, now: datetime, **_: Any) -> None:
    if caretaker := own_seat.find_caretaker(match, note.seat, reporter=by, now=now):
        queue(caretaker, "reported", f"note/{note.pk}", {"note": note.pk}, now=now, match=match)


def list_places(match: Match) -> list[Place]:
    return list(match.places.select_related("player"))
