"""Erase old letters: bytes after five days, contents a month after the match, envelopes after ENVELOPES_KEPT_DAYS."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from beanpost.play.models import Match, Wait
from beanpost.players.models import Player
from beanpost.post.models import Body, Letter, Reply

KEPT = timedelta(days=30)  # after the end of the match
BYTES_KEPT = timedelta(days=5)  # after sending; they take more than a third of a running match's space
BATCH = 500
SECONDS_PER_RUN = 20  # the hourly task runs again until nothing is left


# ── contents and envelopes ──
# Both find letters by their match; letters without a match have an index of their own. So a batch costs the same,
# however many letters were erased before it.


def erase_contents(now: datetime) -> int:
    """Erase the contents of letters and replies 30 days after their match ended; without one, after they were queued.

    Return how many matches, and letters without one, were finished.
    """
    ended, alone = find_ended((Match.TEXTS,), now - KEPT), find_alone(now - KEPT, is_erased=False)
    return run_in_batches(ended, erase_match) + run_in_batches(alone, erase_letter)


def prune(now: datetime) -> int:
    """Delete the envelopes of matches that ended long ago, and old ones without a match. No more reports arrive.

    Return how many matches, and letters without one, were finished.
    """
    over = now - timedelta(days=settings.ENVELOPES_KEPT_DAYS)
    ended, alone = find_ended((Match.TEXTS, Match.ENVELOPES), over), find_alone(over, is_erased=True)
    return run_in_batches(ended, prune_match) + run_in_batches(alone.filter(reports=None), prune_letter)


def find_ended(kept: tuple[int, ...], before: datetime) -> QuerySet[Match]:
    return Match.objects.filter(letters_kept__in=kept, ended_at__lt=before).order_by("ended_at")


def find_alone(before: datetime, *, is_erased: bool) -> QuerySet[Letter]:
    old = Letter.objects.filter(match=None, is_erased=is_erased, created_at__lt=before)
    return exclude_held(old).order_by("created_at")


def exclude_held(letters: QuerySet[Letter]) -> QuerySet[Letter]:
    """Leave out letters that are on the way, or have a reply that is not read yet."""
    unread = Reply.objects.filter(letter=OuterRef("pk"), state=Reply.State.WAITING)
    return letters.exclude(state__in=Letter.ON_THE_WAY).exclude(Exists(unread))


@transaction.atomic
def erase_match(number: int) -> bool:
    """Erase what can be erased of a match's letters. Return whether that is all."""
    match = Match.objects.select_for_update().get(pk=number)  # `keep_again` waits for this lock
    letters = Letter.objects.filter(match=match)
    empty_letters(exclude_held(letters))
    if letters.filter(is_erased=False).exists():
        return False
    match.letters_kept = Match.ENVELOPES
    match.save(update_fields=["letters_kept"])
    return True


@transaction.atomic
def erase_letter(number: int) -> bool:
    """Erase a letter without a match, unless a reply has come since the batch was read. Return whether it is erased."""
    letter = Letter.objects.filter(pk=number)
    letter.select_for_update().first()  # `keep_again` waits for this lock
    empty_letters(exclude_held(letter))
    return not letter.filter(is_erased=False).exists()


@transaction.atomic
def prune_match(number: int) -> bool:
    """Delete what can be deleted of a match's envelopes. Return whether that is all."""
    letters = Letter.objects.filter(match=number)
    exclude_held(letters).filter(is_erased=True, reports=None).delete()
    if letters.exists():
        return False
    Match.objects.filter(pk=number).update(letters_kept=Match.NOTHING)
    return True


def prune_letter(number: int) -> bool:
    return bool(Letter.objects.filter(pk=number).delete()[0])


def run_in_batches(rows: QuerySet[Any], handle: Callable[[int], bool]) -> int:
    """Handle rows one by one, so that no lock is held for long, until none is left or the time is up.

    Return how many were finished. Rows that can't be finished yet stay for a later run.
    """
    done, end = 0, time.monotonic() + SECONDS_PER_RUN
    left: list[int] = []
    while numbers := list(rows.exclude(pk__in=left).values_list("pk", flat=True)[:BATCH]):
        for number in numbers:
            is_done = handle(number)
            done += is_done
            if not is_done:
                left.append(number)
            if time.monotonic() > end:
                return done
    return done


