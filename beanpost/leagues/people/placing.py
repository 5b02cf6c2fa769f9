"""Place people in divisions: by the names of divisions in a list, or all on one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.locks import check_not_over, lock_season
from beanpost.leagues.models import Bye, Chair, Division, Entry, Round, Season
from beanpost.leagues.seasons import phases


def find_movable_entries(season: Season) -> QuerySet[Entry]:
    """Return people who may still move to another division: they play, or may, and have been in no round."""
    started = Round.objects.exclude(phase=Round.Phase.DRAWN).filter(division__season=season).values("pk")
    seated = Chair.objects.filter(entry=OuterRef("pk"), fixture__round__in=started)
    sat_out = Bye.objects.filter(entry=OuterRef("pk"), round__in=started)
    there = (Entry.State.INVITED, Entry.State.ENTERED, Entry.State.WAITING)
    return season.entries.filter(~Exists(seated), ~Exists(sat_out), state__in=there).select_related("player")


@transaction.atomic
def move_entries(season: Season, homes: Mapping[int, int]) -> int:
    """Put entries into divisions, both by key. Return how many have moved."""
    lock_season(season)
    check_not_over(season)
    divisions = {division.pk: division for division in season.divisions.all()}
    moved = [
        entry for entry in find_movable_entries(season) if homes.get(entry.pk, entry.division_id) != entry.division_id
    ]
    for entry in moved:
        if homes[entry.pk] not in divisions:
            raise ValidationError(_("That division belongs to another season."))
        phases.set_division(entry, divisions[homes[entry.pk]])
    return len(moved)


def list_new_divisions(season: Season, names: Iterable[str]) -> list[str]:
    """Return the names that no division of the season has yet, in alphabetical order: the first is the highest."""
    known = find_divisions(season)
    fresh: dict[str, str] = {}
    for name in names:
        if name and name.casefold() not in known:
            fresh.setdefault(name.casefold(), name)
    return [fresh[name] for name in sorted(fresh)]


@transaction.atomic
def find_or_create_divisions(season: Season, names: Iterable[str]) -> dict[str, Division]:
    """Return the season's divisions by folded name, after creating those that a list names for the first time."""
    lock_season(season)
    fresh = list_new_divisions(season, names)
    last = max((division.level for division in season.divisions.all()), default=0)
    for level, name in enumerate(fresh, last + 1):
        division = Division(season=season, name=name, level=level)
        division.clean()
        division.save()
    return find_divisions(season)


def find_divisions(season: Season) -> dict[str, Division]:
    """Return the season's divisions by name in lower case: as stored, which exports give, and as pages show it."""
    divisions = list(season.divisions.all())
    shown = {str(division).casefold(): division for division in divisions}
    return shown | {division.name.casefold(): division for division in divisions}
