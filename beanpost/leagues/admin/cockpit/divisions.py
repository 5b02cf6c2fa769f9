"""Divisions, rounds and tables in a season's cockpit: a few rows of each, and a link to the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.template.defaultfilters import date as in_words
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from beanpost.leagues.actions import registry
from beanpost.leagues.actions.clock_actions import list_awaited_names
from beanpost.leagues.admin.concerns.concern import action_url
from beanpost.leagues.models import Division, Fixture, Round, Season
from beanpost.leagues.records import season_records
from beanpost.leagues.records.namesakes import Names
from beanpost.leagues.seasons import facts
from beanpost.play.models import Match, Wait

MAX_PLACES = 6  # of the standings

MAX_TABLES = 12  # of a round


@dataclass(frozen=True)
class Button:
    label: str
    url: str


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


@dataclass(frozen=True)
class TableCounts:
    """How many tables of a round there are, how many of them are done, and how many of the others are late."""

    total: int = 0
    done: int = 0
    late: int = 0

    def __add__(self, other: TableCounts) -> TableCounts:
        return TableCounts(self.total + other.total, self.done + other.done, self.late + other.late)

    @property
    def in_time(self) -> int:
        return self.total - self.done - self.late

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Return how many tables are done, go on in time and are late, each with its name in the stylesheet."""
        counts = (
            ("done", self.done, ngettext("one played", "%(count)d played", self.done)),
            ("in-time", self.in_time, ngettext("one running", "%(count)d running", self.in_time)),
            ("late", self.late, ngettext("one late", "%(count)d late", self.late)),
        )
        return [(kind, words % {"count": count}) for kind, count, words in counts if count]

    def describe(self) -> str:
        if not self.total:
            return ""
        sentence = _("%(done)d of %(all)d tables done") % {"done": self.done, "all": self.total}
        if self.late:
            sentence += ", " + ngettext("one late", "%(count)d late", self.late) % {"count": self.late}
        return sentence


def count_tables(season: Season) -> dict[int, TableCounts]:
    """Count the tables of each round that is being played, by the round's key."""
    return {round_.pk: count_tables_of(round_) for round_ in facts.list_rounds(season, Round.Phase.PUBLISHED)}


def count_tables_of(round_: Round) -> TableCounts:
    tables = round_.fixtures.all()
    return TableCounts(len(tables), sum(bool(table.ending) for table in tables), sum(map(has_late_player, tables)))


def has_late_player(fixture: Fixture) -> bool:
    match = fixture.match if not fixture.ending else None
    is_running = match is not None and match.phase == Match.Phase.RUNNING
    return match is not None and is_running and any(wait.due_at and not wait.remind_at for wait in match.waits.all())


def list_shown_tables(season: Season) -> list[Fixture]:
    """Return the tables that the page shows."""
    rounds = [round_ for division in season.divisions.all() for round_ in find_current_rounds(division)]
    return [table for round_ in rounds for table in list_first_tables(round_)]


def summarise_divisions(season: Season, names: Names, counts: Mapping[int, TableCounts]) -> list[DivisionSummary]:
    divisions = list(season.divisions.all())
    current = {division: find_current_rounds(division) for division in divisions}
    rankings = season_records.rank_divisions(divisions)
    people = {entry.pk: entry for entry in season.entries.all()}
    return [
        DivisionSummary(
            division,
            season_records.describe_ranking(division, rankings[division.pk], names, people, MAX_PLACES),
            max(0, len(rankings[division.pk].rows) - MAX_PLACES),
            [summarise_round(round_, counts.get(round_.pk)) for round_ in current[division]],
            build_buttons(division),
            reverse("admin:leagues_division_change", args=[division.pk]),
        )
        for division in divisions
    ]


def find_current_rounds(division: Division) -> list[Round]:
    """Return the round that is being played or comes next, and the latest closed one."""
    rounds = list(division.rounds.all())
    closed = [round_ for round_ in rounds if round_.phase == Round.Phase.CLOSED][-1:]
    played = [round_ for round_ in rounds if round_.phase == Round.Phase.PUBLISHED]
    drawn = [round_ for round_ in rounds if round_.phase == Round.Phase.DRAWN]
    return [*played, *(drawn[:1] if not played else []), *closed][:3]


def list_first_tables(round_: Round) -> list[Fixture]:
    """Return the tables of a round that the page shows: those without a result come first."""
    return sorted(round_.fixtures.all(), key=lambda table: (table.ending, table.table))[:MAX_TABLES]


def summarise_round(round_: Round, counts: TableCounts | None) -> RoundSummary:
    tables = [summarise_table(fixture) for fixture in list_first_tables(round_)]
    more = len(round_.fixtures.all()) - len(tables)
    return RoundSummary(round_, describe_round(round_, counts), tables, more, build_buttons(round_))


def build_buttons(row: Division | Round) -> list[Button]:
    return [Button(action.label_for(row), action_url(row, action.name)) for action in registry.list_open_actions(row)]


def describe_round(round_: Round, counts: TableCounts | None) -> str:
    if round_.phase == Round.Phase.DRAWN:
        return _("drawn, not public yet")
    progress = counts.describe() if counts else round_.get_phase_display()
    if round_.due_on is None:
        return progress
    return _("%(stands)s, until %(day)s") % {"stands": progress, "day": in_words(round_.due_on)}


def summarise_table(fixture: Fixture) -> TableSummary:
    chairs = sorted(fixture.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat))
    url = reverse("admin:leagues_fixture_change", args=[fixture.pk])
    return TableSummary(fixture, ", ".join(chair.sitter_name for chair in chairs), describe_table(fixture), url)


def describe_table(fixture: Fixture) -> str:
    """Say where a table stands."""
    if fixture.ending:
        return fixture.get_ending_display()
    match = fixture.match
    if match is None:
        return ""
    if match.phase == Match.Phase.GATHERING:
        return describe_gathering_table(fixture, match)
    if match.paused_at:
        return _("paused")
    names = ", ".join(list_awaited_names(fixture))
    if not names:
        return match.get_phase_display()
    is_somebody_late = any(is_late(wait) for wait in match.waits.all())
    return (_("late: %(names)s") if is_somebody_late else _("waiting for %(names)s")) % {"names": names}


def describe_gathering_table(fixture: Fixture, match: Match) -> str:
    if len(match.places.all()) < match.seats:
        return _("has an empty seat")
    names = fixture.unready_names
    if len(names) == match.seats:
        return _("no one is ready yet")
    return _("not ready yet: %(names)s") % {"names": ", ".join(names)}


def is_late(wait: Wait) -> bool:
    return wait.is_blocking and wait.due_at is not None and wait.remind_at is None
