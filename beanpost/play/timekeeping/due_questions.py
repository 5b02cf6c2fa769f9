"""Handle the questions for which something is due, in batches, on several machines at once.

Rows are found by queries alone and handled one by one, so that running twice is safe, and an error in one row does not
stop the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from django.db import transaction
from django.db.models import QuerySet

from beanpost.database.batches import LogAndContinue
from beanpost.play import load
from beanpost.play.deadlines import outages
from beanpost.play.load import LoadedMatch
from beanpost.play.models import Match, Wait
from beanpost.play.random_codes import draw
from games.contract.seats import Seat

BATCH_SIZE = 200
POOL_SIZE = 2_000  # due rows from which a batch is drawn
MAX_IN_ORDER = 20  # up to so many rows are handled in the order in which they fell due
SECONDS_PER_RUN = 20  # seconds that one part of the sweep may take; a sweep starts every thirty
RETRY_AFTER = timedelta(minutes=10)  # before the sweep retries a row that raised an error
OVERDUE = timedelta(minutes=10)  # a question this late means that the sweep is in trouble

Handler: TypeAlias = Callable[[LoadedMatch, Wait, datetime], bool]


def call_nobody() -> None:
    """Work alone."""


def handle_all_due(
    due: QuerySet[Wait], deal_with: Handler, now: datetime, call_helper: Callable[[], None] = call_nobody
) -> int:
    """Handle batch after batch until nothing is due, nothing can be done, or time is up; the next sweep continues.

    Most deadlines fall on the same minutes of a day, so each batch calls one more worker while there are more: only
    after something was handled, or helpers would call helpers for ever while nothing can be done. Each batch is drawn
    from a larger pool, so that several workers rarely meet at a row. Where they do, the second finds it locked or
    done, and skips it.
    """
    done, end = 0, time.monotonic() + SECONDS_PER_RUN
    while pool := list(due.values_list("match_id", "seat", "opened")[:POOL_SIZE]):
        # In random order: otherwise all workers would meet at the same rows.
        names = pool if len(pool) <= min(MAX_IN_ORDER, BATCH_SIZE) else draw(pool, min(len(pool), BATCH_SIZE))
        handled = sum(handle(*name, deal_with, now) for name in names)
        done += handled
        if not handled or len(pool) <= BATCH_SIZE:
            break
        call_helper()
        if time.monotonic() > end:
            break
    return done


def handle_each(found: QuerySet[Wait], deal_with: Handler, now: datetime) -> int:
    """Handle each row in a transaction of its own, so that no lock is held for long."""
    return sum(handle(*name, deal_with, now) for name in list(found.values_list("match_id", "seat", "opened")))


def handle(match_id: int, seat: Seat, opened: int, deal_with: Handler, now: datetime) -> bool:
    """Lock one match and handle its row. Return whether something was done."""
    with LogAndContinue(f"Seat {seat} of match {match_id}"), transaction.atomic():
        # If another process holds the lock, it is handling this match already: skip it. SQLite has one writer anyway.
        loaded = load.load_free_match(match_id, seat, opened)
        if loaded is None:
            return False
        wait = loaded.waits.get(seat)
        # The player may have answered, or got more time, since the list was read.
        if wait is None or wait.opened != opened or loaded.match.phase != Match.Phase.RUNNING:
            return False
        return deal_with(loaded, wait, now)
    # Not by pk: rows are replaced.
    Wait.objects.filter(match=match_id, seat=seat, opened=opened).update(stalled_at=now)
    return False


def release_stalled(now: datetime) -> int:
    """Release rows that raised an error a while ago, so that the sweep retries them."""
    return Wait.objects.filter(stalled_at__lte=now - RETRY_AFTER).update(stalled_at=None)


# ── health of the sweep ──


@dataclass(frozen=True)
class Health:
    """Health of the sweep. `overdue` counts questions whose time was up long ago; both counts stop at a hundred."""

    overdue: int
    stalled: int
    last_sweep: datetime | None

    @property
    def is_well(self) -> bool:
        return not self.overdue and not self.stalled


def check_health(now: datetime) -> Health:
    return Health(
        overdue=count_up_to_hundred(Wait.objects.filter(due_at__lte=now - OVERDUE)),
        stalled=count_up_to_hundred(Wait.objects.filter(stalled_at__isnull=False)),
        last_sweep=outages.find_last_heartbeat(),
    )


def count_up_to_hundred(found: QuerySet[Wait]) -> int:
    return found[:100].count()
