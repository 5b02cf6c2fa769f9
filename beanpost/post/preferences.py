"""How often players want letters: one for every turn, one a day, one until they look in, or only reminders.

A question gets a letter at once if it cannot wait for the daily letter, or if its player would get no reminder. After a
change of preferences, players get letters about the questions they would otherwise miss.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet

from beanpost.play import clock
from beanpost.play.models import Match, Place, Wait
from beanpost.play.seats import own_seat
from beanpost.play.turns.standing_orders import find_last_own_line
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post import kinds
from beanpost.post.kinds import PLAYED
from beanpost.post.models import Letter
from beanpost.post.outbox.queue import queue

TIME_AFTER_DIGEST = timedelta(hours=2)  # a question due sooner after the daily letter cannot wait for it
TIME_BEFORE_DIGEST = timedelta(minutes=1)  # a daily letter due sooner may miss the question: assume the next one
BETWEEN_LETTERS = timedelta(hours=1)  # between two letters of a match to a player whom the table does not wait for
ARRIVED = Q(state=Letter.State.SENT, returned_at=None)
DAILY = "daily"  # not a kind: one letter a day in place of those for every turn


def build_question_key(wait: Wait) -> str:
    """Return the key of letters about a question."""
    return f"m/{wait.match_id}/{wait.seat}/{wait.opened}"


def needs_letter_now(wait: Wait, place: Place, now: datetime) -> bool:
    """Return whether a question needs a letter as soon as it is asked."""
    player = place.player
    assert player is not None
    match player.how_often:
        case Player.HowOften.DAILY:
            return is_urgent(wait, player, now)
        case Player.HowOften.REMINDERS:
            return would_be_missed(wait, place, now)
        case Player.HowOften.ONCE:
            return would_be_missed(wait, place, now) or not has_unseen_letter(wait, place)
    return True


def would_be_missed(wait: Wait, place: Place, now: datetime) -> bool:
    """Return whether the table waits for a player who gets no reminder."""
    return find_deadline(wait, now) is not None and not (wait.remind_at and place.wants_reminders)


def has_unseen_letter(wait: Wait, place: Place) -> bool:
    """Return whether a letter of this match has arrived since its player last looked in or moved.

    A queued letter counts if it is about this question; one about another question may be dropped before it is sent.
    """
    coming = Q(state__in=Letter.ON_THE_WAY, values__opened=wait.opened)
    return find_unseen_letters(wait, place).filter(ARRIVED | coming).exists()


def will_be_read(wait: Wait, place: Place) -> bool:
    """Return whether an unseen letter is enough: the table waits for its reader, and will remind them."""
    if not (wait.is_blocking and wait.remind_at and place.wants_reminders):
        return False
    return find_unseen_letters(wait, place).filter(ARRIVED, values__opened=wait.opened).exists()


def find_unseen_letters(wait: Wait, place: Place) -> QuerySet[Letter]:
    """Return the letters about questions of this match since its player last looked in or moved."""
    own = wait.match.events.filter(seq=find_last_own_line(wait.match_id, wait.seat))
    looked = max(filter(None, [place.here_at, *own.values_list("said_at", flat=True)]), default=None)
    asking = [kind.name for kind in kinds.load().values() if kind.asks]
    letters = wait.match.letters.filter(recipient=place.player, kind__in=asking)
    return letters.filter(created_at__gt=looked) if looked else letters


def find_earliest_time(wait: Wait, place: Place, now: datetime) -> datetime:
    """Return when a letter about a question may go: players whom the table does not wait for get one an hour.

    The question may end sooner, when the time of another player is up, such as an offer in a market: the letter goes
    while at least half of that time is left.
    """
    if wait.is_blocking:
        return now
    own = Letter.objects.filter(match=wait.match_id, recipient=place.player, state=Letter.State.SENT)
    own = own.exclude(kind=PLAYED)  # it answers the player, and must not delay what others have to say
    last = own.aggregate(at=Max("sent_at"))["at"]
    if last is None or last + BETWEEN_LETTERS <= now:
        return now
    ends = Wait.objects.filter(match=wait.match_id, due_at__gt=now).aggregate(at=Min("due_at"))["at"]
    held: datetime = last + BETWEEN_LETTERS
    return min(held, now + (ends - now) / 2) if ends else held


def is_urgent(wait: Wait, player: Player, now: datetime) -> bool:
    """Return whether a question is due before the next daily letter, or too soon after it."""
    due = find_deadline(wait, now)
    return due is not None and due <= find_next_digest(player, now) + TIME_AFTER_DIGEST


def find_deadline(wait: Wait, now: datetime) -> datetime | None:
    """Return the deadline of a question; in a paused match, the earliest possible one."""
    return now + wait.left if wait.left is not None else wait.due_at


def find_next_digest(player: Player, now: datetime) -> datetime:
    if player.digest_at and player.digest_at > now + TIME_BEFORE_DIGEST:
        return player.digest_at
    return clock.find_next_hour(player.digest_hour, player.tz, now + TIME_BEFORE_DIGEST, not_on=player.digest_on)


# ── changing preferences ──


@transaction.atomic
def change(player: Player, changes: dict[str, Any], *, now: datetime) -> None:
    """Store a player's new preferences."""
    accounts.change(player, **changes)
    player.digest_at = None
    if player.how_often == Player.HowOften.DAILY:
        player.digest_at = clock.find_next_hour(player.digest_hour, player.tz, now, not_on=player.digest_on)
    player.save(update_fields=["digest_at"])
    write_urgent_letters(player, now)


