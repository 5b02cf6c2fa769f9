"""The outbox: letters are queued with the move that causes them, claimed in batches, and marked once accepted.

    queued ──▶ inflight ──▶ sent
                │    ▲
                ├────┴── retry     later, with the same bytes and the same Message-ID; who has moved gets another letter
                ├──────▶ failed    tried too often, or refused for good
                ├──────▶ dropped   nobody needs it any more
                └──────▶ withheld  its address was written to before, and has not answered

A sender that dies leaves its letters inflight; when their time is up they are claimed again. A letter that comes
twice is harmless, since pressing a link twice is; a lost one is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Least

from beanpost.play.models import Match, Place
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import keeping, meter
from beanpost.post.bell import Bell
from beanpost.post.models import Body, Letter

LEASE = timedelta(minutes=5)  # a sender that has not marked a letter by then is taken for dead
MOST_ATTEMPTS = 24  # with these pauses a mail server may be down for a weekend
LONGEST_PAUSE = timedelta(hours=4)
SENDERS, READERS = Bell("beanpost.post.tasks.deliver"), Bell("beanpost.post.tasks.read")
NO_ANSWER = "NoAnswerYet"  # in the place of an error: the letter waits since its address was written to today
HOUSE_IS_FULL = "ManyNewAddresses"  # the same: the house has written to as many such addresses as it may in a day


# ── putting in ──


def queue(
    to: Player,
    kind: str,
    key: str,
    values: dict[str, Any] | None = None,
    *,
    now: datetime,
    after: datetime | None = None,
    match: Match | None = None,
) -> None:
    """Put a letter into the outbox, in the transaction of what it tells. The same news is queued once.

    `after` holds it back. In `values` stands what its writer must know beside the match (contents.py says what);
    "to" sends it elsewhere than to the recipient's own address.
    """
    if to.unwanted_at or to.guest:
        return
    if values and "to" in values and book.is_refused(values["to"]):
        return
    due = after or now
    letter = Letter(recipient=to, match=match, kind=kind, key=key, values=values or {}, created_at=now, due_at=due)
    Letter.objects.bulk_create([letter], ignore_conflicts=True)
    if due <= now:
        wake_after_commit()


def bring_forward(match: Match, to: Player, opened: int, by: datetime, *, now: datetime) -> bool:
    """Whether a letter about this question is still to be written; there is news for it, so it goes by then."""
    if not about(match, to, opened).update(values={"opened": opened}, due_at=Least(F("due_at"), Value(by))):
        return False
    if by <= now:
        wake_after_commit()
    return True


def is_coming(match: Match, to: Player, opened: int) -> bool:
    """Whether a letter about this question is still to be written. One that spares who has spoken since its news is
    told that there are newer ones.
    """
    letter = about(match, to, opened).first()
    if letter and "since" in letter.values:
        about(match, to, opened).filter(pk=letter.pk).update(values=letter.values | {"since": match.length})
    return letter is not None


def about(match: Match, to: Player, opened: int) -> QuerySet[Letter]:
    coming = Letter.objects.filter(match=match, recipient=to, kind="turn", state=Letter.State.QUEUED)
    return coming.filter(values__opened=opened)


def queue_current(match: Match, place: Place, *, now: datetime) -> None:
    """The letter this seat would get now. One that is held back goes at once; beside that it is at most one an hour, so
    that nobody's mailbox is filled.
    """
    assert place.player is not None
    if hurry(match, place.player, now=now):
        return
    kind, values = current(match, place)
    key = f"m/{match.pk}/{place.seat}/again/{place.occupant}/{now:%y%m%d%H}"
    queue(place.player, kind, key, values, now=now, match=match)


def current(match: Match, place: Place) -> tuple[str, dict[str, Any]]:
    """Which letter this seat would get now, and what its writer must know."""
    wait = match.waits.filter(seat=place.seat).first()
    kind = "turn" if wait else "finished" if match.phase == Match.Phase.ENDED else "started"
    return kind, {"opened": wait.opened} if wait else {}


def wake_after_commit() -> None:
    """Call the worker for letters that are due. The bell rings once for all who call in the same moment."""
    transaction.on_commit(SENDERS.ring)


def wake_reader_after_commit() -> None:
    """Call the worker for replies that have come."""
    transaction.on_commit(READERS.ring)


def hurry(match: Match, player: Player, *, now: datetime) -> bool:
    """Do not hold back the letter of somebody's next question, if one is held back: no page shows it to them."""
    own = match.waits.filter(seat__in=match.places.filter(player=player).values("seat"))
    waited = [wait.opened for wait in own if wait.is_blocking]
    held_back = match.letters.filter(recipient=player, kind="turn", state=Letter.State.QUEUED, due_at__gt=now)
    if not held_back.filter(values__opened__in=waited).update(due_at=now):
        return False
    wake_after_commit()
    return True


