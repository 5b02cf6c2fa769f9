"""Who changes a season, or anything in it, by a verb or by typing, holds it first: they go one after the other."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from beanpost.leagues.models import Season


def hold(season: Season) -> None:
    """The season as it is now, ours until the transaction ends."""
    Season.objects.select_for_update(no_key=True).get(pk=season.pk)
    season.refresh_from_db()


def hold_in(season: Season, row: Model) -> None:
    """A row of a season as it is now."""
    hold(season)
    row.refresh_from_db()


# ── whoever asks this holds the season: it stays so meanwhile ──


def check_not_over(season: Season) -> None:
    """Who has won stays as it was when the season was closed."""
    if season.phase == Season.Phase.ENDED:
        raise ValidationError(_("This season is over."))


def check_phase(season: Season, *phases: str) -> None:
    if season.phase not in phases:
        told = {"season": season, "phase": season.get_phase_display()}
        raise ValidationError(_("%(season)s is %(phase)s: that cannot be done now.") % told)
