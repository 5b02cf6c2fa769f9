"""The sweep: do everything that is due. Safe to repeat, and to run on several machines at once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from beanpost.database import batches
from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.seats import lifecycle, takeover, votes
from beanpost.play.timekeeping import absence, due_questions, mail_credits, missing_games, reminders, timeouts
from beanpost.play.turns import house_lines

log = logging.getLogger(__name__)


def sweep_now(call_helper: Callable[[], None] = due_questions.call_nobody) -> int:
    """Sweep at this machine's time, unless its clock is wrong: it would time players out hours early."""
    now = clock.now()
    if outages.is_clock_right(now):
        return sweep(now, call_helper)
    log.error("This machine’s clock differs from the database’s, so it doesn’t sweep. Set it, by NTP for example.")
    return 0


def sweep(now: datetime, call_helper: Callable[[], None] = due_questions.call_nobody) -> int:
    """Record a heartbeat, then do what is due. Return how many things were done.

    `call_helper` lets another worker share the reminders and time-outs, once all that must precede them is done.
    """
    outages.record_heartbeat(now)  # first: an outage must be recorded before any timeout
    due_questions.release_stalled(now)
    first = (
        missing_games.stop_clocks,
        missing_games.restart_clocks,
        mail_credits.stop_clocks_for_changes,  # before any timeout
    )
    shared = (reminders.remind_players, timeouts.time_out_all)
    last = (
        house_lines.end_long_pauses,
        absence.ask_silent_players,
        lifecycle.expire,
        votes.decide_without_absent,
        takeover.seat_waiting_newcomers,
    )
    return (
        sum(batches.run_safely(errand.__name__, errand, now) for errand in first)
        + sum(batches.run_safely(errand.__name__, errand, now, call_helper) for errand in shared)
        + sum(batches.run_safely(errand.__name__, errand, now) for errand in last)
    )
