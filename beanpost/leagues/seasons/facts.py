"""The rows of a season, read in a few queries however many people play, for code that looks at all its divisions."""

from __future__ import annotations

from django.db.models import prefetch_related_objects

from beanpost.leagues.models import Division, Entry, Fixture, Round, Season


def prefetch_rows(*seasons: Season) -> None:
    """Read the divisions, people, rounds and tables of seasons, unless their rows hold them already.

    They stay on a season until it is reloaded. `locks.lock_season` reloads it, so no change relies on rows that were
    read for a page.
    """
    prefetch_related_objects(seasons, "divisions__entries", "divisions__rounds__fixtures__chairs")
    prefetch_related_objects(seasons, "divisions__rounds__byes")


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
    return [entry for entry in division.entries.all() if entry.state == Entry.State.ENTERED]


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
