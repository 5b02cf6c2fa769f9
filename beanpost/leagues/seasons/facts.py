"""The rows of a season, read in a few queries however many people play, for code that looks at all its divisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from beanpost.leagues.models import Chair, Division, Entry, Fixture, Round, Season
from beanpost.play.models import Match, Proposal


def prefetch_rows(*seasons: Season) -> None:
    """Read the people, divisions, rounds and tables of seasons, unless their rows hold them already.

    They stay on a season until it is reloaded. `locks.lock_season` reloads it, so no change relies on rows that were
    read for a page.
    """
    people = Prefetch("entries", Entry.objects.select_related("player"))
    tables = Prefetch("divisions__rounds__fixtures", Fixture.objects.select_related("match"))
    rows = ("divisions__rounds__fixtures__chairs", "divisions__rounds__byes")
    prefetch_related_objects(seasons, people, tables, *rows)


def prefetch_tables(*seasons: Season, more: Iterable[Fixture] = ()) -> None:
    """Read whom the tables without a result wait for, and the sitters of these tables and of `more`."""
    prefetch_rows(*seasons)
    played = [round_ for season in seasons for round_ in list_rounds(season, Round.Phase.PUBLISHED)]
    prefetch_related_objects(played, "fixtures__match")
    undecided = [table for round_ in played for table in round_.fixtures.all() if not table.ending]
    fill_in_sitters(*seasons)
    offers = Proposal.objects.filter(about=Proposal.About.GIVE, closed_at=None, passed_at__isnull=False)
    offered = Prefetch("match__proposals", offers.select_related("player"), to_attr="offers")
    prefetch_related_objects(list(dict.fromkeys([*undecided, *more])), "chairs__sitter")
    prefetch_related_objects(undecided, "match__waits", "match__places", offered)


def fill_in_sitters(*seasons: Season) -> None:
    """Put the people of a season into their chairs: whoever sits at a table is one of them."""
    for season in seasons:
        people = {entry.player_id: entry.player for entry in season.entries.all()}
        tables = [table for round_ in list_rounds(season) for table in round_.fixtures.all()]
        for chair in (chair for table in tables for chair in table.chairs.all() if chair.sitter_id in people):
            chair.sitter = people[chair.sitter_id]


def list_rounds(where: Season | Division, phase: str = "") -> list[Round]:
    """Return rounds by division and number: all, or those in a phase."""
    divisions = where.divisions.all() if isinstance(where, Season) else [where]
    return [each for division in divisions for each in division.rounds.all() if phase in ("", each.phase)]


def list_undecided(where: Season | Division) -> list[Fixture]:
    """Return the tables of rounds being played that have no result, with their matches."""
    played = list_rounds(where, Round.Phase.PUBLISHED)
    prefetch_related_objects(played, "fixtures__match")
    return [table for round_ in played for table in round_.fixtures.all() if not table.ending]


def list_playing(division: Division) -> list[Entry]:
    """Return the entries that the next draw includes."""
    entries = division.season.entries.all()
    return [entry for entry in entries if entry.division_id == division.pk and entry.state == Entry.State.ENTERED]


def has_movable_people(season: Season) -> bool:
    """Return whether anybody invited, entered or waiting has been in no round, so that they can change divisions."""
    started = [round_ for round_ in list_rounds(season) if round_.phase != Round.Phase.DRAWN]
    seated = {chair.entry_id for round_ in started for table in round_.fixtures.all() for chair in table.chairs.all()}
    seated |= {bye.entry_id for round_ in started for bye in round_.byes.all()}
    there = (Entry.State.INVITED, Entry.State.ENTERED, Entry.State.WAITING)
    return any(entry.state in there and entry.pk not in seated for entry in season.entries.all())


def list_started(division: Division) -> list[Round]:
    return [round_ for round_ in division.rounds.all() if round_.phase != Round.Phase.DRAWN]


def find_next_drawn(division: Division) -> Round | None:
    """Return the drawn round that can start now: all earlier ones are closed."""
    unfinished = [round_ for round_ in division.rounds.all() if round_.phase != Round.Phase.CLOSED]
    return unfinished[0] if unfinished and unfinished[0].phase == Round.Phase.DRAWN else None


def lacks_somebody(round_: Round) -> bool:
    """Whether a player in a drawn round no longer plays in its division: then it must be redrawn."""
    playing = {entry.pk for entry in list_playing(round_.division)}
    return any(chair.entry_id not in playing for table in round_.fixtures.all() for chair in table.chairs.all())


def has_rounds_left(division: Division) -> bool:
    """Whether rounds are still to be drawn: as many as planned, or on to the final."""
    rounds = division.rounds.all()
    if division.season.format == Season.Format.KNOCK_OUT:
        return not any(round_.is_final for round_ in rounds)
    return len(rounds) < division.season.rounds


def is_decided(round_: Round) -> bool:
    """Whether all tables of a round that is being played have a result."""
    return round_.phase == Round.Phase.PUBLISHED and all(table.ending for table in round_.fixtures.all())


# ── tables, as `prefetch_tables` has read them ──


def list_tables(season: Season, phase: str) -> list[tuple[Fixture, Match]]:
    """Return the tables without a result whose match is in a phase, with that match."""
    return [(table, table.match) for table in list_undecided(season) if table.match and table.match.phase == phase]


def list_offers(match: Any) -> list[Proposal]:
    """Return the seats of a match that are offered to somebody."""
    return match.offers  # type: ignore[no-any-return]


def has_empty_seat(match: Match) -> bool:
    return len(match.places.all()) < match.seats


def list_chairs_left(season: Season, phase: str) -> list[tuple[Fixture, Match, Chair]]:
    """Return the chairs whose person has left the season and has no substitute, at tables in a phase."""
    gone = map_players(season, Entry.State.LEFT)
    return [
        (table, match, chair) for table, match in list_tables(season, phase) for chair in list_own_chairs(table, gone)
    ]


def list_tables_to_begin(season: Season) -> list[Fixture]:
    """Return the gathering tables that wait only for answers: no seat is empty or left, and all accepted the season."""
    gone = map_players(season, Entry.State.LEFT)
    unasked = map_players(season, Entry.State.INVITED, Entry.State.DECLINED)
    found = []
    for table, match in list_tables(season, Match.Phase.GATHERING):
        came = {place.seat for place in match.places.all() if place.confirmed_at}
        lacking = [chair for chair in list_own_chairs(table, unasked) if chair.seat not in came]
        if not has_empty_seat(match) and not lacking and not list_own_chairs(table, gone):
            found.append(table)
    return found


def map_players(season: Season, *states: str) -> dict[int, int]:
    """Return the keys of the players in these states, by entry."""
    return {entry.pk: entry.player_id for entry in season.entries.all() if entry.state in states}


def list_own_chairs(table: Fixture, players: dict[int, int]) -> list[Chair]:
    """Return the chairs in which one of these people sits, and no substitute for them."""
    return [chair for chair in table.chairs.all() if players.get(chair.entry_id) == chair.sitter_id]
