"""How long we keep what: a row for each kind of data that is deleted by itself. The privacy page is printed from it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils.translation import gettext as _

from beanpost.database import batches
from beanpost.leagues.models import WebhookCall
from beanpost.leagues.webhooks import calls
from beanpost.play import practice
from beanpost.players import confirming
from beanpost.players.models import Unanswered
from beanpost.post import visitor_limits
from beanpost.post.deliver import reports
from beanpost.post.models import LetterRequest, VisitorHour
from beanpost.post.outbox import requested, retention
from beanpost.privacy import erasure

SIGN_INS_KEPT = timedelta(days=30)
A_RUN = 60  # seconds until a task hands over to the next one
Job = Callable[[datetime], int]

log = logging.getLogger(__name__)


class Limit(NamedTuple):
    what: str
    why: str
    until: str
    jobs: tuple[Job, ...]  # run every hour, again and again until they return 0


def list_limits() -> list[Limit]:
    """Return every limit, in the reader's language."""
    later, days = _("%(days)d days later"), retention.KEPT.days
    after_end = _("%(days)d days after the match ends; without a match, %(days)d days after they were written")
    rows: list[tuple[str, str, str, int, tuple[Job, ...]]] = [
        (_("the exact bytes of our letters about a match"), _("to send them again, and to read your reply"),
         _("%(days)d days after they were sent, unless their question is still open"),
         retention.BYTES_KEPT.days, (retention.erase_bytes,)),
        (_("the text and subject of our letters, and your replies"), _("to send them, and to read your moves"),
         after_end, days, (retention.erase_contents,)),
        (_("when we sent which kind of letter to which address"), _("to answer questions about lost letters"),
         after_end, settings.ENVELOPES_KEPT_DAYS, (retention.prune,)),
        (_("reports that a letter arrived or bounced"), _("to know which addresses work"),
         later, days, (reports.delete_old_reports,)),
        (_("people who were invited, and declined or never answered"), _("to keep their invitation open"),
         _("%(days)d days after our last letter; on a list, before the first letter, three times as long"),
         days, (erasure.forget_strangers,)),
        (_("a keyed fingerprint of an address that never answered"), _("so that it gets three letters at most"),
         later, confirming.LAPSES.days, (older(Unanswered, "last_at", confirming.LAPSES),)),
        (_("an address typed to sign in or to find games"), _("to see whether we know it"),
         _("a moment later"), requested.KEPT.days, (older(LetterRequest, "asked_at", requested.KEPT),)),
        (_("a keyed fingerprint of your network address"), _("to limit how many letters a visitor can request"),
         _("the next day"), visitor_limits.KEPT.days, (older(VisitorHour, "began_at", visitor_limits.KEPT),)),
        (_("names and network addresses of sign-ins to the office"), _("to lock out people who guess"), later,
         SIGN_INS_KEPT.days,
         tuple(older(rows, "attempt_time", SIGN_INS_KEPT) for rows in (AccessAttempt, AccessFailureLog, AccessLog))),
        (_("who is signed in, in which browser"), _("to keep you signed in"), _("%(days)d days after you signed in"),
         settings.SESSION_COOKIE_AGE // 86_400, (older(Session, "expire_date", timedelta()),)),
        (_("practice matches"), _("so that you can go on playing"), later, practice.KEPT.days, (practice.prune,)),
        (_("news of a league on its way to another site"), _("its organiser wants it there"),
         later, calls.KEEP_FOR.days, (older(WebhookCall, "created_at", calls.KEEP_FOR),)),
    ]  # fmt: skip
    return [Limit(what, why, until % {"days": count}, jobs) for what, why, until, count, jobs in rows]


def older(kind: Any, column: str, kept: timedelta) -> Job:
    """Return a job that deletes the rows whose time in this column has passed."""
    return lambda now: kind.objects.filter(**{f"{column}__lt": now - kept}).delete()[0]


def delete_old_data(now: datetime, first: int = 0) -> int | None:
    """Do what every row says, from job `first` on. A job that fails, or takes too long, does not stop the others.

    Return the number of the job to go on with if a minute was not enough, else None.
    """
    jobs, end = [(limit.what, job) for limit in list_limits() for job in limit.jobs], time.monotonic() + A_RUN
    for number, (what, job) in enumerate(jobs[first:], first):
        try:
            while batches.run_safely(f"Deleting {what}", job, now):
                if time.monotonic() > end:
                    return number
        except SoftTimeLimitExceeded:
            log.error("Deleting %s was stopped by the time limit.", what)
            # A job that began late gets a task of its own; one that had all the time waits for the next hour.
            return number + 1 if number == first else number
    return None
