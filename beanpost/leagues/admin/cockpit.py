"""A season's cockpit: where it stands, what comes next, standings and tables at a glance, and every other action.

The page stays small however many people play: it shows a few rows of everything and links to the lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Q, QuerySet
from django.template.defaultfilters import date as in_words
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from beanpost.leagues.actions import registry
from beanpost.leagues.actions.clock_actions import list_awaited_names, prefetch_waits
from beanpost.leagues.actions.next_step import NextStep, find_next_step
from beanpost.leagues.admin import dashboard
from beanpost.leagues.admin.dashboard.items import Item, action_url
from beanpost.leagues.models import Division, Entry, Fixture, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.people import introductions
from beanpost.leagues.records import season_records
from beanpost.leagues.records.namesakes import Names, names_in
from beanpost.play import clock
from beanpost.play.models import Match, Wait

PLACES = 6  # of the standings
TABLES = 12  # of a round
NAMES = 12  # of silent people
Phase = Season.Phase
GROUPS = {  # headings of the other actions, in this order
    "rounds": gettext_lazy("Rounds"),
    "people": gettext_lazy("People"),
    "tables": gettext_lazy("All tables"),
    "letters": gettext_lazy("Letters"),
    "final": gettext_lazy("Final decisions"),
}


@dataclass(frozen=True)
class Button:
    label: str
    url: str
    is_final: bool = False


@dataclass(frozen=True)
class SeasonStep:
    label: str
    state: str  # "done", "now" or "to come"


@dataclass(frozen=True)
class TableShown:
    fixture: Fixture
    names: str
    told: str  # where it stands
    url: str


@dataclass(frozen=True)
class RoundShown:
    round: Round
    told: str  # how many tables are done
    tables: list[TableShown]
    more: int  # tables that are not shown
    buttons: list[Button]


@dataclass(frozen=True)
class DivisionShown:
    division: Division
    lines: list[season_records.StandingsLine]
    more: int
    rounds: list[RoundShown]
    buttons: list[Button]
    url: str


def of(season: Season, user: Any) -> dict[str, Any]:
    """Return everything that the page shows below its tabs."""
    step = find_next_step(season)
    divisions = list(season.divisions.select_related("season__league"))
    names = names_in(season.league)
    return {
        "steps": steps(season, divisions),
        "next": step,
        "next_button": next_button(season, step),
        "job": season.jobs.filter(finished_at=None).first(),
        "counts": counts(season),
        "problems": problems(season, user),
        "silent": silent(season),
        "divisions": [shown(division, names) for division in divisions],
        "groups": groups(season, step),
    }


# ── the line of steps ──


def steps(season: Season, divisions: list[Division]) -> list[SeasonStep]:
    rounds = list(Round.objects.filter(division__in=divisions).values_list("number", "phase"))
    begun = max((number for number, phase in rounds if phase != Round.Phase.DRAWN), default=0)
    now = {
        Phase.PLANNED: 0,
        Phase.ENTERING: 1,
        Phase.CLOSED: 2 if rounds else 1,
        Phase.RUNNING: 3,
        Phase.ENDED: 4,
    }[Phase(season.phase)]
    labels = [_("Planned"), entries_label(season), _("Drawn"), round_label(season, begun), _("Closed")]
    return [
        SeasonStep(label, "now" if n == now else "done" if n < now else "to come") for n, label in enumerate(labels)
    ]


def entries_label(season: Season) -> str:
    return _("Entries closed") if season.seed else _("Entries")


def round_label(season: Season, begun: int) -> str:
    if not begun:
        return _("Rounds")
    if season.format == Season.Format.KNOCK_OUT:
        return _("Round %(number)d") % {"number": begun}
    return _("Round %(number)d of %(all)d") % {"number": begun, "all": season.rounds}


# ── counts ──


def counts(season: Season) -> list[str]:
    """Say how many people have answered and how many tables are done."""
    return [*count_people(season), *count_tables(Fixture.objects.filter(round__division__season=season))]


def count_people(season: Season) -> list[str]:
    states = dict(season.entries.order_by().values_list("state").annotate(Count("pk")))
    total = sum(states.values())
    if not total:
        return []
    answered = total - states.get(Entry.State.INVITED, 0)
    told = [_("%(answered)d of %(all)d answered") % {"answered": answered, "all": total}]
    told += [f"{states[state]} {state.label}" for state in Entry.State if state != "invited" and states.get(state)]
    return told


def count_tables(fixtures: QuerySet[Fixture]) -> list[str]:
    """Count the tables of rounds being played: done, and late ones among the others."""
    current = fixtures.filter(round__phase=Round.Phase.PUBLISHED)
    late = Q(match__waits__due_at__isnull=False, match__waits__remind_at=None, match__phase=Match.Phase.RUNNING)
    found = current.aggregate(
        total=Count("pk", distinct=True),
        done=Count("pk", filter=~Q(ending=Fixture.Ending.OPEN), distinct=True),
        late=Count("pk", filter=late, distinct=True),
    )
    if not found["total"]:
        return []
    told = _("%(done)d of %(all)d tables done") % {"done": found["done"], "all": found["total"]}
    if found["late"]:
        told += ", " + ngettext("one late", "%(count)d late", found["late"]) % {"count": found["late"]}
    return [told]


# ── what comes next, and other actions ──


def next_button(season: Season, step: NextStep) -> Button | None:
    found = [one for one in registry.ACTIONS[Season] if one.name == step.action]
    return Button(found[0].label_for(season), action_url(season, step.action)) if found else None


def groups(season: Season, step: NextStep) -> list[tuple[str, list[Button]]]:
    """Return the other actions that make sense now, under their headings."""
    found: dict[str, list[Button]] = {name: [] for name in GROUPS}
    for action in registry.ACTIONS[Season]:
        if action.name != step.action and action.is_open(season):
            found[action.group].append(
                Button(action.label_for(season), action_url(season, action.name), action.is_final)
            )
    return [(str(GROUPS[name]), buttons) for name, buttons in found.items() if buttons]


def problems(season: Season, user: Any) -> list[Item]:
    return dashboard.problems_in(season, user, clock.now())


def silent(season: Season) -> dict[str, Any] | None:
    """Return the people who have not answered their invitation, as long as they still can."""
    if season.phase not in (Phase.PLANNED, Phase.ENTERING):
        return None
    entries = season.entries.filter(state=Entry.State.INVITED, invited_at__isnull=False)
    count = entries.count()
    if not count:
        return None
    return {
        "count": count,
        "names": introductions.names(entries)[:NAMES],
        "more": max(0, count - NAMES),
        "url": list_of("entry", season=season, state="invited"),
        "remind": action_url(season, "remind") if season_entries.to_remind(season).exists() else "",
    }


# ── divisions, rounds and tables ──


def shown(division: Division, names: Names) -> DivisionShown:
    lines = season_records.standing(division, names=names)
    rounds = current_rounds(division)
    return DivisionShown(
        division,
        lines[:PLACES],
        max(0, len(lines) - PLACES),
        [round_shown(round_) for round_ in rounds],
        buttons(division),
        reverse("admin:leagues_division_change", args=[division.pk]),
    )


def current_rounds(division: Division) -> list[Round]:
    """Return the round that is being played or comes next, and the latest closed one."""
    rounds = list(division.rounds.select_related("division__season__league"))
    closed = [round_ for round_ in rounds if round_.phase == Round.Phase.CLOSED][-1:]
    played = [round_ for round_ in rounds if round_.phase == Round.Phase.PUBLISHED]
    drawn = [round_ for round_ in rounds if round_.phase == Round.Phase.DRAWN]
    return [*played, *(drawn[:1] if not played else []), *closed][:3]


def round_shown(round_: Round) -> RoundShown:
    fixtures = round_.fixtures.select_related("match").order_by("ending", "table")
    total = fixtures.count()
    tables = [table_shown(fixture) for fixture in prefetch_waits(fixtures)[:TABLES]]
    return RoundShown(round_, round_told(round_), tables, max(0, total - TABLES), buttons(round_))


def buttons(row: Division | Round) -> list[Button]:
    return [Button(action.label_for(row), action_url(row, action.name)) for action in registry.list_open_actions(row)]


def round_told(round_: Round) -> str:
    if round_.phase == Round.Phase.DRAWN:
        return _("drawn, not public yet")
    told = count_tables(Fixture.objects.filter(round=round_))
    stands = told[0] if told else round_.get_phase_display()
    if round_.due_on is None:
        return stands
    return _("%(stands)s, until %(day)s") % {"stands": stands, "day": in_words(round_.due_on)}


def table_shown(fixture: Fixture) -> TableShown:
    chairs = sorted(fixture.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat))
    url = reverse("admin:leagues_fixture_change", args=[fixture.pk])
    return TableShown(fixture, ", ".join(chair.sitter_name for chair in chairs), table_told(fixture), url)


def table_told(fixture: Fixture) -> str:
    """Say where a table stands."""
    match = fixture.match
    if fixture.ending or match is None:
        return fixture.get_ending_display() if fixture.ending else ""
    if match.phase == Match.Phase.GATHERING:
        return gathering_told(match)
    if match.paused_at:
        return _("paused")
    names = ", ".join(list_awaited_names(fixture))
    if not names:
        return match.get_phase_display()
    is_late = any(late(wait) for wait in match.waits.all())
    return (_("late: %(names)s") if is_late else _("waiting for %(names)s")) % {"names": names}


def gathering_told(match: Match) -> str:
    places = list(match.places.all())
    missing = [place.name for place in places if place.confirmed_at is None]
    if len(places) < match.seats:
        return _("has an empty seat")
    if len(missing) == len(places):
        return _("no one has accepted yet")
    return _("not accepted yet: %(names)s") % {"names": ", ".join(missing)}


def late(wait: Wait) -> bool:
    return wait.is_blocking and wait.due_at is not None and wait.remind_at is None


# ── tabs ──


def tabs(season: Season, now: str) -> list[tuple[str, str, bool]]:
    """Return the label and address of each page about a season, and whether it is the one shown."""
    pages = {
        "cockpit": (_("Cockpit"), url_of(season)),
        "people": (_("People"), list_of("entry", season=season)),
        "tables": (_("Tables"), list_of("fixture", season=season)),
        "follow-up": (_("Follow up"), reverse("admin:leagues_season_follow_up", args=[season.pk])),
        "settings": (_("Settings"), reverse("admin:leagues_season_change", args=[season.pk])),
        "history": (_("History"), reverse("admin:leagues_season_story", args=[season.pk])),
    }
    return [(str(label), url, name == now) for name, (label, url) in pages.items()]


def url_of(season: Season) -> str:
    return reverse("admin:leagues_season_cockpit", args=[season.pk])


def list_of(model: str, *, season: Season, **filters: str) -> str:
    """Return the address of a list of the season's entries or tables."""
    lookup = {"entry": "season__id__exact", "fixture": "round__division__season__id__exact"}[model]
    query = {lookup: str(season.pk)} | {f"{name}__exact": value for name, value in filters.items()}
    return reverse(f"admin:leagues_{model}_changelist") + "?" + urlencode(query)
