"""End a season other than by playing it: cancel it, delete it, abandon it, or remove an empty division."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues import organiser_accounts
from beanpost.leagues.locks import check_phase, lock_season
from beanpost.leagues.models import Division, Draw, Fixture, Round, Season
from beanpost.leagues.scope import find_own_matches
from beanpost.leagues.seasons import phases, results, rounds

Phase = Season.Phase
BEFORE_PLAY = (Phase.PLANNED, Phase.ENTERING, Phase.CLOSED)


def has_invited_anybody(season: Season) -> bool:
    return any(entry.invited_at or entry.answered_at for entry in season.entries.all())


def can_cancel(season: Season) -> bool:
    return season.phase in BEFORE_PLAY and has_invited_anybody(season)


@transaction.atomic
def cancel_season(season: Season, *, now: datetime) -> None:
    """Cancel a season that never started. It is over, and the league's page no longer lists it."""
    lock_season(season)
    check_phase(season, *BEFORE_PLAY)
    season.phase, season.cancelled_at = Phase.ENDED, now
    season.save(update_fields=["phase", "cancelled_at"])


def can_delete(season: Season) -> bool:
    return season.phase in BEFORE_PLAY and not has_invited_anybody(season) and not is_drawn(season)


def is_drawn(season: Season) -> bool:
    return Draw.objects.filter(division__season=season).exists()


@transaction.atomic
def delete_season(season: Season) -> None:
    """Delete a season to which nobody was invited."""
    lock_season(season)
    if not can_delete(season):
        raise ValidationError(_("People have been invited, so this season can only be cancelled."))
    season.entries.all().delete()
    season.divisions.all().delete()
    season.delete()


# ── abandon ──


def find_undecided_tables(season: Season) -> QuerySet[Fixture]:
    open_tables = Fixture.objects.filter(round__division__season=season, round__phase=Round.Phase.PUBLISHED)
    found = open_tables.filter(ending=Fixture.Ending.OPEN).select_related("match", "round__division__season")
    return found.order_by("round__division__level", "round__number", "table")


@transaction.atomic
def abandon_season(season: Season, *, by: Any, reason: str, now: datetime) -> int:
    """Annul all tables without a result, close every round and the season. Return how many tables were annulled."""
    lock_season(season)
    check_phase(season, Phase.RUNNING)
    check_plays_at_no_table(season, by)
    left = list(find_undecided_tables(season))
    for fixture in left:
        results.annul(fixture, reason=reason, now=now)
    for round_ in Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED):
        rounds.close_round(round_, now=now)
    phases.close_season(season)
    return len(left)


def check_plays_at_no_table(season: Season, by: Any) -> None:
    """Refuse organisers who play at one of the tables."""
    if not organiser_accounts.is_known(by):
        raise ValidationError(_("Tell us first whether you play here yourself."))
    own = find_undecided_tables(season).filter(match__in=find_own_matches(by).values("pk")).first()
    if own:
        sentence = _("You’re playing at %(fixture)s, so another organiser has to decide.")
        raise ValidationError(sentence % {"fixture": own})


# ── divisions ──


def can_remove(division: Division) -> bool:
    is_last = len(division.season.divisions.all()) == 1
    has_people = any(entry.division_id == division.pk for entry in division.season.entries.all())
    is_used = has_people or division.rounds.all() or division.draws.exists()
    return division.season.phase != Phase.ENDED and not is_used and not is_last


@transaction.atomic
def remove_division(division: Division) -> None:
    """Remove a division that was added by mistake, as long as nobody is in it."""
    lock_season(division.season)
    if not can_remove(division):
        raise ValidationError(_("Only an empty division can be removed. Move its people first."))
    division.delete()
