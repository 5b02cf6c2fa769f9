"""The history of a league, in words: organisers' actions, draws, letters, results and people's answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from typing import Any

from django.db.models import Model, QuerySet, prefetch_related_objects
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

Row = LeagueEvent | Draw | News | Fixture | Entry


@dataclass(frozen=True)
class Moment:
    """When something happened, and the row that tells it; `describe` puts a page of them into words."""

    at: datetime
    kind: str
    division: int | None
    row: Row


def list_season_history(season: Season) -> list[Moment]:
    """Return everything that happened in a season, the latest first."""
    return sort_moments(
        *find_events(season.events.all()),
        *find_draws(Draw.objects.filter(division__season=season)),
        *find_letters(season.news.all()),
        *find_results(Fixture.objects.filter(round__division__season=season)),
        *find_answers(season.entries.all()),
    )


def list_history(row: Any) -> list[Moment]:
    """Return what happened to one row, with the columns that changed, the latest first."""
    match row:
        case League() | Season():
            own = row.events.filter(season=None) if isinstance(row, League) else row.events.exclude(changes={})
            return sort_moments(*find_events(own))
        case Division():
            results = find_results(Fixture.objects.filter(round__division=row))
            letters = find_letters(News.objects.filter(division=row))
            return sort_moments(*find_events(row.events.all()), *find_draws(row.draws.all()), *results, *letters)
        case Fixture():
            results = find_results(Fixture.objects.filter(pk=row.pk))
            letters = find_letters(News.objects.filter(fixture=row))
            return sort_moments(*find_events(row.events.all()), *results, *letters)
        case Entry():
            return sort_moments(*find_events(row.events.all()), *find_answers(Entry.objects.filter(pk=row.pk)))
        case Round():
            return sort_moments(*find_events(row.events.all()), *find_results(row.fixtures.all()))
    return []


def sort_moments(*found: Moment) -> list[Moment]:
    return sorted(found, key=lambda moment: moment.at, reverse=True)


def find_events(rows: QuerySet[LeagueEvent]) -> Iterator[Moment]:
    for row in rows.select_related("done_by"):
        yield Moment(row.done_at, row.kind, row.division_id, row)


def find_draws(rows: QuerySet[Draw]) -> Iterator[Moment]:
    for row in rows.select_related("division", "drawn_by"):
        yield Moment(row.drawn_at, Kind.ROUNDS, row.division_id, row)


def find_letters(rows: QuerySet[News]) -> Iterator[Moment]:
    for row in rows.select_related("season__league", "division", "fixture__round__division", "written_by"):
        yield Moment(row.written_at, Kind.LETTERS, row.division_id, row)


def find_results(rows: QuerySet[Fixture]) -> Iterator[Moment]:
    """Yield tables that were played to the end. Decisions of organisers are events."""
    played = rows.filter(ending=Fixture.Ending.PLAYED, decided_at__isnull=False)
    for row in played.select_related("round__division"):
        assert row.decided_at is not None
        yield Moment(row.decided_at, Kind.TABLES, row.round.division_id, row)


def find_answers(rows: QuerySet[Entry]) -> Iterator[Moment]:
    for row in rows.filter(answered_at__isnull=False).select_related("player"):
        assert row.answered_at is not None
        yield Moment(row.answered_at, Kind.PEOPLE, row.division_id, row)


# ── in words ──


def describe(moments: Iterable[Moment]) -> list[HistoryItem]:
    """Put moments into words, with a few queries for all of them."""
    moments = list(moments)
    related = load_related(moment.row for moment in moments if isinstance(moment.row, LeagueEvent))
    tables = [moment.row for moment in moments if isinstance(moment.row, Fixture)]
    prefetch_related_objects(tables, "chairs__sitter")
    return [describe_moment(moment, related) for moment in moments]


def describe_moment(moment: Moment, related: Related) -> HistoryItem:
    item = partial(HistoryItem, at=moment.at, kind=moment.kind, division=moment.division)
    match moment.row:
        case LeagueEvent() as event:
            changes = describe_changes(event, related)
            told, shown = event.told or "; ".join(changes), changes if event.told else []
            by = str(event.done_by or "")
            return item(about=event.about, told=told, reason=event.reason, by=by, changes=shown)
        case Draw() as draw:
            by = str(draw.drawn_by or "")
            return item(about=str(draw), told=describe_draw(draw), reason=draw.reason, by=by)
        case News() as news:
            where = news.fixture or news.division or news.season
            sentence = _("Letter to %(readers)s: %(headline)s")
            sentence %= {"readers": news.get_sent_to_display(), "headline": news.headline}
            return item(about=str(where), told=sentence, by=str(news.written_by or ""))
        case Fixture() as table:
            chairs = sorted(table.chairs.all(), key=lambda chair: (chair.rank or 99, chair.seat))
            names = join_names([f"{chair.rank}. {chair.sitter_name}" for chair in chairs])
            return item(about=str(table), told=_("Result: %(names)s.") % {"names": names})
        case Entry() as entry:
            sentence = _("declined") if entry.state == Entry.State.DECLINED else _("accepted")
            return item(about=entry.called, told=sentence)


def describe_draw(row: Draw) -> str:
    last = row.first + len(row.rounds) - 1
    sentence = _("Round %(first)d was drawn.") if last <= row.first else _("Rounds %(first)d to %(last)d were drawn.")
    return f"{sentence % {'first': row.first, 'last': last}} {_('Seed: %(seed)s.') % {'seed': row.seed}}"


def filter_moments(found: list[Moment], *, kind: str = "", division: str = "", words: str = "") -> list[Moment]:
    """Return the moments of a kind or division, or with some words in them. Only words need all of them described."""
    found = [
        moment
        for moment in found
        if (not kind or moment.kind == kind) and (not division or str(moment.division) == division)
    ]
    wanted = words.casefold().strip()
    if not wanted:
        return found
    said = (f"{line.about} {line.told} {line.reason} {line.by}".casefold() for line in describe(found))
    return [moment for moment, text in zip(found, said, strict=True) if wanted in text]