# ── taking out ──


def due(now: datetime) -> QuerySet[Letter]:
    """Letters that should be on their way; where one is being sent, that its sender is taken for dead."""
    return Letter.objects.filter(state__in=Letter.ON_THE_WAY, due_at__lte=now)


def claim(now: datetime, limit: int) -> list[Letter]:
    """Letters that are due, and that no other sender will get while we hold them."""
    with transaction.atomic():
        # Others pass over what we have locked. SQLite has no row locks: there the whole transaction keeps others out.
        free = due(now).order_by("due_at", "pk").select_for_update(skip_locked=True)
        ours = dict(free.values_list("pk", "due_at")[: meter.allowed(now, limit)])
        meter.note(now, len(ours))
        Letter.objects.filter(pk__in=list(ours)).update(
            state=Letter.State.INFLIGHT, claimed_at=now, due_at=now + LEASE, attempts=F("attempts") + 1
        )
    if not ours:
        return []
    # Only now with what is in them: a database that has to sort them would carry the bodies about.
    return picked_up(ours, now) or claim(now, limit)


UNREAD = ("options", "asked")  # a sender does not need them


def picked_up(claimed: Mapping[int, datetime], now: datetime) -> list[Letter]:
    """These letters, each with who gets it, its match, its body if it was written before, and when it was due."""
    ours = list(inflight(claimed))
    for letter in ours:
        letter.was_due_at = claimed[letter.pk]
    astray = [letter for letter in ours if letter.is_written and letter.address != letter.goes_to]
    for letter in astray:
        write_elsewhere(letter, now)
    return [letter for letter in ours if letter not in astray]


@transaction.atomic
def write_elsewhere(letter: Letter, now: datetime) -> None:
    """Another letter, to where the reader has moved. The one that was written to their old address stays as it is: if
    it went, it may still be answered by the numbers it printed, and come back.
    """
    state = Letter.State.SENT if letter.sent_at else Letter.State.DROPPED
    if held(letter).update(state=state, error=""):
        key = f"{letter.key[:40]}/moved/{letter.pk}/{now:%y%m%d%H%M%S}"  # the office may send it again more than once
        values, since = {"instead_of": letter.pk} | letter.values, now if letter.sent_at else letter.created_at
        queue(letter.recipient, letter.kind, key, values, now=since, match=letter.match)


def inflight(numbers: Iterable[int]) -> QuerySet[Letter]:
    ours = Letter.objects.filter(pk__in=list(numbers), state=Letter.State.INFLIGHT).order_by("pk")
    return ours.select_related("recipient", "match", "body").defer(*UNREAD)


def give_back(batch: Iterable[Letter]) -> None:
    """Let others have what we have claimed and not tried, as if it had never been ours."""
    for letter in batch:
        state = Letter.State.RETRY if letter.is_written else Letter.State.QUEUED
        held(letter).update(state=state, due_at=letter.was_due_at, attempts=letter.attempts - 1)


def take_back(now: datetime) -> int:
    """Claim anew, without waiting, what a sender left behind that is known to be dead."""
    return Letter.objects.filter(state=Letter.State.INFLIGHT).update(due_at=now)


def write_anew(now: datetime, *, to: Player | None = None) -> None:
    """Take from their senders the letters that are just being written: what these have looked at is no longer so. All
    of them, or those to one player.

    And once more after the transaction: until then a sender who claims a letter still looks at what was.

    Everybody locks letters in the order of their numbers. The caller may hold some already, so here a letter that
    somebody else holds is passed over: the sender who stores it may wait for one of the caller's.
    """
    take_unwritten(now, to, passing_over_locked=True)
    transaction.on_commit(partial(take_unwritten, now, to))


@transaction.atomic
def take_unwritten(now: datetime, to: Player | None, *, passing_over_locked: bool = False) -> None:
    inflight = Letter.objects.filter(state=Letter.State.INFLIGHT)
    if to:
        inflight = inflight.filter(recipient=to)
    # Held first: one that is being stored meanwhile has a body by the time it is looked at, and goes once.
    locked = inflight.order_by("pk").select_for_update(skip_locked=passing_over_locked)
    held_now = list(locked.values_list("pk", flat=True))
    inflight.filter(pk__in=held_now, body=None).update(due_at=now, attempts=F("attempts") + 1)
    wake_after_commit()