def keep_again(letter: Letter) -> None:
    """Mark a letter and its match as not erased, because a late letter or reply has come.

    If it is being erased, this waits, so even a match that seems to have its letters is updated: a row that a
    condition on `letters_kept` leaves out would not be waited for. Lock order: the match before its letters, as in
    `erase_match`.
    """
    if letter.match_id:
        Match.objects.filter(pk=letter.match_id, ended_at__isnull=False).update(letters_kept=Match.TEXTS)
    Letter.objects.filter(pk=letter.pk).update(is_erased=False)


def find_oldest_text(now: datetime) -> datetime | None:
    """Return since when the oldest text should have been erased, or None if there is none."""
    since = [
        find_ended((Match.TEXTS,), now - KEPT).values_list("ended_at", flat=True).first(),
        find_alone(now - KEPT, is_erased=False).values_list("created_at", flat=True).first(),
    ]
    return min((at + KEPT for at in since if at), default=None)


# ── bytes ──


def erase_bytes(now: datetime) -> int:
    """Erase the bytes of letters that were sent some days ago. The moves they offered stay, to answer late replies.

    Letters about open questions keep theirs: reading a reply needs them to tell its own words from quoted ones.
    """
    sent = Letter.objects.filter(state=Letter.State.SENT, due_at__lt=now - BYTES_KEPT)  # due_at: just after sending
    # Letters are numbered as they are queued: this bounds the search to the oldest bodies.
    last = sent.order_by("-due_at", "-pk").values_list("pk", flat=True).first()
    if last is None:
        return 0
    still_open = Wait.objects.filter(
        match=OuterRef("match"),
        seat=F("match__places__seat"),
        match__places__player=OuterRef("recipient"),
        asked_at__lte=OuterRef("due_at"),
    )
    old = sent.filter(body__letter__lte=last, match__isnull=False).exclude(Exists(still_open))
    done, end = 0, time.monotonic() + SECONDS_PER_RUN
    while numbers := list(old.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        done += Body.objects.filter(letter__in=numbers).delete()[0]
        if len(numbers) < BATCH or time.monotonic() > end:
            break
    return done


def filter_expired(letters: QuerySet[Letter], now: datetime) -> QuerySet[Letter]:
    """Return those of the letters whose contents are past their time."""
    old = now - KEPT
    over = Q(match__ended_at__lt=old) | Q(match=None, created_at__lt=old)
    return letters.exclude(state__in=Letter.ON_THE_WAY).filter(over)


def filter_unsendable(letters: QuerySet[Letter], now: datetime) -> QuerySet[Letter]:
    """Return those of the letters that cannot be resent unchanged: their contents are erased, or about to be."""
    return letters.filter(Q(pk__in=filter_expired(letters, now)) | Q(sent_at__isnull=False, body=None))


def empty_letters(letters: QuerySet[Letter]) -> None:
    """Erase the contents of letters and of their replies, and keep their envelopes."""
    # Subjects name the others at the table.
    letters.filter(is_erased=False).update(values={}, options=[], asked={}, subject="", is_erased=True)
    Body.objects.filter(letter__in=letters).delete()
    read = Reply.objects.filter(letter__in=letters).exclude(state=Reply.State.WAITING)  # one may come in just now
    read.exclude(source=b"", sender="").update(source=b"", sender="")


def lock_letters(player_id: int) -> None:
    """Lock every letter to a player, and every reply, until the transaction ends."""
    letters = Letter.objects.filter(recipient=player_id)
    for rows in (Reply.objects.filter(letter__in=letters.values("pk")), letters):  # no join: it locks both
        list(rows.order_by("pk").select_for_update().values_list("pk", flat=True))


def forget_letters(player: Player) -> None:
    """Erase the contents of all letters to a player, and of their replies."""
    letters = Letter.objects.filter(recipient=player)
    letters.filter(state__in=Letter.ON_THE_WAY).update(state=Letter.State.DROPPED)
    empty_letters(letters)
    letters.update(address="")
