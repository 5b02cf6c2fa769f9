"""An item of the agenda, and the rows that an organiser may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from beanpost.leagues import scope
from beanpost.leagues.mail import invitations
from beanpost.leagues.models import Entry, Fixture, Season

M = TypeVar("M", bound=Model)
MAX_ITEMS = 20


@dataclass(frozen=True)
class Item:
    """Something that needs attention, and the action or page that helps."""

    what: str
    act: str
    url: str
    where: object = ""  # the season, unless `what` names it
    table: Fixture | None = None  # the table that `url` acts on


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


def explain_own_tables(items: Iterable[Item], user: Any) -> Iterator[Item]:
    """Say where the organiser plays, instead of offering what would be refused there."""
    found = list(items)
    matches = [item.table.match_id for item in found if item.table]
    own = set(scope.find_own_matches(user).filter(pk__in=matches).values_list("pk", flat=True)) if matches else set()
    for item in found:
        if item.table and item.table.match_id in own:
            what = f"{item.what} {_('You’re playing at this table, so another organiser has to decide.')}"
            url = reverse("admin:leagues_fixture_change", args=[item.table.pk])
            yield replace(item, what=what, act=_("View"), url=url)
        else:
            yield item
