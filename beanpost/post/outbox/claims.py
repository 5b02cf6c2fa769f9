"""Claim queued letters in batches, store what was composed, and mark them once the mail server accepts them.

    queued ──▶ inflight ──▶ sent
                │    ▲
                ├────┴── retry     later, with the same bytes and Message-ID; after a change of address, a new letter
                ├──────▶ failed    too many attempts, or permanently refused
                ├──────▶ dropped   nobody needs it any more
                └──────▶ withheld  its address has had several letters, and nobody there has confirmed it

A sender that dies leaves its letters inflight; they are claimed again when the lease ends. A letter that arrives
twice is harmless, since pressing a link twice is; a lost letter is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, QuerySet, When
from django.db.models.expressions import Combinable

from beanpost.players.models import Player
from beanpost.post.kinds import PLAYED
from beanpost.post.models import Body, Letter
from beanpost.post.outbox import pause, rate_limit, retention
from beanpost.post.outbox.queue import queue
from beanpost.post.outbox.wake_up import wake_after_commit

LEASE = timedelta(minutes=5)  # a sender that has not marked a letter by then counts as dead
MAX_ATTEMPTS = 24  # with these pauses, a mail server may be down for a weekend
LONGEST_PAUSE = timedelta(hours=4)
NO_ANSWER = "NoAnswerYet"  # stored as the error: the letter waits, since its unconfirmed address got one today
JOINED = "SaidByLetter"  # stored as the error of an acknowledgement, with the number of the letter that makes it
TOO_MANY_NEW = "ManyNewAddresses"  # likewise: the daily limit of unconfirmed addresses is reached


# ── claiming ──


def find_due(now: datetime) -> QuerySet[Letter]:
    """Return the letters to send now, including those whose sender's lease has ended."""
    return Letter.objects.filter(state__in=Letter.ON_THE_WAY, due_at__lte=now)


def claim(now: datetime, limit: int) -> list[Letter]:
    """Claim letters that are due: no other sender gets them during the lease."""
    known = pause.find_pause()
    if known and not pause.begin_try(now):
        return []
    # During a pause each try is another letter's: those that were refused take turns after all others.
    first: list[Combinable] = [Case(When(error=known.error, then=1), default=0)] if known else []
    with transaction.atomic():
        # Other senders skip locked rows. SQLite has no row locks: there the transaction keeps other writers out.
        free = find_due(now).order_by(*first, "due_at", "pk").select_for_update(skip_locked=True)
        most = min(limit, rate_limit.count_allowed(now)) if settings.LETTERS_PER_MINUTE else limit
        ours = dict(free.values_list("pk", "due_at")[:most])
        if settings.LETTERS_PER_MINUTE and ours:
            rate_limit.count_claimed(now, len(ours))
        Letter.objects.filter(pk__in=list(ours)).update(
            state=Letter.State.INFLIGHT, claimed_at=now, due_at=now + LEASE, attempts=F("attempts") + 1
        )
    if not ours:
        return []
    # Bodies are read in a second query, so that the database does not carry them through the sort.
    batch = load_claimed(ours, now)
    if known:
        batch.sort(key=lambda letter: list(ours).index(letter.pk))
    # Letters to changed addresses were queued anew, and are due at once.
    return batch if len(batch) == len(ours) else batch + claim(now, limit - len(batch))


DEFERRED_FIELDS = ("options", "asked")  # senders do not need them


def load_claimed(claimed: Mapping[int, datetime], now: datetime) -> list[Letter]:
    """Load the claimed letters that are still inflight, with all that a sender needs, and note when each was due."""
    inflight = Letter.objects.filter(pk__in=list(claimed), state=Letter.State.INFLIGHT).order_by("pk")
    ours = list(inflight.select_related("recipient", "match", "body").defer(*DEFERRED_FIELDS))
    for letter in ours:
        letter.was_due_at = claimed[letter.pk]
    outdated = [letter for letter in ours if letter.is_written and letter.address != letter.target_address]
    for letter in outdated:
        rewrite_for_new_address(letter, now)
    return [letter for letter in ours if letter not in outdated]


