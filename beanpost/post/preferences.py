"""How often players want letters: one for every turn, one a day, one until they look in, or only reminders.

A question is told at once if it cannot wait for the daily letter, or if its player would get no reminder. After a
change of preferences, players get letters about the questions they would otherwise miss.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet

import games
from beanpost.play import clock
from beanpost.play.models import Match, Place, Wait
from beanpost.play.seats import own_seat
from beanpost.play.turns.standing_orders import find_last_own_line
from beanpost.players import accounts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.outbox.queue import queue

ENOUGH = timedelta(hours=2)  # more time than this must be left after the daily letter
CLOSE = timedelta(minutes=1)  # a daily letter this near may miss the question, so count on the next one
APART = timedelta(hours=1)  # between two letters of a match to a player whom the table does not wait for
MANY = 10  # letters of a match, after which the next one offers one letter a day
ASKING = ("turn", "reminder", "excused")  # kinds of letters about a question
ARRIVED = Q(state=Letter.State.SENT, returned_at=None)
OFFERING = ("turn", "started", "reminder")  # kinds of letters that may offer one letter a day


def question(wait: Wait) -> str:
    """Return the key of letters about a question."""
    return f"m/{wait.match_id}/{wait.seat}/{wait.opened}"


def at_once(wait: Wait, place: Place, now: datetime) -> bool:
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
    return until(wait, now) is not None and not (wait.remind_at and place.wants_reminders)


def has_unseen_letter(wait: Wait, place: Place) -> bool:
    """Return whether a letter of this match has come since its player last looked in or moved.

    A queued letter counts if it is about this question; one about another question may be dropped before it is sent.
    """
    coming = Q(state__in=Letter.ON_THE_WAY, values__opened=wait.opened)
    return unseen_letters(wait, place).filter(ARRIVED | coming).exists()


def will_be_read(wait: Wait, place: Place) -> bool:
    """Return whether news can wait for an unseen letter about the question: the table waits, and will remind."""
    if not (wait.is_blocking and wait.remind_at and place.wants_reminders):
        return False
    return unseen_letters(wait, place).filter(ARRIVED, values__opened=wait.opened).exists()


def unseen_letters(wait: Wait, place: Place) -> QuerySet[Letter]:
    """Return the letters about questions of this match since its player last looked in or moved."""
    own = wait.match.events.filter(seq=find_last_own_line(wait.match_id, wait.seat))
    looked = max(filter(None, [place.here_at, *own.values_list("said_at", flat=True)]), default=None)
    letters = wait.match.letters.filter(recipient=place.player, kind__in=ASKING)
    return letters.filter(created_at__gt=looked) if looked else letters


def not_before(wait: Wait, place: Place, now: datetime) -> datetime:
    """Return when a letter about a question may go: players whom the table does not wait for get one an hour.

    Others' time may be up sooner, and the question with it, such as an offer in a market: half of it must be left.
    """
    if wait.is_blocking or settings.DEMO:  # in the demo, letters are the point
        return now
    own = Letter.objects.filter(match=wait.match_id, recipient=place.player, state=Letter.State.SENT)
    last = own.aggregate(at=Max("sent_at"))["at"]
    if last is None or last + APART <= now:
        return now
    ends = Wait.objects.filter(match=wait.match_id, due_at__gt=now).aggregate(at=Min("due_at"))["at"]
    held: datetime = last + APART
    return min(held, now + (ends - now) / 2) if ends else held


def is_urgent(wait: Wait, player: Player, now: datetime) -> bool:
    """Return whether a question is due before the next daily letter, or too soon after it."""
    due = until(wait, now)
    return due is not None and due <= next_digest(player, now) + ENOUGH


def until(wait: Wait, now: datetime) -> datetime | None:
    """Return the deadline of a question; in a paused match, the earliest possible one."""
    return now + wait.left if wait.left is not None else wait.due_at


def next_digest(player: Player, now: datetime) -> datetime:
    if player.digest_at and player.digest_at > now + CLOSE:
        return player.digest_at
    return clock.find_next_hour(player.digest_hour, player.tz, now + CLOSE, not_on=player.digest_on)


# ── changing preferences ──


@transaction.atomic
def change(player: Player, changes: dict[str, Any], *, now: datetime) -> None:
    """Store a player's new preferences."""
    accounts.change(player, **changes)
    player.digest_at = None
    if player.how_often == Player.HowOften.DAILY:
        player.digest_at = clock.find_next_hour(player.digest_hour, player.tz, now, not_on=player.digest_on)
    player.save(update_fields=["digest_at"])
    write_what_cannot_wait(player, now)


