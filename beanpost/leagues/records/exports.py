"""An organiser's exports: standings, fixtures, entries and ratings as rows, a whole season as one document."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import QuerySet

from beanpost.leagues.models import Division, Draw, Entry, Fixture, Rating, Season
from beanpost.leagues.records import history, season_records
from beanpost.leagues.records.namesakes import load_names, load_public_names

Rows = list[dict[str, Any]]
FORMULA_STARTS = "=+-@\t\r\n"  # the first characters of formulas


def list_standings(season: Season) -> Rows:
    names = load_names(season.league)
    return [
        build_standing_row(division, line) | {"state": line.entry.state, "why": line.why}
        for division in season.divisions.all()
        for line in season_records.compute_standings(division, names=names)
    ]


def list_public_standings(season: Season) -> Rows:
    """Return the standings of all divisions, with the names that players want on public pages."""
    names = load_public_names(season.league)
    return [
        build_standing_row(division, line)
        for division in season.divisions.select_related("season")
        for line in season_records.compute_standings(division, names=names)
    ]


def build_standing_row(division: Division, line: season_records.StandingsLine) -> dict[str, Any]:
    tally = line.row.tally
    return {
        "division": division.name,
        "rank": line.row.rank,
        "name": line.name,
        "points": round(float(tally.points), 2),
        "played": tally.played,
        "wins": tally.wins,
        "byes": tally.byes,
        "forfeits": tally.forfeits,
    }


def list_fixtures(season: Season) -> Rows:
    tables = Fixture.objects.filter(round__division__season=season).select_related("match", "round__division")
    return [
        {
            "division": fixture.round.division.name,
            "round": fixture.round.number,
            "game": fixture.round.game,
            "variant": fixture.round.variant,
            "table": fixture.table,
            "match": fixture.match.code if fixture.match else "",
            "ending": fixture.ending,
            "seat": chair.seat + 1,
            "name": chair.entry_name,
            "sitter": chair.sitter_name,
            "rank": chair.rank,
            "score": chair.score,
            "forfeited": chair.forfeited,
            "bot": chair.by_bot,
        }
        for fixture in tables.prefetch_related("chairs__entry__player", "chairs__sitter").order_by(
            "round__division__level", "round__number", "table"
        )
        for chair in fixture.chairs.all()
    ]


def list_entries(season: Season) -> Rows:
    return [build_entry_row(entry) for entry in load_entries(season)]


def load_entries(season: Season) -> QuerySet[Entry]:
    return season.entries.select_related("player", "division")


def build_entry_row(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.called,
        "address": entry.shown_address,
        "state": entry.state,
        "division": entry.division.name if entry.division else "",
        "rung": entry.rung,
    }


def list_ratings(season: Season) -> Rows:
    entered = season.entries.filter(~Entry.hidden()).values("player")
    rows = Rating.objects.filter(player__in=entered).select_related("player")
    names = load_names(season.league)
    return [
        {
            "name": names.name_player(row.player),
            "game": row.game,
            "mu": row.mu,
            "sigma": row.sigma,
            "matches": row.matches,
        }
        for row in rows.order_by("player__name", "game")
    ]


def build_season(season: Season) -> dict[str, Any]:
    return {
        "format": "beanpost/season/1",
        "league": season.league.name,
        "season": season.name,
        "kind": season.format,
        "points": season.points,
        "tie_breaks": season.tie_breaks,
        "seed": season.seed,
        "draws": [
            {
                "division": division.name,
                "nth": draw.nth,
                "seed": draw.seed,
                "reason": draw.reason,
                "rounds": draw.rounds,
            }
            for division in season.divisions.all()
            for draw in division.draws.all()
        ],
        "entries": [
            {"number": entry.pk} | build_entry_row(entry) for entry in load_entries(season)
        ],  # draws refer to this number
        "fixtures": list_fixtures(season),
        "standings": list_standings(season),
        "history": list_history(season),
    }


def list_draws(season: Season) -> Rows:
    """Return every draw, replaced ones included, with its tables in words."""
    names = {entry.pk: entry.called for entry in load_entries(season)}
    rows = Draw.objects.filter(division__season=season).select_related("division", "drawn_by")
    return [
        {
            "division": draw.division.name,
            "nth": draw.nth,
            "round": draw.first + n,
            "table": table,
            "names": ", ".join(names.get(who, "") for who in sitters),
            "seed": draw.seed,
            "drawn_by": str(draw.drawn_by or ""),
            "drawn_at": draw.drawn_at.isoformat(),
            "reason": draw.reason,
        }
        for draw in rows.order_by("division__level", "nth")
        for n, seating in enumerate(draw.rounds)
        for table, sitters in enumerate(seating["tables"], 1)
    ]


def list_history(season: Season) -> Rows:
    """Return the season's history, the earliest first."""
    return [
        {
            "when": line.at.isoformat(),
            "who": line.by,
            "kind": line.kind,
            "about": line.about,
            "what": line.told,
            "reason": line.reason,
        }
        for line in history.describe(reversed(history.list_season_history(season)))
    ]


KINDS: dict[str, Callable[[Season], Any]] = {
    "standings": list_standings,
    "fixtures": list_fixtures,
    "entries": list_entries,
    "ratings": list_ratings,
    "draws": list_draws,
    "history": list_history,
    "season": build_season,
}
COLUMNS = {  # CSV headings, needed even when there are no rows
    "standings": ("division", "rank", "name", "state", "points", "played", "byes", "wins", "forfeits", "why"),
    "fixtures": (
        *("division", "round", "game", "variant", "table", "match", "ending"),
        *("seat", "name", "sitter", "rank", "score", "forfeited", "bot"),
    ),
    "entries": ("name", "address", "state", "division", "rung"),
    "ratings": ("name", "game", "mu", "sigma", "matches"),
    "draws": ("division", "nth", "round", "table", "names", "seed", "drawn_by", "drawn_at", "reason"),
    "history": ("when", "who", "kind", "about", "what", "reason"),
}


def format_csv(columns: Sequence[str], rows: Rows) -> str:
    """Return the rows as CSV. Cells that begin like a formula are escaped, so that no spreadsheet runs them.

    >>> format_csv(["name", "points"], [{"name": "=1+1", "points": 3}])
    "\\ufeffname,points\\r\\n'=1+1,3\\r\\n"
    """
    file = io.StringIO()
    file.write("\ufeff")  # otherwise some spreadsheets show “Zoé” as “ZoÃ©”
    writer = csv.DictWriter(file, columns)
    writer.writeheader()
    writer.writerows({name: escape_formula(value) for name, value in row.items()} for row in rows)
    return file.getvalue()


def build_zip(season: Season) -> bytes:
    """Return a whole season as a ZIP file with one CSV per kind of rows."""
    target = io.BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as files:
        for what, columns in COLUMNS.items():
            files.writestr(f"{what}.csv", format_csv(columns, KINDS[what](season)))
    return target.getvalue()


def escape_formula(value: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet might take for a formula.

    Spreadsheets also accept the fullwidth forms of these characters, which Asian input methods type. NFKC folds them.
    """
    if not isinstance(value, str) or not value:
        return value
    return f"'{value}" if unicodedata.normalize("NFKC", value[0])[0] in FORMULA_STARTS else value