@transaction.atomic
def rewrite_for_new_address(letter: Letter, now: datetime) -> None:
    """Queue a new letter to the changed address.

    The stored letter stays as it is: if it was sent, it may still bounce, or get a reply that names its numbers.
    """
    state = Letter.State.SENT if letter.sent_at else Letter.State.DROPPED
    if find_held(letter).update(state=state, error=""):
        key = f"{letter.key[:40]}/moved/{letter.pk}/{now:%y%m%d%H%M%S}"  # an organiser may resend it more than once
        values, since = {"instead_of": letter.pk} | letter.values, now if letter.sent_at else letter.created_at
        queue(letter.recipient, letter.kind, key, values, now=since, match=letter.match, replaces=letter)
        if not letter.sent_at:
            requeue_joined(letter)


def release(batch: Iterable[Letter]) -> None:
    """Release letters that were claimed but not tried, as if they had never been claimed."""
    for letter in batch:
        state = Letter.State.RETRY if letter.is_written else Letter.State.QUEUED
        find_held(letter).update(state=state, due_at=letter.was_due_at, attempts=letter.attempts - 1)


def reclaim_all(now: datetime) -> int:
    """Make the letters of a sender that is known to be dead claimable at once."""
    return Letter.objects.filter(state=Letter.State.INFLIGHT).update(due_at=now)


def release_unwritten(now: datetime, *, to: Player | None = None) -> None:
    """Release the letters that senders are composing right now, because the data they have read is stale.

    `to` limits this to the letters of one player. They are released again after the commit: until then, a sender that
    claims a letter still reads the old data.

    All code locks letters in the order of their primary keys. The caller may already hold some, so the first pass skips
    locked letters: the sender that stores one of them may be waiting for one of the caller's.
    """
    release_unwritten_now(now, to, skip_locked=True)
    transaction.on_commit(partial(release_unwritten_now, now, to))


@transaction.atomic
def release_unwritten_now(now: datetime, to: Player | None, *, skip_locked: bool = False) -> None:
    """Let other senders claim the letters that are not stored yet. The senders that hold them lose their claim."""
    inflight = Letter.objects.filter(state=Letter.State.INFLIGHT)
    if to:
        inflight = inflight.filter(recipient=to)
    # Lock first: a letter that is being stored meanwhile has its body when we look, and is sent only once.
    locked = inflight.order_by("pk").select_for_update(skip_locked=skip_locked)
    held_now = list(locked.values_list("pk", flat=True))
    inflight.filter(pk__in=held_now, body=None).update(due_at=now, attempts=F("attempts") + 1)
    wake_after_commit()


def find_held(letter: Letter) -> QuerySet[Letter]:
    """Return the letter's row if it is still ours: the next claim raises its number of attempts."""
    return Letter.objects.filter(pk=letter.pk, state=Letter.State.INFLIGHT, attempts=letter.attempts)


@dataclass(frozen=True)
class ComposedLetter:
    """A composed letter, ready to be stored."""

    address: str
    subject: str
    source: bytes = field(repr=False)
    options: list[dict[str, Any]] = field(repr=False)
    asked: dict[str, int] = field(repr=False)
    joined: list[int] = field(default_factory=list)  # acknowledgements that this letter makes needless


@transaction.atomic
def store(batch: Mapping[Letter, ComposedLetter], now: datetime) -> list[Letter]:
    """Store composed letters before sending, so that a retry sends the same bytes. Return those that are still ours."""
    ours = [letter for letter, composed in batch.items() if store_envelope(letter, composed, now)]
    Body.objects.bulk_create([letter.body for letter in ours])
    for letter in ours:
        if joined := batch[letter].joined:
            drop_joined(letter, joined)
    return ours


def drop_joined(letter: Letter, numbers: Collection[int]) -> None:
    """Drop acknowledgements that this letter makes, unless a sender is storing them at this moment."""
    waiting = Letter.objects.filter(pk__in=numbers, state__in=Letter.ON_THE_WAY, body=None)
    free = waiting.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True)
    Letter.objects.filter(pk__in=list(free)).update(state=Letter.State.DROPPED, error=f"{JOINED}{letter.pk}")


def requeue_joined(letter: Letter) -> None:
    """Queue again the acknowledgements that this letter would have made: it is not sent."""
    joined = Letter.objects.filter(recipient=letter.recipient_id, kind=PLAYED, state=Letter.State.DROPPED)
    if joined.filter(error=f"{JOINED}{letter.pk}").update(state=Letter.State.QUEUED, error=""):
        wake_after_commit()


