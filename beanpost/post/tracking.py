"""Reports of providers and mail servers about letters they took: delivered, returned, or called unwanted.

A webhook stores its report and returns; providers repeat themselves, and tell things in any order. Reports are read
afterwards, with every round of the post room. Which letter one is about is told by the `metadata` that went with it, or
by the return address it came to (returned_mail.py).

    report                       what follows
    bounced, rejected, failed    the letter is marked as returned
        … if it is proven        the clock of the seat stands still for a while
        … and hard               the player counts as not reached; after a soft one they do when a second letter returns
    complained                   noted on the letter
        … if it is proven        the address is never written to again, and bots sit in for its player at once
    delivered, if it is proven   a player who could not be reached is reached again
    deferred                     noted on the letter
    autoresponded                the player is asked whether they are away
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from anymail.signals import AnymailTrackingEvent, RejectReason, tracking
from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.dispatch import receiver

from beanpost.play import absence, clock, reach
from beanpost.players import book
from beanpost.players.models import Player
from beanpost.post import absences, keeping, outbox
from beanpost.post.models import Fate, Letter, Report

BATCH = 200
A_DAY = timedelta(days=1)
A_WEEK = timedelta(days=7)
PATIENCE = A_DAY  # with a report that cannot be read: then it makes room for others
AUTORESPONDED = "autoresponded"
RETURNS = [fate for fate in Fate if fate.is_return]
TOLD = {*Fate.values, AUTORESPONDED}
NUMBER = re.compile(r"[0-9]{1,18}")

log = logging.getLogger(__name__)


@receiver(tracking)
def store(event: AnymailTrackingEvent, **_: Any) -> None:
    """Keep what a provider tells, if it is about a letter of ours and anything follows from it."""
    number = str((event.metadata or {}).get("letter", ""))
    if event.event_type in TOLD and NUMBER.fullmatch(number) and Letter.objects.filter(pk=number).exists():
        soft = event.reject_reason == RejectReason.TIMED_OUT
        keep(int(number), event.event_type, str(event.event_id or ""), clock.now(), soft=soft)


def keep(letter_id: int, kind: str, number: str, now: datetime, *, proven: bool = True, soft: bool = False) -> None:
    """Store a report about a letter; `number` tells one report from another."""
    number = "".join(sign for sign in number if sign.isprintable())[:120]
    report = Report(letter_id=letter_id, kind=kind, number=number, told_at=now, proven=proven, soft=soft)
    Report.objects.bulk_create([report], ignore_conflicts=True)
    outbox.wake_after_commit()


def read(time: Callable[[], datetime]) -> int:
    """Do what follows from every report that was not read yet; how many there were."""
    unread = Report.objects.filter(read_at=None).order_by("pk").values_list("pk", flat=True)
    return sum(read_one(pk, time()) for pk in unread[:BATCH])


def read_one(pk: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            # Another reader has it, or had it. On SQLite there is one writer.
            report = Report.objects.select_for_update(skip_locked=True).filter(pk=pk, read_at=None).first()
            if report is None:
                return False
            follow(report, now)
            Report.objects.filter(pk=pk).update(read_at=now)
    except Exception as trouble:
        log.warning("Report %d was not read: %s. It is tried again for a day.", pk, type(trouble).__name__)
        Report.objects.filter(pk=pk, read_at=None, told_at__lt=now - PATIENCE).update(read_at=now)
        return False
    return True


def erase(now: datetime) -> int:
    """Forget what was told and read long ago: what became of a letter stands on it, and nobody tells it again."""
    return Report.objects.filter(read_at__lt=now - keeping.KEPT).delete()[0]


def follow(report: Report, now: datetime) -> None:
    letter = Letter.objects.select_for_update().get(pk=report.letter_id)
    if report.kind == AUTORESPONDED:
        if letter.match:
            absence.seems_away(letter.match, letter.recipient, now=now)
        return
    fate = Fate(report.kind)
    note(letter, fate)
    if fate.is_return:
        came_back(letter, now, proven=report.proven, soft=report.soft)
    elif report.proven and fate is Fate.COMPLAINED:
        complained(letter, now)
    elif report.proven and fate is Fate.DELIVERED and is_theirs(letter) and letter.sent_at:
        book.reached(letter.recipient, sent_at=letter.sent_at)


def complained(letter: Letter, now: datetime) -> None:
    """Never write again to an address that complained. It need not be the recipient's own: a new address, say."""
    if is_theirs(letter):
        reach.complained(letter.recipient, now=now)
    elif letter.address:
        reach.complained(book.welcome(letter.address, now=now), now=now)


def note(letter: Letter, fate: Fate) -> None:
    """Write on the letter what became of it: the worst that was told, in whatever order."""
    if not letter.fate or fate.weight > Fate(letter.fate).weight:
        letter.fate = fate
        letter.save(update_fields=["fate"])


def is_theirs(letter: Letter) -> bool:
    """Whether it went to where its recipient is still written to: they may have moved, or never been there."""
    return letter.address == letter.recipient.address


def refused(letter: Letter, now: datetime) -> None:
    """The mail server refused a letter or its address for good, while it was being sent."""
    note(letter, Fate.REJECTED)
    came_back(letter, now)


def taken(letter: Letter, now: datetime) -> None:
    """A mail server took a letter, where it may have refused one before. A provider takes anything, and tells later."""
    if not letter.recipient.unreached_at or settings.EMAIL_BACKEND.startswith("anymail."):
        return
    if not returns_of(letter.recipient).filter(returned_at__gt=now - A_DAY).exists():
        book.reached(letter.recipient, sent_at=now)


def returns_of(player: Player) -> QuerySet[Letter]:
    """Letters that were taken, and came back later: the next may do the same."""
    return Letter.objects.filter(recipient=player, address=player.address, fate=Fate.BOUNCED)


@transaction.atomic
def came_back(letter: Letter, now: datetime, *, proven: bool = True, soft: bool = False) -> None:
    """Mark a letter as returned. A proven return counts for the player too: once for each letter that was sent."""
    first = bool(Letter.objects.filter(pk=letter.pk, returned_at=None).update(returned_at=now))
    if not proven or not is_theirs(letter):
        return
    if (first or not has_counted(letter, soft=False)) and (not soft or returns_often(letter, now)):
        book.not_reached(letter.recipient, now=now)
    if first or not has_counted(letter):
        absences.letter_bounced(letter, now)


def has_counted(letter: Letter, **only: bool) -> bool:
    """Whether a proven return was read since the letter was marked as returned; sending it again takes the mark off."""
    proven = letter.reports.filter(proven=True, kind__in=RETURNS, read_at__gte=F("letter__returned_at"))
    return proven.filter(**only).exists()


def returns_often(letter: Letter, now: datetime) -> bool:
    """Whether another letter to the same address has returned lately: a full mailbox may have been emptied since."""
    lately = returns_of(letter.recipient).filter(returned_at__gt=now - A_WEEK)
    return lately.exclude(pk=letter.pk).exists()
