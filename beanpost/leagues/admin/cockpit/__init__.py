"""A season's cockpit: where it stands, what comes next, standings and tables at a glance, and every other action.

The page stays small however many people play: it shows a few rows of everything and links to the lists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from beanpost.leagues.actions import registry
from beanpost.leagues.admin.cockpit.divisions import (
    Button,
    TableCounts,
    count_tables,
    list_shown_tables,
    summarise_divisions,
)
from beanpost.leagues.admin.concerns import list_concerns, list_silent_people
from beanpost.leagues.admin.concerns.concern import Concern, action_url
from beanpost.leagues.models import Entry, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.people import introductions
from beanpost.leagues.records.namesakes import load_names
from beanpost.leagues.seasons import facts
from beanpost.leagues.seasons.conflicts import Interests
from beanpost.play import clock

MAX_NAMES = 12  # of silent people
MAX_CONCERNS = 8
PER_PAGE = 100  # of the follow-up page
Phase = Season.Phase
GROUPS = {  # headings of the other actions, in this order; final ones come last, folded
    "rounds": gettext_lazy("Rounds"),
    "people": gettext_lazy("People"),
    "tables": gettext_lazy("All tables"),
    "letters": gettext_lazy("Letters"),
}


@dataclass(frozen=True)
class SeasonStep:
    label: str
    state: str  # "done", "now" or "to come"


def build_context(season: Season, user: Any) -> dict[str, Any]:
    """Return everything that the page shows below its tabs."""
    facts.prefetch_rows(season)
    facts.prefetch_tables(season, more=list_shown_tables(season))  # before the actions ask which of them are open
    step, *found = list_concerns([season], Interests(user, [season]), clock.now())
    actions = group_other_actions(season, step)
    counts = count_tables(season)
    return {
        "steps": build_steps(season),
        "next": step,
        "counts": describe_counts(season, counts),
        "concerns": found[:MAX_CONCERNS],
        "more_concerns": len(found[MAX_CONCERNS:]),
        "silent": summarise_silent_people(season),
        "divisions": summarise_divisions(season, load_names(season.league), counts),
        "groups": [(str(GROUPS[name]), actions[name]) for name in GROUPS if name in actions],
        "final": actions.get("final", []),
    }


def build_follow_up(season: Season, user: Any, asked: QueryDict, now: datetime) -> dict[str, Any]:
    """Return one page of everything that an organiser may want to follow up."""
    own = Interests(user, [season])
    _step, *found = list_concerns([season], own, now)
    found += list_silent_people(season, own)
    return {"page": Paginator(found, PER_PAGE).get_page(asked.get("page")), "count": len(found)}


# ── the line of steps ──


def build_steps(season: Season) -> list[SeasonStep]:
    rounds = facts.list_rounds(season)
    latest = max((round_.number for round_ in rounds if round_.phase != Round.Phase.DRAWN), default=0)
    now = {
        Phase.PLANNED: 0,
        Phase.ENTERING: 1,
        Phase.CLOSED: 2 if rounds else 1,
        Phase.RUNNING: 3,
        Phase.ENDED: 4,
    }[Phase(season.phase)]
    labels = [_("Planned"), entries_label(season), _("Drawn"), round_label(season, latest), _("Closed")]
    return [
        SeasonStep(label, "now" if n == now else "done" if n < now else "to come") for n, label in enumerate(labels)
    ]


def entries_label(season: Season) -> str:
    return _("Entries closed") if season.seed else _("Entries")


def round_label(season: Season, latest: int) -> str:
    if not latest:
        return _("Rounds")
    if season.format == Season.Format.KNOCK_OUT:
        return _("Round %(number)d") % {"number": latest}
    return _("Round %(number)d of %(all)d") % {"number": latest, "all": season.rounds}


# ── counts ──


def describe_counts(season: Season, counts: Mapping[int, TableCounts]) -> list[str]:
    """Say how many people have answered and how many tables are done."""
    tables = sum(counts.values(), TableCounts()).describe()
    return [*describe_people(season), *([tables] if tables else [])]


def describe_people(season: Season) -> list[str]:
    found = Counter(entry.state for entry in season.entries.all())
    states = {state: found[state] for state in Entry.State if state in found}
    total = sum(states.values())
    if not total:
        return []
    answered = total - states.get(Entry.State.INVITED, 0)
    sentence = _("%(answered)d of %(all)d answered") % {"answered": answered, "all": total}
    return [sentence, *(describe_state(state, count) for state, count in states.items() if state != "invited")]


def describe_state(state: str, count: int) -> str:
    """Say how many people of the season are in a state."""
    words = {
        Entry.State.ENTERED: ngettext("%(count)d has entered", "%(count)d have entered", count),
        Entry.State.WAITING: _("%(count)d on the waiting list"),
        Entry.State.SUBSTITUTE: ngettext("%(count)d substitute", "%(count)d substitutes", count),
        Entry.State.DECLINED: ngettext("%(count)d has declined", "%(count)d have declined", count),
        Entry.State.LEFT: ngettext("%(count)d has left", "%(count)d have left", count),
    }
    return words[Entry.State(state)] % {"count": count}


# ── what comes next, and other actions ──


def group_other_actions(season: Season, step: Concern) -> dict[str, list[Button]]:
    """Return the other actions that make sense now, by group."""
    proposed = {way.action for way in step.ways}
    found: dict[str, list[Button]] = defaultdict(list)
    for action in registry.ACTIONS[Season]:
        if action.name not in proposed and action.is_open(season):
            found[action.group].append(Button(action.label_for(season), action_url(season, action.name)))
    return found


def summarise_silent_people(season: Season) -> dict[str, Any] | None:
    """Return the people who have not answered their invitation, as long as they still can."""
    if season.phase not in (Phase.PLANNED, Phase.ENTERING):
        return None
    entries = season.entries.filter(state=Entry.State.INVITED, invited_at__isnull=False)
    count = entries.count()
    if not count:
        return None
    return {
        "count": count,
        "names": introductions.list_names(entries)[:MAX_NAMES],
        "more": max(0, count - MAX_NAMES),
        "url": list_url("entry", season=season, state="invited"),
        "remind": action_url(season, "remind") if season_entries.find_people_to_remind(season).exists() else "",
    }


# ── tabs ──


def build_tabs(season: Season, now: str) -> list[tuple[str, str, bool]]:
    """Return the label and address of each page about a season, and whether it is the one shown."""
    pages = {
        "cockpit": (_("Cockpit"), cockpit_url(season)),
        "people": (_("People"), list_url("entry", season=season)),
        "tables": (_("Tables"), list_url("fixture", season=season)),
        "follow-up": (_("Follow up"), reverse("admin:leagues_season_follow_up", args=[season.pk])),
        "settings": (pgettext("of a season", "Settings"), reverse("admin:leagues_season_change", args=[season.pk])),
        "history": (_("History"), reverse("admin:leagues_season_story", args=[season.pk])),
    }
    return [(str(label), url, name == now) for name, (label, url) in pages.items()]


def cockpit_url(season: Season) -> str:
    return reverse("admin:leagues_season_cockpit", args=[season.pk])


def list_url(model: str, *, season: Season, **filters: str) -> str:
    """Return the address of a list of the season's entries or tables."""
    lookup = {"entry": "season__id__exact", "fixture": "round__division__season__id__exact"}[model]
    query = {lookup: str(season.pk)} | {f"{name}__exact": value for name, value in filters.items()}
    return reverse(f"admin:leagues_{model}_changelist") + "?" + urlencode(query)
