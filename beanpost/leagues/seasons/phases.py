"""Move a season from phase to phase: open and close entries, divide, end."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from beanpost.leagues.locks import check_not_over, check_phase, lock_row, lock_season
from beanpost.leagues.models import Division, Entry, Round, Season
from beanpost.leagues.records import season_records
from beanpost.play import random_codes

Phase = Season.Phase


def is_open(season: Season) -> bool:
    return season.phase in {Phase.PLANNED, Phase.ENTERING}


@transaction.atomic
def open_entries(season: Season) -> None:
    change_phase(season, Phase.ENTERING, after=(Phase.PLANNED,))


@transaction.atomic
def close_entries(season: Season) -> None:
    """Close entries: draw the seed, and put everybody without a division into one."""
    change_phase(season, Phase.CLOSED, after=(Phase.PLANNED, Phase.ENTERING))
    if season.entries.filter(state=Entry.State.ENTERED).count() < 2:
        raise ValidationError(_("At least two people have to enter first."))
    season.seed = (
        season.seed or random_codes.make_seed()
    )  # a reopened season keeps its seed: reopening gives no other draw
    season.save(update_fields=["seed"])
    sort_into_divisions(season)


def sort_into_divisions(season: Season) -> None:
    """Fill the divisions evenly from the top, in the order of rungs. Divisions that an organiser chose stay."""
    divisions = list(season.divisions.all()) or [Division.objects.create(season=season, name=Division.MAIN)]
    homeless = list(season.entries.filter(state=Entry.State.ENTERED, division=None).order_by("rung", "pk"))
    held = {division.pk: division.entries.filter(state=Entry.State.ENTERED).count() for division in divisions}
    total = sum(held.values()) + len(homeless)
    for n, division in enumerate(divisions):
        room = total * (n + 1) // len(divisions) - total * n // len(divisions) - held[division.pk]
        for entry in homeless[: max(0, room)]:
            set_division(entry, division)
        homeless = homeless[max(0, room) :]
    for entry in homeless:
        set_division(entry, divisions[-1])


def set_division(entry: Entry, division: Division) -> None:
    entry.division = division
    entry.save(update_fields=["division"])


@transaction.atomic
def move_to_division(entry: Entry, division: Division) -> None:
    """Move a person to another division of their season. Once they have been in a round they stay in its division."""
    lock_row(entry.season, entry)
    check_not_over(entry.season)
    if division.season_id != entry.season_id:
        raise ValidationError(_("That division belongs to another season."))
    if entry.division_id == division.pk:
        return
    if season_records.was_in_a_round(entry):
        raise ValidationError(_("%(name)s has played in their division and stays there.") % {"name": entry.called})
    set_division(entry, division)


@transaction.atomic
def close_season(season: Season) -> None:
    change_phase(season, Phase.ENDED, after=(Phase.RUNNING,))
    if Round.objects.filter(division__season=season, phase=Round.Phase.PUBLISHED).exists():
        raise ValidationError(_("Close every round first."))


def change_phase(season: Season, to: str, *, after: Sequence[str]) -> None:
    lock_season(season)
    check_phase(season, *after)
    season.phase = to
    season.save(update_fields=["phase"])
