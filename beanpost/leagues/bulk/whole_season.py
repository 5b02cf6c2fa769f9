"""Do something for a whole season, or for one of its divisions, at once: draw, start, close, pause, extend, remind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues import accounts
from beanpost.leagues.bulk import jobs
from beanpost.leagues.locks import lock_season
from beanpost.leagues.models import Chair, Division, Draw, Entry, Fixture, Round, Season
from beanpost.leagues.scope import find_own_matches
from beanpost.leagues.seasons import next_rounds, rounds, tables
from beanpost.play.models import Match, Place, Wait

Where = Season | Division
GOING_ON = (Season.Phase.CLOSED, Season.Phase.RUNNING)


def rounds_in(where: Where) -> Q:
    """Match rounds of a season or a division."""
    return Q(division__season=where) if isinstance(where, Season) else Q(division=where)


# ── what can be drawn, started and closed ──


def ready_to_draw(divisions: QuerySet[Division]) -> QuerySet[Division]:
    """Return divisions with rounds left to draw and none drawn or being played."""
    unfinished = Round.objects.filter(division=OuterRef("pk")).exclude(phase=Round.Phase.CLOSED)
    going_on = divisions.filter(season__phase__in=GOING_ON)
    return next_rounds.find_unfinished_divisions(going_on.filter(~Exists(unfinished)))


def ready_to_start(among: QuerySet[Round]) -> QuerySet[Any]:
    """Return the next drawn round of each division whose earlier rounds are closed.

    `lacks_somebody` says whether a player in it has left since: then it must be redrawn.
    """
    unfinished = Round.objects.filter(division=OuterRef("division"), number__lt=OuterRef("number")).exclude(
        phase=Round.Phase.CLOSED
    )
    drawn = among.filter(phase=Round.Phase.DRAWN, division__season__phase__in=GOING_ON)
    gone = Chair.objects.filter(next_rounds.no_longer_plays_here(), fixture__round=OuterRef("pk"))
    return drawn.filter(~Exists(unfinished)).annotate(lacks_somebody=Exists(gone)).order_by("division__level")


def ready_to_close(among: QuerySet[Round]) -> QuerySet[Round]:
    """Return rounds being played whose tables all have a result."""
    undecided = Count("fixtures", filter=Q(fixtures__ending=Fixture.Ending.OPEN))
    played = among.filter(phase=Round.Phase.PUBLISHED).annotate(undecided=undecided)
    return played.filter(undecided=0).order_by("division__level", "number")


@dataclass(frozen=True)
class DrawPlan:
    """The divisions of a season to draw now, and those that can't be drawn, with the reason."""

    divisions: Sequence[Division]
    redrawn: Sequence[Division]  # a player has left since they were drawn
    refused: Sequence[tuple[Division, str]]


def may_draw(season: Season) -> bool:
    """Whether some division is between two rounds, or drawn. A quick check before the exact one."""
    played = Round.objects.filter(division=OuterRef("pk"), phase=Round.Phase.PUBLISHED)
    return season.divisions.filter(~Exists(played)).exists()


def plan_draws(season: Season) -> DrawPlan:
    fresh = list(ready_to_draw(season.divisions.all()))
    broken = [each.division for each in find_next_drawn_rounds(season) if each.lacks_somebody]
    able: list[Division] = []
    refused: list[tuple[Division, str]] = []
    for division in [*fresh, *broken]:
        division.season = season
        if (left := next_rounds.find_last_players(division)) is not None:
            refused.append((division, next_rounds.describe_early_end(division, left)))
        elif lacking := next_rounds.count_missing(division):
            refused.append((division, next_rounds.describe_missing(division, lacking)))
        else:
            able.append(division)
    return DrawPlan(able, [division for division in able if division in broken], refused)


def find_next_drawn_rounds(season: Season) -> list[Any]:
    found = ready_to_start(Round.objects.filter(division__season=season))
    return list(found.select_related("division__season__league"))


def find_rounds_to_start(season: Season) -> list[Round]:
    return [each for each in find_next_drawn_rounds(season) if not each.lacks_somebody]


def find_rounds_to_close(season: Season) -> list[Round]:
    found = ready_to_close(Round.objects.filter(division__season=season))
    return list(found.select_related("division__season__league"))


# ── draw, start and close for all divisions ──


@transaction.atomic
def draw_all(season: Season, *, by: Any, reason: str, now: datetime) -> list[Draw]:
    lock_season(season)
    ready = plan_draws(season).divisions
    if not ready:
        raise ValidationError(_("There’s nothing to draw now."))
    return [rounds.draw(division, by=by, reason=reason, now=now) for division in ready]


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
def start_all(season: Season, *, now: datetime, due_on: date | None = None) -> int:
    """Start the next round of every division. Return the number of tables."""
    lock_season(season)
    ready = find_rounds_to_start(season)
    if not ready:
        raise ValidationError(_("No round is ready to start."))
    return sum(rounds.publish(round_, now=now, due_on=due_on) for round_ in ready)


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


# ── pause, extend, remind ──


def tables_being_played(where: Where) -> QuerySet[Fixture]:
    rows = Fixture.objects.filter(round__in=Round.objects.filter(rounds_in(where)), match__phase=Match.Phase.RUNNING)
    return rows.select_related("match", "round__division").order_by("round__division__level", "round", "table")


def running_tables(where: Where) -> QuerySet[Fixture]:
    return tables_being_played(where).filter(match__paused_at=None)


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
    """Refuse organisers who play at every table there: nobody stops or starts the clock of their own table alone."""
    if not accounts.is_known(by):
        raise ValidationError(_("Tell us first whether you play here yourself."))
    running = tables_being_played(where)
    if running.exists() and not running.exclude(match__in=find_own_matches(by).values("pk")).exists():
        raise ValidationError(_("You’re playing at every table here, so another organiser has to decide."))


@transaction.atomic
def resume_table(fixture: Fixture, *, by: Any, reason: str, now: datetime) -> None:
    """End the pause of one table."""
    season = fixture.round.division.season
    lock_season(season)
    check_own_table_goes_on(Fixture.objects.filter(pk=fixture.pk), season, by)
    tables.resume(fixture, reason=reason, now=now)


def check_own_table_goes_on(resumed: QuerySet[Fixture], season: Season, by: Any) -> None:
    """Refuse to resume others' tables while the organiser's own stays paused with its division.

    Otherwise an organiser who plays could pause the season, resume all other tables, and have time alone.
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
