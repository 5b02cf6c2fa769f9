"""Health metrics: each is a number and a sentence, and says nothing about any person or card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from celery import current_app
from django.conf import settings
from django.db.models import Max, Min
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from beanpost.play.deadlines import outages
from beanpost.play.models import Event, Match
from beanpost.play.timekeeping import missing_games, timeouts
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import claims
from beanpost.post.reply_parser import limits

LATE = timedelta(minutes=10)  # a letter or reply that is due for longer means that the workers are in trouble
A_MINUTE = timedelta(minutes=1)
A_WEEK = timedelta(weeks=1)
STUBBORN = 5  # failed attempts, which take a quarter of an hour
NEVER = -1.0  # the age of an event that has never happened


@dataclass(frozen=True)
class Sign:
    """A metric: its name for Prometheus, its value, a sentence for people, and whether it is healthy."""

    name: str
    value: float
    told: str
    is_well: bool = True


def signs(now: datetime) -> Iterator[Sign]:
    """Yield all metrics. If the database fails, raise its error."""
    yield Sign("database_up", 1, _("The database is responding."))
    yield broker()
    yield heartbeat(now)
    yield from questions(now)
    yield from letters(now)
    yield from replies(now)
    running = Match.objects.filter(phase=Match.Phase.RUNNING).count()
    yield Sign("matches_running", running, _("Matches in progress: %(count)d.") % {"count": running})
    yield without_rules()
    lines = Event.objects.aggregate(last=Max("pk"))["last"] or 0
    yield Sign("lines_total", lines, _("Lines in all logs: %(count)d.") % {"count": lines})


def broker() -> Sign:
    """Check the broker. It only wakes up workers; without it, letters wait for the next sweep."""
    if settings.CELERY_BROKER_URL.startswith("memory:"):
        return Sign("broker_up", 1, _("The queue runs in this process."))
    try:
        with current_app.connection_for_write(connect_timeout=2) as connection:
            connection.ensure_connection(max_retries=1, timeout=2, interval_start=0)
    except Exception:  # whatever the broker's library raises
        return Sign(
            "broker_up", 0, _("The queue can’t be reached. Letters will go out with the next sweep."), is_well=False
        )
    return Sign("broker_up", 1, _("The queue is responding."))


def heartbeat(now: datetime) -> Sign:
    last = outages.last_heartbeat()
    if last is None:
        told = with_advice(_("Deadlines have never been checked."), is_anybody_there())
        return Sign("sweep_age_seconds", NEVER, told, is_well=False)
    told, is_well = _("Deadlines were last checked %(ago)s ago."), now - last < outages.A_FEW_MINUTES
    told = with_advice(told % {"ago": plainly(now - last, now)}, "" if is_well else is_anybody_there())
    return Sign("sweep_age_seconds", seconds(now - last), told, is_well)


def questions(now: datetime) -> Iterator[Sign]:
    health = timeouts.health(now)
    told = _("Overdue questions: %(count)d.") % {"count": health.overdue}
    told = with_advice(told, is_anybody_there() if health.overdue else "")
    yield Sign("questions_overdue", health.overdue, told, is_well=not health.overdue)
    told = _("Questions the sweep failed on: %(count)d.") % {"count": health.stalled}
    told = with_advice(told, _("The log says why. They’ll be retried.") if health.stalled else "")
    yield Sign("questions_stalled", health.stalled, told, is_well=not health.stalled)


def without_rules() -> Sign:
    """Count matches whose game or edition is not installed. They stand still, and the others go on."""
    count = missing_games.matches().count()
    told = _("Matches whose game is not installed: %(count)d.") % {"count": count}
    advice = _("They stand still until these are installed again: %(games)s.")
    advice = advice % {"games": "; ".join(missing_games.names())} if count else ""
    return Sign("matches_without_rules", count, with_advice(told, advice), is_well=not count)


def letters(now: datetime) -> Iterator[Sign]:
    due = claims.due(now)
    count, oldest = due.count(), due.aggregate(oldest=Min("due_at"))["oldest"]
    age = now - oldest if oldest else timedelta()
    yield Sign("letters_due", count, _("Letters overdue to be sent: %(count)d.") % {"count": count})
    due_for = _("The oldest has been due for %(age)s.") % {"age": plainly(age, now)}
    told = with_advice(due_for, "" if age < LATE else is_anybody_there()) if oldest else _("No letters are overdue.")
    yield Sign("letters_oldest_seconds", seconds(age), told, is_well=age < LATE)
    yield in_vain()
    failed = Letter.objects.filter(state=Letter.State.FAILED).count()
    told = _("Letters we gave up on: %(count)d.") % {"count": failed}
    told = with_advice(told, _("You can send them again in the office, under Letters.") if failed else "")
    yield Sign("letters_failed", failed, told)


def in_vain() -> Sign:
    """Count letters waiting for a retry. If no newer letter was sent either, the mail server accepts none."""
    tried = Letter.objects.filter(state=Letter.State.RETRY, attempts__gt=0)
    count, stubborn = tried.count(), tried.filter(attempts__gte=STUBBORN).order_by("-pk").first()
    is_well = stubborn is None or Letter.objects.filter(pk__gt=stubborn.pk, state=Letter.State.SENT).exists()
    told = _("Letters that failed and will be retried: %(count)d.") % {"count": count}
    advice = _("Is the mail server accepting letters? The log has its replies.")
    return Sign("letters_in_vain", count, with_advice(told, "" if is_well else advice), is_well)


def replies(now: datetime) -> Iterator[Sign]:
    oldest = Reply.objects.filter(state=Reply.State.WAITING).aggregate(oldest=Min("received_at"))["oldest"]
    age = now - oldest if oldest else timedelta()
    unread_for = _("The oldest unread reply arrived %(age)s ago.") % {"age": plainly(age, now)}
    told = (
        with_advice(unread_for, "" if age < LATE else is_anybody_there())
        if oldest
        else _("No replies are waiting to be read.")
    )
    yield Sign("replies_oldest_seconds", seconds(age), told, is_well=age < LATE)
    yield set_aside(now)
    last = Reply.objects.order_by("-pk").values_list("received_at", flat=True).first()
    if last is None:
        yield Sign("inbound_age_seconds", NEVER, _("No reply has ever arrived."))
    else:
        told = _("The last reply arrived %(ago)s ago.") % {"ago": plainly(now - last, now)}
        yield Sign("inbound_age_seconds", seconds(now - last), told)


def set_aside(now: datetime) -> Sign:
    """Count replies that were given up. Anybody can send such an email, so they never make the service unhealthy."""
    given_up = Reply.objects.filter(finding=Reply.Finding.FAULT, received_at__gt=now - A_WEEK)
    count, slow = given_up.count(), given_up.filter(error=limits.TooSlow.__name__).count()
    told = _("Replies that came within a week and could not be read: %(count)d.") % {"count": count}
    if slow:
        told = with_advice(told, _("Among them, replies that took too long: %(count)d.") % {"count": slow})
    advice = _("Their writers were asked to use a link instead. The office lists them under Replies.")
    return Sign("replies_set_aside", count, with_advice(told, advice if count else ""))


def with_advice(told: str, advice: str) -> str:
    """Append advice to a sentence, if there is any."""
    return f"{told} {advice}" if advice else told


def is_anybody_there() -> str:
    return _("Are Celery beat and a worker running?")


def seconds(span: timedelta) -> float:
    return round(max(span.total_seconds(), 0), 1)


def plainly(span: timedelta, now: datetime) -> str:
    """Return a time span in words: "20 minutes", "1 hour, 2 minutes"."""
    return timesince(now - span, now) if span >= A_MINUTE else _("less than a minute")


def exposition(found: list[Sign]) -> str:
    """Return the metrics in Prometheus's text format.

    >>> print(exposition([Sign("letters_due", 3, "Letters due: 3.")]), end="")
    # TYPE beanpost_letters_due gauge
    beanpost_letters_due 3
    """
    return "".join(
        f"# TYPE beanpost_{sign.name} {'counter' if sign.name.endswith('_total') else 'gauge'}\n"
        f"beanpost_{sign.name} {sign.value:g}\n"
        for sign in found
    )
