"""Pause, resume, extend and remind all tables of a season, or of one of its divisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.locks import lock_season
from beanpost.leagues.models import Chair, Division, Fixture, Round, Season
from beanpost.leagues.scope import find_own_matches
from beanpost.leagues.seasons import conflicts, facts, tables
from beanpost.play.models import Match, Place, Wait

Where = Season | Division


def rounds_in(where: Where) -> Q:
    """Match rounds of a season or a division."""
    return Q(division__season=where) if isinstance(where, Season) else Q(division=where)


def tables_being_played(where: Where) -> QuerySet[Fixture]:
    rows = Fixture.objects.filter(round__in=Round.objects.filter(rounds_in(where)), match__phase=Match.Phase.RUNNING)
    return rows.select_related("match", "round__division").order_by("round__division__level", "round", "table")


def running_tables(where: Where) -> QuerySet[Fixture]:
    return tables_being_played(where).filter(match__paused_at=None)


def has_running_tables(where: Where) -> bool:
    """Whether the clock of any table runs."""
    matches = [table.match for table in facts.list_undecided(where)]
    return any(match and match.phase == Match.Phase.RUNNING and match.paused_at is None for match in matches)


def paused_tables(where: Where) -> QuerySet[Fixture]:
    return tables_being_played(where).filter(match__paused_at__isnull=False)


def list_divisions(where: Where) -> list[Division]:
    return list(where.divisions.all()) if isinstance(where, Season) else [where]


def is_paused(where: Where) -> bool:
    """Whether every division is paused."""
    paused = [division.paused_at for division in list_divisions(where)]
    return bool(paused) and all(paused)


@transaction.atomic
def pause(where: Where, *, by: Any, reason: str, now: datetime) -> int:
    """Stop the clocks of all tables. Tables that begin during the pause are paused too (`receivers.py`)."""
    set_paused(where, now)
    check_concerns_others(where, by)
    return act_on_tables(tables.pause, running_tables(where), reason=reason, now=now)


@transaction.atomic
def resume(where: Where, *, by: Any, reason: str, now: datetime) -> int:
    check_own_table_goes_on(paused_tables(where), where if isinstance(where, Season) else where.season, by)
    set_paused(where, None)
    check_concerns_others(where, by)
    return act_on_tables(tables.resume, paused_tables(where), reason=reason, now=now)


def set_paused(where: Where, at: datetime | None) -> None:
    lock_season(where if isinstance(where, Season) else where.season)
    for division in list_divisions(where):
        division.paused_at = at
        division.save(update_fields=["paused_at"])


def check_concerns_others(where: Where, by: Any) -> None:
    """Refuse organisers who play at all of these tables: somebody else must stop or start their clocks."""
    season = where if isinstance(where, Season) else where.season
    if refusal := conflicts.refuse_clocks(where, conflicts.Interests(by, [season])):
        raise ValidationError(refusal)


@transaction.atomic
def resume_table(fixture: Fixture, *, by: Any, reason: str, now: datetime) -> None:
    """End the pause of one table."""
    season = fixture.round.division.season
    lock_season(season)
    check_own_table_goes_on(Fixture.objects.filter(pk=fixture.pk), season, by)
    tables.resume(fixture, reason=reason, now=now)


def check_own_table_goes_on(resumed: QuerySet[Fixture], season: Season, by: Any) -> None:
    """Refuse to resume others' tables while the organiser's own stays paused with its division.

    Otherwise an organiser who plays could pause the season, resume all other tables, and alone have more time.
    """
    own = paused_tables(season).filter(
        round__division__paused_at__isnull=False, match__in=find_own_matches(by).values("pk")
    )
    if own.exclude(pk__in=resumed.values("pk")).exists():
        raise ValidationError(
            _("Your own table is paused too. Use “Resume everything” for the season: all go on then.")
        )


def act_on_tables(act: Callable[..., None], fixtures: QuerySet[Fixture], *, reason: str, now: datetime) -> int:
    """Pause or resume each of the tables. Return how many."""
    for fixture in fixtures:
        act(fixture, reason=reason, now=now)
    return len(fixtures)


def find_awaited_chairs(where: Where, by: Any) -> list[Chair]:
    """Return the chairs that tables wait for, without bots, paused tables, and tables at which the organiser plays."""
    running = running_tables(where).exclude(match__in=find_own_matches(by).values("pk"))
    waits = Wait.objects.filter(match=OuterRef("fixture__match"), seat=OuterRef("seat"), due_at__isnull=False)
    bots = Place.objects.filter(Q(player=None) | Q(stand_in=True))
    by_bot = bots.filter(match=OuterRef("fixture__match"), seat=OuterRef("seat"))
    chairs = Chair.objects.filter(Exists(waits), ~Exists(by_bot), fixture__in=running.values("pk"))
    found = chairs.select_related("sitter", "fixture__match", "fixture__round__division")
    return list(found.order_by("fixture__round__division__level", "fixture__round", "fixture__table", "seat"))


@transaction.atomic
def extend_all(where: Where, days: int, *, by: Any, now: datetime) -> int:
    """Give more time to every player a table waits for. Return how many deadlines moved."""
    return act_on_chairs(find_awaited_chairs(where, by), lambda chair: tables.extend(chair, days, now=now))


@transaction.atomic
def remind_all(where: Where, *, by: Any, now: datetime) -> int:
    """Remind every player a table waits for, at most once a day. Return how many."""
    return act_on_chairs(find_awaited_chairs(where, by), lambda chair: tables.remind(chair, now=now))


def act_on_chairs(chairs: Iterable[Chair], act: Any) -> int:
    """Act on each chair, skipping those that refuse, such as a player who was reminded today. Return how many."""
    count = 0
    for chair in chairs:
        try:
            with transaction.atomic():
                act(chair)
        except ValidationError:
            continue
        count += 1
    return count
