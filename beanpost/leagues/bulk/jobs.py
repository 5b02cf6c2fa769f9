"""Invite or draw many people, or start their rounds and tables, step by step in a Celery task.

A batch of steps and the count of steps done are stored in one transaction, and the job's row is locked. So a task that
runs twice, or is killed and runs again, does nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import OperationalError, transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.database import batches
from beanpost.leagues.locks import lock_season
from beanpost.leagues.models import Division, Event, Job, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import history
from beanpost.leagues.seasons import phases, rounds
from beanpost.play.display.wording import join_names
from beanpost.post.outbox.wake_up import WakeUp

MAX_PEOPLE_AT_ONCE = 60  # people; up to this many are handled within the request
BATCH = 25  # people or tables in one transaction
ONE_STEP_AT_A_TIME = {"draw", "start", "publish"}  # each step is a division or a round, which is drawn or started whole

TASK = WakeUp("beanpost.leagues.tasks.run_jobs")


@transaction.atomic
def start(season: Season, action: str, steps: list[Any], *, by: Any, reason: str = "", now: datetime) -> Job:
    """Store a job, and wake the task after the commit. A season has one job at a time."""
    lock_season(season)
    if season.jobs.filter(finished_at=None).exists():
        raise ValidationError(_("We’re still busy with this season. Please wait until that is done."))
    job = Job.objects.create(
        season=season,
        action=action,
        steps=steps,
        language=translation.get_language() or "en",
        reason=reason,
        asked_by=by,
        asked_at=now,
    )
    TASK.schedule()
    return job


def wake_task() -> None:
    """Wake the task again: a broker may lose a message. A task that finds nothing to do does nothing."""
    TASK.request()


def run_all(time: Callable[[], datetime]) -> None:
    """Finish all open jobs."""
    for number in Job.objects.filter(finished_at=None).order_by("pk").values_list("pk", flat=True):
        batches.run_safely(f"Job {number}", run, number, time)


def run(number: int, time: Callable[[], datetime]) -> bool:
    """Do all steps of a job that are left. Return False if there are none, or if another worker holds it."""
    went = False
    try:
        while run_batch(number, time()):
            went = True
    except OperationalError:
        raise  # the database is busy or away: the next task goes on
    except Exception:
        give_up(number, time())
        raise
    return went


def give_up(number: int, now: datetime) -> None:
    """End a job that fails because of a bug, so that it does not block the season. Steps that are done stay."""
    for job in Job.objects.filter(pk=number, finished_at=None):
        with translation.override(job.language):
            sentence = _("Something went wrong on our side. Steps that are done stay; you can start the rest again.")
        Job.objects.filter(pk=number).update(error=sentence, finished_at=now, steps=[])


@transaction.atomic
def run_batch(number: int, now: datetime) -> bool:
    """Do the next steps of a job. Return whether there may be more."""
    open_jobs = Job.objects.select_for_update(skip_locked=True, of=("self",)).filter(finished_at=None)
    job = open_jobs.select_related("season__league").filter(pk=number).first()
    if job is None:
        return False
    size = 1 if job.action in ONE_STEP_AT_A_TIME else BATCH
    steps = job.steps[job.done : job.done + size]
    with translation.override(job.language):
        try:
            check_organiser(job)
            with transaction.atomic():
                job.changed += STEP_FUNCTIONS[job.action](job, steps, now)
                job.done += len(steps)
        except ValidationError as refusal:
            job.error = " ".join(refusal.messages)
        if job.error or job.done >= job.total:
            finish(job, now)
    job.save(update_fields=["steps", "done", "changed", "error", "told", "finished_at"])
    return job.finished_at is None


def check_organiser(job: Job) -> None:
    """Refuse to continue if the organiser may no longer do this: they may have left since they pressed the button."""
    who, organisers = job.asked_by, job.season.league.organisers
    if who and who.is_active and (who.is_superuser or organisers.filter(pk=who.pk).exists()):
        return
    raise ValidationError(_("The organiser who asked for this no longer runs the league. Steps that are done stay."))


def finish(job: Job, now: datetime) -> None:
    job.told, job.finished_at = describe_result(job), now
    job.steps = []
    if job.changed and job.action != "draw":  # draws have rows of their own in the history
        kind = Event.Kind.PEOPLE if job.action == "invite" else Event.Kind.ROUNDS
        history.record(job.season, kind, job.told, reason=job.reason, by=job.asked_by, now=now)


def describe_result(job: Job) -> str:
    count = {"count": job.changed}
    match job.action:
        case "invite":
            return ngettext("One invitation was sent.", "%(count)d invitations were sent.", job.changed) % count
        case "start" | "publish":
            return describe_started_tables(job.changed)
        case "begin":
            return describe_begun_tables(job.changed)
    names = list(Division.objects.filter(pk__in=job.steps[: job.done]).values_list("name", flat=True))
    return ngettext("%(names)s was drawn.", "%(names)s were drawn.", len(names)) % {"names": join_names(names)}


def describe_started_tables(tables: int) -> str:
    sentence = ngettext(
        "One table is open and its players are invited.",
        "%(count)d tables are open and their players are invited.",
        tables,
    )
    return sentence % {"count": tables}


def describe_begun_tables(tables: int) -> str:
    sentence = ngettext("One table has started.", "%(count)d tables have started.", tables)
    return sentence % {"count": tables}


# ── steps; each returns the number that `describe_result` reports ──


def invite_people(job: Job, numbers: list[Any], now: datetime) -> int:
    """Invite entries that have not been invited yet. The first batch opens entries, if they were not open."""
    season = job.season
    count = entries.invite_all(season, now=now, among=numbers)
    if season.phase == Season.Phase.PLANNED:
        phases.open_entries(season)
    return count


def draw_divisions(job: Job, numbers: list[Any], now: datetime) -> int:
    for division in Division.objects.filter(pk__in=numbers).select_related("season__league"):
        rounds.draw(division, by=job.asked_by, reason=job.reason, now=now)
    return len(numbers)


def start_rounds(job: Job, steps: list[Any], now: datetime) -> int:
    """Start rounds: [round, its last day or None] each. Return how many tables are open."""
    count = 0
    for number, day in steps:
        round_ = Round.objects.select_related("division__season__league").get(pk=number)
        due_on = date.fromisoformat(day) if day else None
        count += rounds.publish(round_, now=now, due_on=due_on, by=job.asked_by)
    return count


def begin_tables(job: Job, matches: list[Any], now: datetime) -> int:
    """Begin matches that wait only for answers. Return how many began."""
    found = Round.objects.filter(fixtures__match__in=matches, phase=Round.Phase.PUBLISHED).distinct()
    rows = found.select_related("division__season")
    return sum(rounds.begin_tables(round_, now=now, among=matches) for round_ in rows)


STEP_FUNCTIONS: dict[str, Callable[[Job, list[Any], datetime], int]] = {
    "invite": invite_people,
    "draw": draw_divisions,
    "start": start_rounds,
    "publish": start_rounds,
    "begin": begin_tables,
}
