"""How far everybody has come in a knock-out, and who is left."""

from __future__ import annotations

from beanpost.leagues.draw.pairing import survivors
from beanpost.leagues.models import Division, Entry, Fixture, Round, Season
from beanpost.leagues.records.round_results import everybody_in, latest, lots, ranks, seatings


def reached(division: Division, last: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the round that each entry of a knock-out reached, and the ranks of the final.

    Entries that go on from the latest round reach the next one, unless they have left.
    """
    stages: dict[int, int] = {}
    rounds = division.rounds.filter(number__lte=last).exclude(phase=Round.Phase.DRAWN)
    shown = list(rounds.select_related("division__season").prefetch_related("fixtures__chairs", "byes"))
    for round_ in shown:
        stages |= dict.fromkeys(everybody_in(round_), round_.number)
    if shown and shown[-1].is_final:
        (table,) = shown[-1].fixtures.all()
        return stages, {} if table.ending == Fixture.Ending.ANNULLED else ranks(shown[-1])[0]
    if shown and shown[-1].phase == Round.Phase.CLOSED:
        stages |= dict.fromkeys(left_after(shown[-1]), shown[-1].number + 1)
    return stages, {}


def is_deserted(division: Division) -> bool:
    """Whether everybody who could have won a knock-out has left."""
    return division.season.format == Season.Format.KNOCK_OUT and left_in(division) == []


def left_in(division: Division) -> list[int] | None:
    """Return the entries left in a knock-out between two rounds. None: one is being played, or the final is over."""
    last = latest(division)
    if last is None or last.phase != Round.Phase.CLOSED or last.is_final:
        return None
    return left_after(last)


def left_after(round_: Round) -> list[int]:
    """Return the entries that go on from a knock-out round and still play. People who left since are not replaced."""
    playing = set(round_.division.entries.filter(state=Entry.State.ENTERED).values_list("pk", flat=True))
    return [who for who in through(round_) if who in playing]


def through(round_: Round) -> tuple[int, ...]:
    """Return the entries that go on from a knock-out round.

    Lots are drawn among this round's entries only, so that later entries change nothing.
    """
    return survivors(seatings([round_])[0], ranks(round_), lots(round_.division, everybody_in(round_)))
