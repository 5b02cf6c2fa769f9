"""A concern: something in a season that an organiser should know, since when, and the ways to help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from beanpost.leagues.models import Entry, Fixture, League, Season
from beanpost.leagues.seasons.conflicts import Interests


@dataclass(frozen=True)
class Way:
    """A link to an action, or to a page that helps."""

    label: str
    url: str
    action: str = ""  # its name
    table: Fixture | None = None  # the table that the action decides about


@dataclass(frozen=True)
class Concern:
    what: str
    ways: tuple[Way, ...] = ()  # the best first
    since: datetime | None = None
    about: Season | League | None = None  # None: the whole site
    is_step: bool = False  # the next step of its season, behind the green button


def lead_to(row: Any, action: str, label: object) -> Way:
    """Return the way to an action of a row."""
    return Way(str(label), action_url(row, action), action, row if isinstance(row, Fixture) else None)


def lead_to_people(season: Season, label: str) -> Way:
    return Way(label, reverse("admin:leagues_entry_changelist") + f"?season__id__exact={season.pk}")


def lead_to_substitutes(table: Fixture, season: Season) -> Way:
    """Return the way to put a substitute into a seat; if the season has none, to the people who could become one."""
    ready = (Entry.State.WAITING, Entry.State.SUBSTITUTE)
    if any(entry.state in ready and not entry.player.is_forgotten for entry in season.entries.all()):
        return lead_to(table, "substitute", _("Substitute"))
    return lead_to_people(season, _("Find a substitute"))


def action_url(row: Any, action: str) -> str:
    return reverse(f"admin:leagues_{row._meta.model_name}_do", args=[row.pk, action])


def leave_out_own_tables(found: Iterable[Concern], own: Interests) -> Iterator[Concern]:
    """Leave out the ways that would be refused because the organiser plays there, and say so if none is left."""
    for concern in found:
        refused = [way.table for way in concern.ways if way.table and way.table.match_id in own.matches]
        ways = tuple(way for way in concern.ways if way.table not in refused)
        if refused and not ways:
            what = f"{concern.what} {_('You’re playing at this table, so another organiser has to decide.')}"
            view = Way(_("View"), reverse("admin:leagues_fixture_change", args=[refused[0].pk]))
            yield replace(concern, what=what, ways=(view,))
        else:
            yield replace(concern, ways=ways)
