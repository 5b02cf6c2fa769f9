"""The history of a season, in words: organisers' actions, draws, letters, results and people's answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from beanpost.leagues.models import Division, Draw, Entry, Event, Fixture, News, Round, Season
from beanpost.play.display.wording import join_names

Kind = Event.Kind


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


def record(row: Any, kind: str, sentence: str, *, reason: str = "", by: Any, now: datetime, about: str = "") -> None:
    """Keep what an organiser did to a season or to a row in it, in the transaction of the change."""
    Event.objects.create(
        **find_subject(row),
        kind=kind,
        about=(about or str(row))[:200],
        told=sentence,
        reason=reason[:200],
        done_by=by,
        done_at=now,
    )


def find_subject(row: Any) -> dict[str, Model | None]:
    """Return the season of a row, and the division, round, table or person it is about."""
    match row:
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
    """Return what happened to one row: a season with all in it, a division, a round, a table or a person."""
    match row:
        case Season():
            return list_season_history(row)
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


def read_events(rows: QuerySet[Event]) -> Iterator[HistoryItem]:
    for row in rows.select_related("done_by"):
        by = str(row.done_by or "")
        yield HistoryItem(row.done_at, row.kind, row.about, row.told, row.reason, by, row.division_id)


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
