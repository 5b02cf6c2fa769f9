"""Draw, start and close the rounds of all divisions of a season at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.bulk import jobs
from beanpost.leagues.locks import lock_season
from beanpost.leagues.models import Chair, Division, Draw, Entry, Fixture, Round, Season
from beanpost.leagues.seasons import facts, next_rounds, rounds

GOING_ON = (Season.Phase.CLOSED, Season.Phase.RUNNING)


# ── what can be drawn, started and closed ──


@dataclass(frozen=True)
class DrawPlan:
    """The divisions of a season to draw now, and those that can't be drawn, with the reason."""

    divisions: Sequence[Division]
    redrawn: Sequence[Division]  # a player has left since they were drawn
    refused: Sequence[tuple[Division, str]]


def plan_draws(season: Season) -> DrawPlan:
    """Plan to draw the divisions between two rounds, and those whose drawn round includes a player who has left."""
    if season.phase not in GOING_ON:
        return DrawPlan([], [], [])
    facts.prefetch_rows(season)
    able: list[Division] = []
    refused: list[tuple[Division, str]] = []
    divisions = list(season.divisions.all())
    broken = [division for division in divisions if is_broken(division)]
    for division in [*filter(is_between_rounds, divisions), *broken]:
        if (left := next_rounds.find_last_players(division)) is not None:
            refused.append((division, next_rounds.describe_early_end(division, left)))
        elif lacking := next_rounds.count_missing(division):
            refused.append((division, next_rounds.describe_missing(division, lacking)))
        else:
            able.append(division)
    return DrawPlan(able, [division for division in able if division in broken], refused)


def is_between_rounds(division: Division) -> bool:
    """Whether rounds are left to draw, and none is drawn or being played."""
    is_idle = all(round_.phase == Round.Phase.CLOSED for round_ in division.rounds.all())
    return is_idle and facts.has_rounds_left(division)


def is_broken(division: Division) -> bool:
    next_drawn = facts.find_next_drawn(division)
    return next_drawn is not None and facts.lacks_somebody(next_drawn)


def find_next_drawn_rounds(season: Season) -> list[Round]:
    """Return the next drawn round of each division whose earlier rounds are closed."""
    if season.phase not in GOING_ON:
        return []
    facts.prefetch_rows(season)
    found = [facts.find_next_drawn(division) for division in season.divisions.all()]
    return [round_ for round_ in found if round_ is not None]


def find_rounds_to_start(season: Season) -> list[Round]:
    return [each for each in find_next_drawn_rounds(season) if not facts.lacks_somebody(each)]


def find_rounds_to_close(season: Season) -> list[Round]:
    """Return rounds being played whose tables all have a result."""
    facts.prefetch_rows(season)
    return [round_ for round_ in facts.list_rounds(season) if facts.is_decided(round_)]


# ── draw, start and close for all divisions ──


@transaction.atomic
def draw_all(season: Season, *, by: Any, reason: str, now: datetime) -> list[Draw]:
    lock_season(season)
    ready = plan_draws(season).divisions
    if not ready:
        raise ValidationError(_("There’s nothing to draw now."))
    return [rounds.draw_locked(division, by=by, reason=reason, now=now) for division in ready]


def list_draw_steps(divisions: Sequence[Division], *, by: Any, reason: str) -> list[int]:
    """Return the divisions that a task should draw; none if so few play that the organiser can wait."""
    numbers = [division.pk for division in divisions]
    playing = Entry.objects.filter(division__in=numbers, state=Entry.State.ENTERED).count()
    if playing <= jobs.MAX_PEOPLE_AT_ONCE:
        return []
    for division in divisions:
        rounds.check_can_draw(division, by=by, reason=reason)
    return numbers


@transaction.atomic
def start_all(season: Season, *, now: datetime, due_on: date | None = None, by: Any = None) -> int:
    """Start the next round of every division. Return the number of tables."""
    lock_season(season)
    ready = find_rounds_to_start(season)
    if not ready:
        raise ValidationError(_("No round is ready to start."))
    return sum(rounds.publish(round_, now=now, due_on=due_on, by=by) for round_ in ready)


def list_start_steps(ready: Sequence[Round], *, due_on: date | None, now: datetime) -> list[Any]:
    """Return the rounds that a task should start; none if so few play that the organiser can wait."""
    if Chair.objects.filter(fixture__round__in=ready).count() <= jobs.MAX_PEOPLE_AT_ONCE:
        return []
    for round_ in ready:
        rounds.check_can_start(round_, due_on=due_on, now=now)
    return [[round_.pk, due_on.isoformat() if due_on else None] for round_ in ready]


def rounds_being_played(season: Season) -> QuerySet[Round]:
    return Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED)


@transaction.atomic
def set_deadlines(season: Season, due_on: date | None, *, now: datetime) -> list[Round]:
    """Set the day by which all rounds being played should be over."""
    lock_season(season)
    found = list(rounds_being_played(season).select_related("division__season"))
    for round_ in found:
        rounds.set_deadline(round_, due_on, now=now)
    return found


@transaction.atomic
def begin_all(season: Season, *, now: datetime) -> int:
    """Begin every table that waits only for answers. Return how many began."""
    lock_season(season)
    published = Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED)
    return sum(rounds.begin_tables(round_, now=now) for round_ in published.select_related("division__season"))


def list_begin_steps(published: QuerySet[Round]) -> list[int]:
    """Return the matches that a task should begin; none if there are so few that the organiser can wait."""
    waiting = rounds.find_tables_to_begin().filter(round__in=published.values("pk"), ending=Fixture.Ending.OPEN)
    matches = list(waiting.order_by("pk").values_list("match", flat=True))
    people = Chair.objects.filter(fixture__match__in=matches).count()
    return matches if people > jobs.MAX_PEOPLE_AT_ONCE else []


@transaction.atomic
def close_all(season: Season, *, now: datetime) -> list[Round]:
    """Close every round whose tables all have a result."""
    lock_season(season)
    ready = find_rounds_to_close(season)
    if not ready:
        raise ValidationError(_("No round is ready to be closed: some tables have no result yet."))
    for round_ in ready:
        rounds.close_round(round_, now=now)
    return ready
