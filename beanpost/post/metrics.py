"""Health metrics: each has a number and a sentence, and reveals nothing about any person or card."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Max, Min, Sum
from django.template.defaultfilters import filesizeformat
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from kombu.exceptions import ChannelError
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from beanpost.monitoring import uptime
from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.models import Event, Match, Wait
from beanpost.play.timekeeping import due_questions, missing_games
from beanpost.post.models import Letter, Reply
from beanpost.post.outbox import claims, pause, retention
from beanpost.post.reply_parser import limits

LATE = timedelta(minutes=10)  # a letter or reply that is due for longer means that the workers are in trouble
A_MINUTE = timedelta(minutes=1)
A_DAY = timedelta(days=1)
A_WEEK = timedelta(weeks=1)
MANY_ATTEMPTS = 5  # failed attempts to send a letter, which take a quarter of an hour
MIN_SPACE = 200_000_000  # bytes; SQLite's journal alone may grow to 64 MB and more
STORED, CHECKED_FOR = "database-stores", 10  # seconds, so that nobody makes us write all the time
MAX_SKEW = timedelta(seconds=5)  # between clocks; above a minute a machine does not sweep
HEALTH = "beanpost-health"  # the routing key of a message that tests whether RabbitMQ takes messages
NEVER = -1.0  # the age of an event that has never happened


@dataclass(frozen=True)
class Sign:
    """A metric: its name for Prometheus, its value, a sentence for people, and whether it is healthy."""

    name: str
    value: float
    text: str
    is_well: bool = True


def collect_signs(now: datetime) -> Iterator[Sign]:
    """Yield all metrics. If the database fails, raise its error."""
    yield Sign("database_up", 1, _("The database is responding."))
    yield check_storing(now)
    yield check_space()
    yield check_clock()
    yield check_broker()
    yield check_heartbeat(now)
    yield from check_questions(now)
    yield from check_letters(now)
    yield from check_replies(now)
    yield check_erasing(now)
    running = Match.objects.filter(phase=Match.Phase.RUNNING).count()
    yield Sign("matches_running", running, _("Matches in progress: %(count)d.") % {"count": running})
    yield check_missing_games()
    lines = Event.objects.aggregate(last=Max("pk"))["last"] or 0
    yield Sign("lines_total", lines, _("Lines in all logs: %(count)d.") % {"count": lines})


def check_storing(now: datetime) -> Sign:
    """Return whether the database stores what it is given: on a full disk it still answers."""
    stored = cache.get(STORED)
    if stored is None:
        stored = outages.can_store(now)
        cache.set(STORED, stored, timeout=CHECKED_FOR)
    if stored:
        return Sign("database_stores", 1, _("The database stores what it is given."))
    text = _("The database stores nothing: no move can be made. Is its disk full? Make room.")
    return Sign("database_stores", 0, text, is_well=False)


def check_space() -> Sign:
    """Return the free space of the folder with the database, or of our own folder if the database is elsewhere."""
    file = Path(connection.settings_dict["NAME"])
    in_a_file = connection.vendor == "sqlite" and file.is_file()
    free = shutil.disk_usage(file.parent if in_a_file else settings.VAR).free
    text = _("Free disk space: %(space)s.") % {"space": filesizeformat(free)}
    is_well = free >= MIN_SPACE
    return Sign("free_space_bytes", free, add_advice(text, "" if is_well else _("Make room soon.")), is_well)


def check_clock() -> Sign:
    """Compare our clock with the database's. If a worker's clock is ahead, so is its last sweep."""
    now, last = outages.read_database_time(), outages.find_last_heartbeat()
    skew = max(abs(clock.now() - now), last - now if last else timedelta())
    text = _("The clocks here differ from the database’s by %(seconds)d s.") % {"seconds": skew.total_seconds()}
    is_well = skew <= MAX_SKEW
    advice = "" if is_well else _("Set the clocks of this machine and the workers, by NTP for example.")
    return Sign("clock_skew_seconds", skew.total_seconds(), add_advice(text, advice), is_well)


def check_broker() -> Sign:
    """Check the broker. It only wakes up workers; without it, the clock does the work (`manage.py clock`)."""
    if settings.CELERY_BROKER_URL.startswith("memory:"):
        return Sign("broker_up", 1, _("The queue runs in this process."))
    connection = current_app.connection_for_write(connect_timeout=2)
    try:
        connection.ensure_connection(max_retries=1, timeout=2, interval_start=0)
        if connection.transport.driver_type == "amqp":
            # During an alarm RabbitMQ answers, and takes one message that no queue gets, but no second one.
            channel: Any = connection.default_channel
            for _number in range(2):
                channel.basic_publish_confirm(channel.prepare_message(b""), routing_key=HEALTH, confirm_timeout=2)
    except Exception:  # whatever the broker's library raises
        return Sign(
            "broker_up",
            0,
            _("The queue can’t be reached. Players can move as usual. The clock sends letters itself within a minute."),
            is_well=False,
        )
    finally:
        connection.collect(socket_timeout=1)  # not close(), which waits: during an alarm RabbitMQ reads nothing
    return Sign("broker_up", 1, _("The queue is responding."))


def check_heartbeat(now: datetime) -> Sign:
    """Return how long ago deadlines were checked."""
    last = outages.find_last_heartbeat()
    if last is None:
        return judge_workers("sweep_age_seconds", NEVER, _("Deadlines have never been checked."), is_late=True)
    text = _("Deadlines were last checked %(ago)s ago.") % {"ago": format_span(now - last, now)}
    is_late = now - last >= outages.LONGEST_GAP
    return judge_workers("sweep_age_seconds", count_seconds(now - last), text, is_late=is_late)


def check_questions(now: datetime) -> Iterator[Sign]:
    """Count questions that are overdue, and those the sweep failed on."""
    health = due_questions.check_health(now)
    text = _("Overdue questions: %(count)d.") % {"count": health.overdue}
    yield judge_workers("questions_overdue", health.overdue, text, is_late=bool(health.overdue))
    text = _("Questions the sweep failed on: %(count)d.") % {"count": health.stalled}
    text = add_advice(text, _("The log says why. They’ll be retried.") if health.stalled else "")
    yield Sign("questions_stalled", health.stalled, text, is_well=not health.stalled)


def check_missing_games() -> Sign:
    """Count matches whose game or edition is not installed. They stand still; the others go on."""
    count = missing_games.find_matches().count()
    text = _("Matches whose game is not installed: %(count)d.") % {"count": count}
    advice = _("They stand still until these are installed again: %(games)s.")
    advice = advice % {"games": "; ".join(missing_games.describe_missing())} if count else ""
    return Sign("matches_without_rules", count, add_advice(text, advice), is_well=not count)


def check_letters(now: datetime) -> Iterator[Sign]:
    """Count letters that are due, retried or given up."""
    due = claims.find_due(now)
    count, oldest = due.count(), due.aggregate(oldest=Min("due_at"))["oldest"]
    age = now - oldest if oldest else timedelta()
    yield Sign("letters_due", count, _("Letters overdue to be sent: %(count)d.") % {"count": count})
    due_for = _("The oldest has been due for %(age)s.") % {"age": format_span(age, now)}
    text = due_for if oldest else _("No letters are overdue.")
    yield judge_workers("letters_oldest_seconds", count_seconds(age), text, is_late=age >= LATE)
    yield check_retries()
    yield check_pause(now)
    failed = Letter.objects.filter(state=Letter.State.FAILED).count()
    text = _("Letters we gave up on: %(count)d.") % {"count": failed}
    text = add_advice(text, _("You can send them again in the office, under Letters.") if failed else "")
    yield Sign("letters_failed", failed, text)


def check_retries() -> Sign:
    """Count letters waiting for a retry. If no newer letter was sent either, the mail server accepts none."""
    tried = Letter.objects.filter(state=Letter.State.RETRY, attempts__gt=0)
    count, stubborn = tried.count(), tried.filter(attempts__gte=MANY_ATTEMPTS).order_by("-pk").first()
    is_well = stubborn is None or Letter.objects.filter(pk__gt=stubborn.pk, state=Letter.State.SENT).exists()
    text = _("Letters that failed and will be retried: %(count)d.") % {"count": count}
    advice = _("Is the mail server accepting letters? The log has its replies.")
    return Sign("letters_in_vain", count, add_advice(text, "" if is_well else advice), is_well)


def check_pause(now: datetime) -> Sign:
    """Return whether the outbox pauses, because the mail server refuses everything."""
    paused = pause.find_pause()
    if paused is None or paused.began_at is None:
        return Sign("letters_paused", 0, _("The mail server refuses no letters."))
    text = _("The mail server has refused all letters for %(age)s: %(error)s. One is tried every five minutes.")
    text %= {"age": format_span(now - paused.began_at, now), "error": paused.error}
    return Sign("letters_paused", 1, add_advice(text, _("All clocks are stopped until it accepts one.")), is_well=False)


def check_replies(now: datetime) -> Iterator[Sign]:
    """Return how long replies have waited, how many were unreadable, and when the last arrived."""
    due = Reply.objects.filter(state=Reply.State.WAITING, due_at__lte=now)  # others wait on purpose (inbox.py)
    oldest = due.aggregate(oldest=Min("due_at"))["oldest"]
    age = now - oldest if oldest else timedelta()
    unread_for = _("The oldest unread reply has been due for %(age)s.") % {"age": format_span(age, now)}
    text = unread_for if oldest else _("No replies are waiting to be read.")
    yield judge_workers("replies_oldest_seconds", count_seconds(age), text, is_late=age >= LATE)
    yield check_unreadable_replies(now)
    yield check_refused_replies()
    last = Reply.objects.filter(is_returned=False).order_by("-pk").values_list("received_at", flat=True).first()
    if last is None:
        yield Sign("inbound_age_seconds", NEVER, _("No reply has ever arrived."))
    else:
        text = _("The last reply arrived %(ago)s ago.") % {"ago": format_span(now - last, now)}
        yield Sign("inbound_age_seconds", count_seconds(now - last), text)


def check_erasing(now: datetime) -> Sign:
    """Return how long the deletion of the oldest text is overdue. The task runs every hour."""
    since = retention.find_oldest_text(now)
    if since is None:
        return Sign("texts_overdue_seconds", 0, _("No old texts are waiting to be deleted."))
    text = _("The oldest text that should be deleted has been due for %(age)s.") % {
        "age": format_span(now - since, now)
    }
    return judge_workers("texts_overdue_seconds", count_seconds(now - since), text, is_late=now - since > A_DAY)


def check_unreadable_replies(now: datetime) -> Sign:
    """Count replies that were given up. Anybody can send such an email, so they never make the service unhealthy."""
    given_up = Reply.objects.filter(finding=Reply.Finding.FAULT, received_at__gt=now - A_WEEK)
    count, slow = given_up.count(), given_up.filter(error=limits.TooSlow.__name__).count()
    text = _("Replies that came within a week and could not be read: %(count)d.") % {"count": count}
    if slow:
        text = add_advice(text, _("Among them, replies that took too long: %(count)d.") % {"count": slow})
    advice = _("Their writers were asked to use a link instead. The office lists them under Replies.")
    return Sign("replies_set_aside", count, add_advice(text, advice if count else ""))


def check_refused_replies() -> Sign:
    """Count replies that were not stored because their letters had got too many. Anybody can send so many."""
    refused = Letter.objects.filter(refused_replies__gt=0)
    count, letters = refused.aggregate(count=Sum("refused_replies"))["count"] or 0, refused.count()
    text = _("Replies refused because their letters had got too many: %(count)d.") % {"count": count}
    advice = _("Letters concerned: %(letters)d. The log has their numbers.") % {"letters": letters}
    return Sign("replies_refused", count, add_advice(text, advice if count else ""))


def add_advice(text: str, advice: str) -> str:
    """Append advice to a sentence, if there is any."""
    return f"{text} {advice}" if advice else text


def judge_workers(name: str, value: float, text: str, *, is_late: bool) -> Sign:
    """Return the sign of work that only the workers do. On a site that has just started, they may still be late."""
    if not is_late:
        return Sign(name, value, text)
    if uptime.is_starting():
        return Sign(name, value, add_advice(text, _("The site has just started. Look again in two minutes.")))
    return Sign(name, value, add_advice(text, _("Are Celery beat and a worker running?")), is_well=False)


def count_seconds(span: timedelta) -> float:
    return round(max(span.total_seconds(), 0), 1)


def format_span(span: timedelta, now: datetime) -> str:
    """Return a time span in words: "20 minutes", "1 hour, 2 minutes"."""
    return timesince(now - span, now) if span >= A_MINUTE else _("less than a minute")


# ── for Prometheus ──

HELP = {
    "database_up": "Whether the database answers.",
    "database_stores": "Whether the database stores what it is given.",
    "free_space_bytes": "Free space of the database's folder, or of our own if the database is elsewhere.",
    "clock_skew_seconds": "Seconds between the clocks of this machine, or a worker that is ahead, and the database.",
    "broker_up": "Whether the broker answers.",
    "sweep_age_seconds": "Seconds since deadlines were last checked; -1 if never.",
    "questions_overdue": "Questions overdue for more than ten minutes.",
    "questions_stalled": "Questions that the sweep failed on and will retry.",
    "letters_due": "Letters that are due to be sent.",
    "letters_oldest_seconds": "Seconds for which the oldest letter has been due.",
    "letters_in_vain": "Letters that failed and will be retried.",
    "letters_failed": "Letters given up.",
    "letters_paused": "Whether the mail server refuses all letters, so that the outbox pauses.",
    "replies_oldest_seconds": "Seconds for which the oldest reply has waited to be read.",
    "replies_set_aside": "Replies of the last week that could not be read.",
    "replies_refused": "Replies refused because their letters had got too many.",
    "inbound_age_seconds": "Seconds since the last reply arrived; -1 if never.",
    "texts_overdue_seconds": "Seconds for which the oldest letter or reply should have been erased.",
    "matches_running": "Matches in progress.",
    "matches_without_rules": "Matches whose game is not installed.",
    "lines_total": "Lines in the logs of all matches.",
}


@dataclass(eq=False)  # the registry keeps collectors in a dict
class Collector:
    """Our metrics in the form that Prometheus's library expects."""

    found: list[Sign]
    now: datetime

    def collect(self) -> Iterator[Metric]:
        for sign in self.found:
            kind = CounterMetricFamily if sign.name.endswith("_total") else GaugeMetricFamily
            yield kind(f"beanpost_{sign.name}", HELP[sign.name], value=sign.value)
        if all(sign.name != "database_up" or sign.value for sign in self.found):
            yield from collect_labelled(self.now)


