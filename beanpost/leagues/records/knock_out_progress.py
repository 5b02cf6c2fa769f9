"""How far everybody has come in a knock-out, and who is left."""

from __future__ import annotations

from django.db.models import prefetch_related_objects

from beanpost.leagues.draw.pairing import find_survivors
from beanpost.leagues.models import Division, Entry, Fixture, Round, Season
from beanpost.leagues.records.round_results import (
    build_seatings,
    draw_lots,
    find_latest_round,
    list_entries,
    list_ranks,
)


def find_rounds_reached(division: Division, last: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the round that each entry of a knock-out reached, and the ranks of the final.

    Entries that go on from the latest round reach the next one, unless they have left.
    """
    stages: dict[int, int] = {}
    shown = [each for each in division.rounds.all() if each.number <= last and each.phase != Round.Phase.DRAWN]
    prefetch_related_objects(shown, "fixtures__chairs", "byes")
    for round_ in shown:
        stages |= dict.fromkeys(list_entries(round_), round_.number)
    if shown and shown[-1].is_final:
        (table,) = shown[-1].fixtures.all()
        return stages, {} if table.ending == Fixture.Ending.ANNULLED else list_ranks(shown[-1])[0]
    if shown and shown[-1].phase == Round.Phase.CLOSED:
        stages |= dict.fromkeys(find_entries_left_after(shown[-1]), shown[-1].number + 1)
    return stages, {}


def is_deserted(division: Division) -> bool:
    """Whether everybody who could have won a knock-out has left."""
    return division.season.format == Season.Format.KNOCK_OUT and find_entries_left(division) == []


def find_entries_left(division: Division) -> list[int] | None:
    """Return the entries left in a knock-out between two rounds. None: one is being played, or the final is over."""
    last = find_latest_round(division)
    if last is None or last.phase != Round.Phase.CLOSED or last.is_final:
        return None
    return find_entries_left_after(last)


def find_entries_left_after(round_: Round) -> list[int]:
    """Return the entries that go on from a knock-out round and still play. People who left since are not replaced."""
    division = round_.division
    there = [entry for entry in division.season.entries.all() if entry.division_id == division.pk]
    playing = {entry.pk for entry in there if entry.state == Entry.State.ENTERED}
    return [who for who in find_entries_through(round_) if who in playing]


def find_entries_through(round_: Round) -> tuple[int, ...]:
    """Return the entries that go on from a knock-out round.

    Lots are drawn among this round's entries only, so that later entries change nothing.
    """
    return find_survivors(
        build_seatings([round_])[0], list_ranks(round_), draw_lots(round_.division, list_entries(round_))
    )
