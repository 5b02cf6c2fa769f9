"""Lock a season before changing it or anything in it, by an action or by a form, so that changes run one by one."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from beanpost.leagues.models import Season


def lock_season(season: Season) -> None:
    """Lock the season until the transaction ends, and reload it."""
    if Season.objects.select_for_update(no_key=True).filter(pk=season.pk).first() is None:
        raise ValidationError(_("This season was deleted a moment ago."))
    season.refresh_from_db()


def lock_row(season: Season, row: Model) -> None:
    """Lock the season, and reload one of its rows."""
    lock_season(season)
    row.refresh_from_db()


# ── checks; the caller holds the lock, so that their answer stays true ──


def check_not_over(season: Season) -> None:
    """Refuse changes to an ended season, so that its results stay."""
    if season.phase == Season.Phase.ENDED:
        raise ValidationError(_("This season is over."))


def check_phase(season: Season, *phases: str) -> None:
    if season.phase not in phases:
        values = {"season": season, "phase": season.get_phase_display()}
        raise ValidationError(_("%(season)s is %(phase)s, so you can’t do that now.") % values)
