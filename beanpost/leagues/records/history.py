"""The history of a league, in words: organisers' actions, draws, letters, results and people's answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import Model, QuerySet
from django.template.defaultfilters import yesno
from django.utils.formats import localize
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

import games
from beanpost.leagues.models import Division, Draw, Entry, Fixture, League, LeagueEvent, News, Round, Season
from beanpost.leagues.standings.labels import describe_points, describe_tie_breaks
from beanpost.play.display import wording
from beanpost.play.display.wording import add_colon, join_names
from games.engine import catalogue

Kind = LeagueEvent.Kind
Changes = dict[str, list[Any]]
Related = dict[Any, dict[Any, Any]]  # model → key → row
# Columns that the history leaves out: they hold addresses or people's identities, or let people in.
LEFT_OUT = {"id", "player", "asked_keeper", "typed_keeper", "run_by", "contact", "asked_contact", "join_code"}


@dataclass(frozen=True)
class HistoryItem:
    """One thing that happened."""

    at: datetime
    kind: str
    about: str
    told: str
    reason: str = ""
    by: str = ""  # the organiser's account; "" if a player or the service did it
    division: int | None = None
    changes: list[str] = field(default_factory=list)


def record(
    row: Any,
    kind: str,
    sentence: str,
    *,
    changes: Changes | None = None,
    reason: str = "",
    by: Any,
    now: datetime,
    about: str = "",
) -> None:
    """Record an organiser's change to a league or to a row in it, in the transaction of the change."""
    subject = find_subject(row)
    LeagueEvent.objects.create(
        **subject,
        league=subject["season"].league if "season" in subject else row,
        kind=kind,
        about=(about or str(row))[:200],
        told=sentence,
        changes=changes or {},
        reason=reason[:200],
        done_by=by,
        done_at=now,
    )


def find_subject(row: Any) -> dict[str, Any]:
    """Return the season of a row, and the division, round, table or person it is about."""
    match row:
        case League():
            return {}
        case Season():
            return {"season": row}
        case Division():
            return {"season": row.season, "division": row}
        case Round():
            return {**find_subject(row.division), "round": row}
        case Fixture():
            return {**find_subject(row.round), "fixture": row}
        case Entry():
            return {"season": row.season, "division": row.division, "entry": row}
    raise TypeError(row)


# ── columns that changed ──


def take_snapshot(row: Model) -> dict[str, Any]:
    """Return the columns of a row as they are stored; {} if it isn't."""
    stored = type(row)._base_manager.filter(pk=row.pk).values().first() or {}
    columns = ((column.name, column.attname) for column in row._meta.concrete_fields if column.name not in LEFT_OUT)
    return {name: stored[key] for name, key in columns if key in stored}


def compare(row: Model, before: dict[str, Any]) -> Changes:
    """Return the columns that differ from an earlier snapshot."""
    after = take_snapshot(row)
    return {name: [old, after[name]] for name, old in before.items() if name in after and after[name] != old}


def find_columns(row: LeagueEvent) -> dict[str, Any]:
    """Return the columns of the table whose row an event is about."""
    kinds = ((row.entry_id, Entry), (row.fixture_id, Fixture), (row.round_id, Round), (row.division_id, Division))
    model: Any = next((kind for key, kind in (*kinds, (row.season_id, Season)) if key), League)
    return {column.name: column for column in (*model._meta.concrete_fields, *model._meta.many_to_many)}


def load_related(events: Iterable[LeagueEvent]) -> Related:
    """Return the rows that changes refer to, with one query for each model."""
    keys: dict[Any, set[Any]] = defaultdict(set)
    for row in events:
        columns = find_columns(row)
        for name, values in row.changes.items():
            if name in columns and columns[name].is_relation:
                keys[columns[name].related_model].update(*map(list_keys, values))
    return {model: model._base_manager.select_related().in_bulk(found) for model, found in keys.items()}


def list_keys(value: Any) -> list[Any]:
    """Return the keys in a stored relation: a list for many rows, else a key or None."""
    return value if isinstance(value, list) else [] if value is None else [value]


def describe_changes(row: LeagueEvent, related: Related) -> list[str]:
    """Return in words what an event has changed."""
    columns = find_columns(row)
    return [
        describe_change(columns[name], before, after, related)
        for name, (before, after) in row.changes.items()
        if name in columns
    ]


def describe_change(column: Any, before: Any, after: Any, related: Related) -> str:
    label = add_colon(capfirst(str(column.verbose_name)))
    return f"{label} {format_value(column, before, related)} → {format_value(column, after, related)}"


def format_value(column: Any, value: Any, related: Related) -> Any:
    """Return a stored value as an organiser reads it."""
    if value in (None, "", [], {}):
        return "—"
    if column.is_relation:
        rows = related[column.related_model]
        found = [rows[key] for key in list_keys(value) if key in rows]
        return join_names(found) if found else "—"
    if column.choices:
        return dict(column.flatchoices).get(value, value)
    return format_own(column, value) or format_plain(column.to_python(value))


