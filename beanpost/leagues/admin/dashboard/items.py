"""An item of the agenda, and the rows that an organiser may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.urls import reverse

from beanpost.leagues import scope
from beanpost.leagues.mail import invitations
from beanpost.leagues.models import Entry, Season

M = TypeVar("M", bound=Model)
MAX_ITEMS = 20


@dataclass(frozen=True)
class Item:
    """Something that needs attention, and the action or page that helps."""

    what: str
    act: str
    url: str
    where: object = ""  # the season, unless `what` names it


@dataclass(frozen=True)
class SeasonScope:
    """An organiser who looks at one season. The page has checked that they may see it."""

    user: Any
    season: Season

    @property
    def is_superuser(self) -> bool:
        return bool(self.user.is_superuser)


def limit_to_own(rows: QuerySet[M], user: Any) -> QuerySet[M]:
    """Return the rows that an organiser may see, of all their leagues or within one season."""
    if isinstance(user, SeasonScope):
        return scope.limit_to_season(rows, user.season)
    return scope.limit_to_own(rows, user)


def action_url(row: Any, name: str) -> str:
    return reverse(f"admin:leagues_{row._meta.model_name}_do", args=[row.pk, name])


def find_undelivered_invitations(user: Any) -> QuerySet[Entry]:
    return invitations.find_undelivered(limit_to_own(Entry.objects.all(), user))