def collect_labelled(now: datetime) -> Iterator[Metric]:
    """Yield metrics with labels. Each query uses an index, however many letters there are."""
    letters = GaugeMetricFamily("beanpost_letters", "Letters not sent yet, by state.", labels=["state"])
    states = (*Letter.ON_THE_WAY, Letter.State.FAILED)
    counted = dict(Letter.objects.filter(state__in=states).values_list("state").annotate(Count("pk")).order_by())
    for state in states:
        letters.add_metric([state], counted.get(state, 0))
    yield letters
    replies = GaugeMetricFamily("beanpost_replies_day", "Replies of the last 24 hours, by outcome.", labels=["outcome"])
    recent = Reply.objects.filter(finding__in=Reply.Finding.values, received_at__gt=now - A_DAY)
    for outcome, count in recent.values_list("finding").annotate(Count("pk")).order_by():
        replies.add_metric([outcome], count)
    yield replies
    late = Wait.objects.filter(due_at__lte=now, stalled_at=None).aggregate(first=Min("due_at"))["first"]
    text = "Seconds for which the oldest question has been due: how far the sweep is behind."
    yield GaugeMetricFamily("beanpost_sweep_lag_seconds", text, value=count_seconds(now - late) if late else 0)
    queues = GaugeMetricFamily("beanpost_queue_length", "Tasks waiting at the broker, by queue.", labels=["queue"])
    for name, length in count_queued_tasks().items():
        queues.add_metric([name], length)
    yield queues
    yield from collect_database()