def format_own(column: Any, value: Any) -> str:
    """Return the words for values with a notation of their own; "" for others."""
    match column.name, value:
        case "points", str(scheme):
            return describe_points(scheme)
        case "tie_breaks", list(names):
            return describe_tie_breaks(names)
        case "pace", str(pace):
            return wording.name_pace(pace)
        case "games", dict(variants):
            return join_names([name_variant(slug, variant) for slug, variant in variants.items()])
    return ""


def format_plain(value: Any) -> Any:
    match value:
        case bool():
            return yesno(value)
        case datetime():
            return localize(localtime(value))
        case date():
            return localize(value)
    return value


def name_variant(slug: str, variant: str) -> str:
    game = games.GAMES.get(slug)
    if game is None or len(game.variants) < 2:
        return catalogue.title(slug)
    return f"{game.title}, {catalogue.variant_name(slug, variant)}"


# ── reading it ──


def list_season_history(season: Season) -> list[HistoryItem]:
    """Return everything that happened in a season, the latest first."""
    found = [
        *read_events(season.events.all()),
        *read_draws(Draw.objects.filter(division__season=season)),
        *read_letters(season.news.all()),
        *read_results(Fixture.objects.filter(round__division__season=season)),
        *read_answers(season.entries.all()),
    ]
    return sorted(found, key=lambda line: line.at, reverse=True)


def list_history(row: Any) -> list[HistoryItem]:
    """Return what happened to one row, with the columns that changed."""
    match row:
        case League() | Season():
            own = row.events.filter(season=None) if isinstance(row, League) else row.events.exclude(changes={})
            found = list(read_events(own))
        case Division():
            fixtures = Fixture.objects.filter(round__division=row)
            found = [*read_events(row.events.all()), *read_draws(row.draws.all()), *read_results(fixtures)]
            found += read_letters(News.objects.filter(division=row))
        case Fixture():
            found = [*read_events(row.events.all()), *read_results(Fixture.objects.filter(pk=row.pk))]
            found += read_letters(News.objects.filter(fixture=row))
        case Entry():
            found = [*read_events(row.events.all()), *read_answers(Entry.objects.filter(pk=row.pk))]
        case Round():
            found = [*read_events(row.events.all()), *read_results(row.fixtures.all())]
        case _:
            return []
    return sorted(found, key=lambda line: line.at, reverse=True)


def read_events(rows: QuerySet[LeagueEvent]) -> Iterator[HistoryItem]:
    events = list(rows.select_related("done_by"))
    related = load_related(events)
    for row in events:
        by, changes = str(row.done_by or ""), describe_changes(row, related)
        told = row.told or "; ".join(changes)
        shown = changes if row.told else []
        yield HistoryItem(row.done_at, row.kind, row.about, told, row.reason, by, row.division_id, shown)


def read_draws(rows: QuerySet[Draw]) -> Iterator[HistoryItem]:
    for row in rows.select_related("division", "drawn_by"):
        last = row.first + len(row.rounds) - 1
        sentence = (
            _("Round %(first)d was drawn.") if last <= row.first else _("Rounds %(first)d to %(last)d were drawn.")
        )
        sentence = f"{sentence % {'first': row.first, 'last': last}} {_('Seed: %(seed)s.') % {'seed': row.seed}}"
        by = str(row.drawn_by or "")
        yield HistoryItem(row.drawn_at, Kind.ROUNDS, str(row), sentence, row.reason, by, row.division_id)


def read_letters(rows: QuerySet[News]) -> Iterator[HistoryItem]:
    for row in rows.select_related("season__league", "division", "fixture__round__division", "written_by"):
        where = row.fixture or row.division or row.season
        sentence = _("Letter to %(readers)s: %(headline)s")
        sentence %= {"readers": row.get_sent_to_display(), "headline": row.headline}
        yield HistoryItem(
            row.written_at, Kind.LETTERS, str(where), sentence, "", str(row.written_by or ""), row.division_id
        )


def read_results(rows: QuerySet[Fixture]) -> Iterator[HistoryItem]:
    """Yield tables that were played to the end. Decisions of organisers are events."""
    played = rows.filter(ending=Fixture.Ending.PLAYED, decided_at__isnull=False)
    for row in played.select_related("round__division").prefetch_related("chairs__sitter"):
        chairs = sorted(row.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat))
        sentence = _("Result: %(names)s.") % {
            "names": join_names([f"{chair.rank}. {chair.sitter_name}" for chair in chairs])
        }
        assert row.decided_at is not None
        yield HistoryItem(row.decided_at, Kind.TABLES, str(row), sentence, division=row.round.division_id)


def read_answers(rows: QuerySet[Entry]) -> Iterator[HistoryItem]:
    for row in rows.filter(answered_at__isnull=False).select_related("player"):
        sentence = _("declined") if row.state == Entry.State.DECLINED else _("accepted")
        assert row.answered_at is not None
        yield HistoryItem(row.answered_at, Kind.PEOPLE, row.called, sentence, division=row.division_id)


def filter_items(found: list[HistoryItem], *, kind: str = "", division: str = "", words: str = "") -> list[HistoryItem]:
    """Return the lines of a kind or division, or with some words in them."""
    wanted = words.casefold().strip()
    return [
        line
        for line in found
        if (not kind or line.kind == kind)
        and (not division or str(line.division) == division)
        and (not wanted or wanted in f"{line.about} {line.told} {line.reason} {line.by}".casefold())
    ]