def disable_daily_letter(player: Player) -> dict[str, Any]:
    """Return the changes that replace the daily letter by reminders."""
    daily = player.how_often == Player.HowOften.DAILY
    return {"how_often": Player.HowOften.REMINDERS} if daily else {}


def enable_daily_letter(player: Player) -> dict[str, Any]:
    """Return the changes that replace the letters for every turn by a daily one."""
    return {"how_often": Player.HowOften.DAILY} if player.how_often == Player.HowOften.EVERY else {}


def stop_kind(player: Player, kind: str, *, now: datetime) -> None:
    """Stop letters of this kind; keep all other preferences."""
    stop = enable_daily_letter if kind == DAILY else kinds.load()[kind].stops_with
    if stop and (changes := stop(player)):
        change(player, changes, now=now)


@transaction.atomic
def stop_reminding(place: Place, *, now: datetime) -> None:
    """Stop reminders of a match. Send players who rely on reminders the questions that are open there."""
    own_seat.stop_reminding(place)
    if place.player and place.player.counts_on_reminders:
        write_urgent_letters(place.player, now)


def write_urgent_letters(player: Player, now: datetime) -> None:
    """Queue letters about open questions that cannot wait and have none yet."""
    for place, wait in find_open_questions(player):
        if needs_letter_now(wait, place, now) and not is_told(wait, place):
            queue(player, "turn", build_question_key(wait), {"opened": wait.opened}, now=now, match=place.match)


def find_open_questions(player: Player) -> list[tuple[Place, Wait]]:
    """Return the open questions of a player, the most urgent first."""
    places = player.places.filter(match__phase=Match.Phase.RUNNING, stand_in=False).select_related("match", "player")
    seats = {(place.match_id, place.seat): place for place in places}
    waits = Wait.objects.filter(match__in=[match for match, _ in seats]).order_by("due_at", "pk")
    asked = [(seats[wait.match_id, wait.seat], wait) for wait in waits if (wait.match_id, wait.seat) in seats]
    return sorted(asked, key=lambda row: row[1].due_at is None)


def find_first_told_questions(letter: Letter) -> list[tuple[Match, int]]:
    """Return the questions that this letter was the first to tell, as pairs of match and opening line."""
    if letter.kind == "digest":
        asked = [row for row in find_open_questions(letter.recipient) if row[1].asked_at <= letter.created_at]
        return [(place.match, wait.opened) for place, wait in asked if not is_told(wait, place, besides=letter)]
    telling = {"turn", "reminder"} if letter.recipient.counts_on_reminders else {"turn"}
    if letter.match is None or letter.kind not in telling:
        return []
    if letter.kind == "reminder" and was_asked_before(letter):
        return []
    return [] if had_already_moved(letter, letter.match) else [(letter.match, letter.values["opened"])]


def was_asked_before(reminder: Letter) -> bool:
    """Return whether a letter about the question was sent before its reminder."""
    sent = Letter.objects.filter(match=reminder.match, recipient=reminder.recipient, state=Letter.State.SENT)
    return sent.filter(kind="turn", values__opened=reminder.values["opened"]).exists()


def had_already_moved(letter: Letter, match: Match) -> bool:
    """Return whether the reader had moved since the question was asked, when the letter was queued.

    Then they knew of the question, and the letter about their declined offer is held back for hours on purpose.
    """
    own = match.events.filter(seat__in=match.places.filter(player=letter.recipient).values("seat"))
    queued_at = letter.created_at.replace(microsecond=0)  # ignore moves of a standing order in the same moment
    return own.filter(seq__gt=letter.values["opened"], said_at__lt=queued_at).exists()


def is_told(wait: Wait, place: Place, *, besides: Letter | None = None) -> bool:
    """Return whether a letter about the question was sent or is queued."""
    own = Letter.objects.filter(recipient=place.player).exclude(state=Letter.State.DROPPED)
    if besides:
        own = own.exclude(pk=besides.pk)
    about = Q(key=build_question_key(wait)) | Q(key__startswith=f"{build_question_key(wait)}/")
    if own.filter(about, kind__in=("turn", "reminder")).exists():
        return True
    return own.filter(kind="digest", created_at__gte=wait.asked_at).exists()