def store_envelope(letter: Letter, composed: ComposedLetter, now: datetime) -> bool:
    """Store all but the body. Return False if another sender has claimed the letter."""
    letter.due_at, letter.address, letter.subject = now + LEASE, composed.address, composed.subject
    letter.options, letter.asked = composed.options, composed.asked
    letter.body = Body.from_source(letter, composed.source)
    stored = {name: getattr(letter, name) for name in ("due_at", "address", "subject", "options", "asked")}
    return bool(find_held(letter).update(**stored, is_erased=False))  # a letter may wait for longer than texts are kept


def extend_lease(letter: Letter, now: datetime) -> bool:
    """Extend the lease if half of it has passed. Return False if another sender has claimed the letter."""
    if letter.claimed_at and now - letter.claimed_at < LEASE / 2:
        return True
    return bool(find_held(letter).update(due_at=now + LEASE))


# ── marking ──


def mark_sent(letter: Letter, now: datetime) -> None:
    """Mark the row, unless another sender has claimed it. The object keeps its old `sent_at`, which callers compare."""
    ours = Letter.objects.filter(pk=letter.pk, attempts=letter.attempts)
    ours.update(state=Letter.State.SENT, sent_at=now, error="")


@transaction.atomic
def mark_dropped(letter: Letter) -> None:
    """Mark a letter that nobody needs any more. The moves it acknowledged then need letters of their own."""
    if find_held(letter).update(state=Letter.State.DROPPED, error="") and letter.is_written:
        requeue_joined(letter)


def mark_withheld(letter: Letter) -> None:
    """Mark a letter that is not sent unless its address is confirmed; see `release_delayed`."""
    find_held(letter).update(state=Letter.State.WITHHELD, error="")


def delay_letter(letter: Letter, until: datetime, *, why: str = NO_ANSWER) -> None:
    """Delay a letter until its address may get another one. `release_delayed` finds it by its error."""
    state = Letter.State.RETRY if letter.is_written else Letter.State.QUEUED
    find_held(letter).update(state=state, due_at=until, attempts=letter.attempts - 1, error=why)


def release_delayed(to: Player, *, now: datetime) -> None:
    """Send the letters that were delayed or withheld, because their recipient has answered."""
    unsent = Letter.objects.filter(recipient=to, state__in=(Letter.State.QUEUED, Letter.State.RETRY))
    waiting = unsent.filter(error__in=(NO_ANSWER, TOO_MANY_NEW))
    # Letters requested on a page are left out: they would come too late to be of use.
    withheld = Letter.objects.filter(recipient=to, state=Letter.State.WITHHELD).exclude(key__startswith="asked/")
    count = waiting.update(due_at=now, error="")
    count += withheld.filter(body=None).update(state=Letter.State.QUEUED, due_at=now)
    count += withheld.exclude(body=None).update(state=Letter.State.RETRY, due_at=now)
    if count:
        wake_after_commit()


@transaction.atomic
def mark_failed(letter: Letter, error: str) -> None:
    """Mark a letter that is not tried again. The moves it acknowledged then need letters of their own."""
    if find_held(letter).update(state=Letter.State.FAILED, error=error) and letter.is_written:
        requeue_joined(letter)


def mark_retry(letter: Letter, error: str, now: datetime) -> None:
    """Schedule the next attempt after a pause; after too many attempts, mark the letter as failed."""
    if letter.attempts >= MAX_ATTEMPTS:
        mark_failed(letter, error)
    else:
        find_held(letter).update(state=Letter.State.RETRY, due_at=now + compute_pause(letter.attempts), error=error)


def compute_pause(attempts: int) -> timedelta:
    """Return the pause before the next attempt: 1, 2, 4 … minutes.

    >>> [str(compute_pause(attempts)) for attempts in (1, 2, 5, 9)]
    ['0:01:00', '0:02:00', '0:16:00', '4:00:00']
    """
    return min(timedelta(minutes=2 ** (attempts - 1)), LONGEST_PAUSE)


def resend(letters: Iterable[Letter], now: datetime) -> int:
    """Resend letters unchanged. One that was never composed is composed now; a changed address gets a new letter.

    Letters whose contents are erased, or about to be, cannot be resent.
    """
    again = Letter.objects.filter(pk__in=[letter.pk for letter in letters]).exclude(state__in=Letter.ON_THE_WAY)
    again = again.exclude(pk__in=retention.filter_unsendable(again, now))
    count = again.update(state=Letter.State.RETRY, due_at=now, attempts=0, error="", fate="", returned_at=None)
    wake_after_commit()
    return count