def no_daily_letter(player: Player) -> dict[str, Any]:
    daily = player.how_often == Player.HowOften.DAILY
    return {"how_often": Player.HowOften.REMINDERS} if daily else {}


def one_letter_a_day(player: Player) -> dict[str, Any]:
    return {"how_often": Player.HowOften.DAILY} if player.how_often == Player.HowOften.EVERY else {}


def offers_daily_letter(letter: Letter, *, went: int, is_first: bool) -> bool:
    """Return whether a letter offers one letter a day: every tenth of a match, and the first of a game with many."""
    if letter.match is None or letter.kind not in OFFERING or letter.recipient.how_often != Player.HowOften.EVERY:
        return False
    many = is_first and games.get(letter.match.game, letter.match.edition).writes_often
    return many or (went > 0 and went % MANY == 0)


FEWER: dict[str, Callable[[Player], dict[str, Any]]] = {  # by kind, the change that stops it
    "digest": no_daily_letter,
    "weekly": lambda _: {"weekly": False},
    "league_news": lambda _: {"league_news": False},
    "daily": one_letter_a_day,  # no kind of letter, but what is left of the letters for every turn
}


def want_fewer(player: Player, kind: str, *, now: datetime) -> None:
    """Stop letters of this kind; keep all other preferences."""
    if changes := FEWER[kind](player):
        change(player, changes, now=now)


@transaction.atomic
def stop_reminding(place: Place, *, now: datetime) -> None:
    """Stop reminders of a match. Tell players who count on them what is open there: they would miss it."""
    own_seat.stop_reminding(place)
    if place.player and place.player.counts_on_reminders:
        write_what_cannot_wait(place.player, now)


def write_what_cannot_wait(player: Player, now: datetime) -> None:
    for place, wait in open_questions(player):
        if at_once(wait, place, now) and not is_told(wait, place):
            queue(player, "turn", question(wait), {"opened": wait.opened}, now=now, match=place.match)


def open_questions(player: Player) -> list[tuple[Place, Wait]]:
    """Return the open questions of a player, the most urgent first."""
    places = player.places.filter(match__phase=Match.Phase.RUNNING, stand_in=False).select_related("match", "player")
    seats = {(place.match_id, place.seat): place for place in places}
    waits = Wait.objects.filter(match__in=[match for match, _ in seats]).order_by("due_at", "pk")
    asked = [(seats[wait.match_id, wait.seat], wait) for wait in waits if (wait.match_id, wait.seat) in seats]
    return sorted(asked, key=lambda row: row[1].due_at is None)


def first_told_by(letter: Letter) -> list[tuple[Match, int]]:
    """Return the questions that this letter was the first to tell, as pairs of match and opening line."""
    if letter.kind == "digest":
        asked = [row for row in open_questions(letter.recipient) if row[1].asked_at <= letter.created_at]
        return [(place.match, wait.opened) for place, wait in asked if not is_told(wait, place, besides=letter)]
    telling = {"turn", "reminder"} if letter.recipient.counts_on_reminders else {"turn"}
    if letter.match is None or letter.kind not in telling:
        return []
    if letter.kind == "reminder" and was_asked_before(letter):
        return []
    return [] if had_spoken(letter, letter.match) else [(letter.match, letter.values["opened"])]


def was_asked_before(reminder: Letter) -> bool:
    """Return whether a letter about the question was sent before its reminder."""
    sent = Letter.objects.filter(match=reminder.match, recipient=reminder.recipient, state=Letter.State.SENT)
    return sent.filter(kind="turn", values__opened=reminder.values["opened"]).exists()


def had_spoken(letter: Letter, match: Match) -> bool:
    """Return whether the reader had already spoken in the question when the letter was queued. Then they knew of it,
    and the letter about their declined offer is held back for hours on purpose.
    """
    own = match.events.filter(seat__in=match.places.filter(player=letter.recipient).values("seat"))
    queued_at = letter.created_at.replace(microsecond=0)  # ignore what a standing order says in the same moment
    return own.filter(seq__gt=letter.values["opened"], said_at__lt=queued_at).exists()


def is_told(wait: Wait, place: Place, *, besides: Letter | None = None) -> bool:
    """Return whether a letter about the question was sent or is queued."""
    own = Letter.objects.filter(recipient=place.player).exclude(state=Letter.State.DROPPED)
    if besides:
        own = own.exclude(pk=besides.pk)
    about = Q(key=question(wait)) | Q(key__startswith=f"{question(wait)}/")
    if own.filter(about, kind__in=("turn", "reminder")).exists():
        return True
    return own.filter(kind="digest", created_at__gte=wait.asked_at).exists()