def collect_database() -> Iterator[Metric]:
    """Yield how many connections PostgreSQL has left, and how far replicas are behind. SQLite knows neither: all are 0.

    The lag needs `GRANT pg_monitor TO beanpost`.
    """
    figures: Sequence[float] = (0, 0, 0, 0)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(DATABASE_FIGURES)
            figures = cursor.fetchone()
    for (name, text), value in zip(DATABASE_HELP.items(), figures, strict=True):
        yield GaugeMetricFamily(f"beanpost_{name}", text, value=value)


DATABASE_FIGURES = """
    SELECT (SELECT count(datname) FROM pg_stat_activity), current_setting('max_connections')::int, count(*),
        coalesce(max(extract(epoch FROM replay_lag)), 0) FROM pg_stat_replication
"""
DATABASE_HELP = {
    "database_connections": "Connections to the PostgreSQL server.",
    "database_connections_max": "Connections that the PostgreSQL server allows.",
    "replicas": "Replicas that are connected to the PostgreSQL server.",
    "replication_lag_seconds": "Seconds by which the slowest replica is behind.",
}


def count_queued_tasks() -> dict[str, int]:
    """Return the number of waiting tasks in each queue; {} while the broker is down, and for queues in memory."""
    if settings.CELERY_BROKER_URL.startswith("memory:"):
        return {}
    lengths = dict.fromkeys(current_app.amqp.queues, 0)
    try:
        with current_app.connection_for_read(connect_timeout=2) as connection:
            connection.ensure_connection(max_retries=1, timeout=2, interval_start=0)
            for name in lengths:
                with suppress(ChannelError):  # no task was ever sent there, or Redis has deleted the empty queue
                    channel: Any = connection.default_channel  # its type lacks the method
                    declared = channel.queue_declare(queue=name, passive=True)
                    lengths[name] = declared.message_count
    except Exception:  # whatever the broker's library raises
        return {}
    return lengths


def build_registry(found: list[Sign], now: datetime) -> CollectorRegistry:
    """Return a registry of these metrics and the labelled ones."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collector(found, now))
    return registry
