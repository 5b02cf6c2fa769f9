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
from beanpost.leagues.records.namesakes import Names, load_names
from beanpost.play import clock
from beanpost.play.models import Match, Wait

MAX_PLACES = 6  # of the standings
MAX_TABLES = 12  # of a round
MAX_NAMES = 12  # of silent people
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
class TableSummary:
    fixture: Fixture
    names: str
    status: str
    url: str


@dataclass(frozen=True)
class RoundSummary:
    round: Round
    status: str
    tables: list[TableSummary]
    more: int  # tables that are not shown
    buttons: list[Button]


@dataclass(frozen=True)
class DivisionSummary:
    division: Division
    lines: list[season_records.StandingsLine]
    more: int
    rounds: list[RoundSummary]
    buttons: list[Button]
    url: str


def build_context(season: Season, user: Any) -> dict[str, Any]:
    """Return everything that the page shows below its tabs."""
    step = find_next_step(season)
    divisions = list(season.divisions.select_related("season__league"))
    names = load_names(season.league)
    return {
        "steps": build_steps(season, divisions),
        "next": step,
        "next_button": build_next_button(season, step),
        "job": season.jobs.filter(finished_at=None).first(),
        "counts": describe_counts(season),
        "problems": find_problems(season, user),
        "silent": summarise_silent_people(season),
        "divisions": [summarise_division(division, names) for division in divisions],
        "groups": group_other_actions(season, step),
    }


# ── the line of steps ──


def build_steps(season: Season, divisions: list[Division]) -> list[SeasonStep]:
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


def describe_counts(season: Season) -> list[str]:
    """Say how many people have answered and how many tables are done."""
    return [*describe_people(season), *describe_tables(Fixture.objects.filter(round__division__season=season))]


def describe_people(season: Season) -> list[str]:
    states = dict(season.entries.order_by().values_list("state").annotate(Count("pk")))
    total = sum(states.values())
    if not total:
        return []
    answered = total - states.get(Entry.State.INVITED, 0)
    told = [_("%(answered)d of %(all)d answered") % {"answered": answered, "all": total}]
    told += [f"{states[state]} {state.label}" for state in Entry.State if state != "invited" and states.get(state)]
    return told


def describe_tables(fixtures: QuerySet[Fixture]) -> list[str]:
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


def build_next_button(season: Season, step: NextStep) -> Button | None:
    found = [one for one in registry.ACTIONS[Season] if one.name == step.action]
    return Button(found[0].label_for(season), action_url(season, step.action)) if found else None


def group_other_actions(season: Season, step: NextStep) -> list[tuple[str, list[Button]]]:
    """Return the other actions that make sense now, under their headings."""
    found: dict[str, list[Button]] = {name: [] for name in GROUPS}
    for action in registry.ACTIONS[Season]:
        if action.name != step.action and action.is_open(season):
            found[action.group].append(
                Button(action.label_for(season), action_url(season, action.name), action.is_final)
            )
    return [(str(GROUPS[name]), buttons) for name, buttons in found.items() if buttons]


def find_problems(season: Season, user: Any) -> list[Item]:
    return dashboard.find_problems(season, user, clock.now())


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


# ── divisions, rounds and tables ──


def summarise_division(division: Division, names: Names) -> DivisionSummary:
    lines = season_records.compute_standings(division, names=names)
    rounds = find_current_rounds(division)
    return DivisionSummary(
        division,
        lines[:MAX_PLACES],
        max(0, len(lines) - MAX_PLACES),
        [summarise_round(round_) for round_ in rounds],
        build_buttons(division),
        reverse("admin:leagues_division_change", args=[division.pk]),
    )


def find_current_rounds(division: Division) -> list[Round]:
    """Return the round that is being played or comes next, and the latest closed one."""
    rounds = list(division.rounds.select_related("division__season__league"))
    closed = [round_ for round_ in rounds if round_.phase == Round.Phase.CLOSED][-1:]
    played = [round_ for round_ in rounds if round_.phase == Round.Phase.PUBLISHED]
    drawn = [round_ for round_ in rounds if round_.phase == Round.Phase.DRAWN]
    return [*played, *(drawn[:1] if not played else []), *closed][:3]


def summarise_round(round_: Round) -> RoundSummary:
    fixtures = round_.fixtures.select_related("match").order_by("ending", "table")
    total = fixtures.count()
    tables = [summarise_table(fixture) for fixture in prefetch_waits(fixtures)[:MAX_TABLES]]
    return RoundSummary(round_, describe_round(round_), tables, max(0, total - MAX_TABLES), build_buttons(round_))


def build_buttons(row: Division | Round) -> list[Button]:
    return [Button(action.label_for(row), action_url(row, action.name)) for action in registry.list_open_actions(row)]


def describe_round(round_: Round) -> str:
    if round_.phase == Round.Phase.DRAWN:
        return _("drawn, not public yet")
    told = describe_tables(Fixture.objects.filter(round=round_))
    stands = told[0] if told else round_.get_phase_display()
    if round_.due_on is None:
        return stands
    return _("%(stands)s, until %(day)s") % {"stands": stands, "day": in_words(round_.due_on)}


def summarise_table(fixture: Fixture) -> TableSummary:
    chairs = sorted(fixture.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat))
    url = reverse("admin:leagues_fixture_change", args=[fixture.pk])
    return TableSummary(fixture, ", ".join(chair.sitter_name for chair in chairs), describe_table(fixture), url)


def describe_table(fixture: Fixture) -> str:
    """Say where a table stands."""
    match = fixture.match
    if fixture.ending or match is None:
        return fixture.get_ending_display() if fixture.ending else ""
    if match.phase == Match.Phase.GATHERING:
        return describe_gathering_table(match)
    if match.paused_at:
        return _("paused")
    names = ", ".join(list_awaited_names(fixture))
    if not names:
        return match.get_phase_display()
    has_late_player = any(is_late(wait) for wait in match.waits.all())
    return (_("late: %(names)s") if has_late_player else _("waiting for %(names)s")) % {"names": names}


def describe_gathering_table(match: Match) -> str:
    places = list(match.places.all())
    missing = [place.name for place in places if place.confirmed_at is None]
    if len(places) < match.seats:
        return _("has an empty seat")
    if len(missing) == len(places):
        return _("no one has accepted yet")
    return _("not accepted yet: %(names)s") % {"names": ", ".join(missing)}


def is_late(wait: Wait) -> bool:
    return wait.is_blocking and wait.due_at is not None and wait.remind_at is None


# ── tabs ──


def build_tabs(season: Season, now: str) -> list[tuple[str, str, bool]]:
    """Return the label and address of each page about a season, and whether it is the one shown."""
    pages = {
        "cockpit": (_("Cockpit"), cockpit_url(season)),
        "people": (_("People"), list_url("entry", season=season)),
        "tables": (_("Tables"), list_url("fixture", season=season)),
        "follow-up": (_("Follow up"), reverse("admin:leagues_season_follow_up", args=[season.pk])),
        "settings": (_("Settings"), reverse("admin:leagues_season_change", args=[season.pk])),
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