def held(letter: Letter) -> QuerySet[Letter]:
    """The letter's row, if it is still ours: whoever claims it next makes another attempt of it."""
    return Letter.objects.filter(pk=letter.pk, state=Letter.State.INFLIGHT, attempts=letter.attempts)


@dataclass(frozen=True)
class Written:
    """A letter as it will be sent."""

    address: str
    subject: str
    source: bytes = field(repr=False)
    options: list[dict[str, Any]] = field(repr=False)
    asked: dict[str, int] = field(repr=False)


@transaction.atomic
def store(batch: Mapping[Letter, Written], now: datetime) -> list[Letter]:
    """Store letters before they are sent, so that a retry sends the same bytes. Return those that are still ours."""
    ours = [letter for letter, written in batch.items() if store_envelope(letter, written, now)]
    Body.objects.bulk_create([letter.body for letter in ours])
    return ours


def store_envelope(letter: Letter, written: Written, now: datetime) -> bool:
    letter.due_at, letter.address, letter.subject = now + LEASE, written.address, written.subject
    letter.options, letter.asked = written.options, written.asked
    letter.body = Body.of(letter, written.source)
    stored = {name: getattr(letter, name) for name in ("due_at", "address", "subject", "options", "asked")}
    return bool(held(letter).update(**stored))


def hold(letter: Letter, now: datetime) -> bool:
    """Say that we are still at it, unless that goes without saying. False: another sender has it."""
    if letter.claimed_at and now - letter.claimed_at < LEASE / 2:
        return True
    return bool(held(letter).update(due_at=now + LEASE))


# ── marking ──


def mark_sent(letter: Letter, now: datetime) -> None:
    """Mark the row, unless another sender has claimed it meanwhile. The letter object still says if it went before."""
    ours = Letter.objects.filter(pk=letter.pk, attempts=letter.attempts)
    ours.update(state=Letter.State.SENT, sent_at=now, error="")


def mark_dropped(letter: Letter) -> None:
    held(letter).update(state=Letter.State.DROPPED, error="")


def mark_withheld(letter: Letter) -> None:
    held(letter).update(state=Letter.State.WITHHELD, error="")


def hold_back(letter: Letter, until: datetime, *, why: str = NO_ANSWER) -> None:
    """Let a letter wait until another one may go to its address. `bring_back` finds it by its error."""
    state = Letter.State.RETRY if letter.is_written else Letter.State.QUEUED
    held(letter).update(state=state, due_at=until, attempts=letter.attempts - 1, error=why)


def bring_back(to: Player, *, now: datetime) -> None:
    """Send what was held back: its reader has answered."""
    unsent = Letter.objects.filter(recipient=to, state__in=(Letter.State.QUEUED, Letter.State.RETRY))
    waiting = unsent.filter(error__in=(NO_ANSWER, HOUSE_IS_FULL))
    # A letter that somebody asked for on a page has come too late to be of use.
    withheld = Letter.objects.filter(recipient=to, state=Letter.State.WITHHELD).exclude(key__startswith="asked/")
    brought = waiting.update(due_at=now, error="")
    brought += withheld.filter(body=None).update(state=Letter.State.QUEUED, due_at=now)
    brought += withheld.exclude(body=None).update(state=Letter.State.RETRY, due_at=now)
    if brought:
        wake_after_commit()


def mark_failed(letter: Letter, error: str) -> None:
    held(letter).update(state=Letter.State.FAILED, error=error)


def mark_retry(letter: Letter, error: str, now: datetime) -> None:
    if letter.attempts >= MOST_ATTEMPTS:
        mark_failed(letter, error)
    else:
        held(letter).update(state=Letter.State.RETRY, due_at=now + pause(letter.attempts), error=error)


def pause(attempts: int) -> timedelta:
    """How long to wait before the next attempt: 1, 2, 4 … minutes.

    >>> [str(pause(attempts)) for attempts in (1, 2, 5, 9)]
    ['0:01:00', '0:02:00', '0:16:00', '4:00:00']
    """
    return min(timedelta(minutes=2 ** (attempts - 1)), LONGEST_PAUSE)


def resend(letters: Iterable[Letter], now: datetime) -> int:
    """Send letters again, as they were; one that was never written is written now, and who has moved gets another.

    What is forgotten by now, or will be with the next round, cannot be written any more.
    """
    again = Letter.objects.filter(pk__in=[letter.pk for letter in letters]).exclude(state__in=Letter.ON_THE_WAY)
    again = again.exclude(pk__in=keeping.forgotten(again, now))
    count = again.update(state=Letter.State.RETRY, due_at=now, attempts=0, error="", fate="", returned_at=None)
    wake_after_commit()
    return count
