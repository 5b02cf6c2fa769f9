"""A round's seating and ranks, read from its rows, and the lots that break ties."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from django.db.models import Exists, OuterRef, QuerySet, prefetch_related_objects

from beanpost.leagues.draw.pairing import RoundSeating, seed_dice
from beanpost.leagues.models import Division, Draw, Fixture, Round


def find_latest_round(division: Division) -> Round | None:
    """Return the round that was published last."""
    started = [round_ for round_ in division.rounds.all() if round_.phase != Round.Phase.DRAWN][-1:]
    prefetch_related_objects(started, "fixtures__chairs", "byes")
    return started[0] if started else None


def public_rounds(division: Division) -> QuerySet[Round]:
    """Return the rounds that everybody may see: those that have started."""
    return division.rounds.exclude(phase=Round.Phase.DRAWN)


def public_draws(division: Division) -> QuerySet[Draw]:
    """Return the draws that everybody may see, replaced ones included: those whose first round has started."""
    return division.draws.filter(Exists(public_rounds(division).filter(number__gte=OuterRef("first"))))


def build_seatings(rounds: Iterable[Round]) -> list[RoundSeating]:
    """Return rounds as values for the pure pairing code."""
    return [
        RoundSeating(
            tuple(tuple(chair.entry_id for chair in fixture.chairs.all()) for fixture in round_.fixtures.all()),
            tuple(bye.entry_id for bye in round_.byes.all()),
        )
        for round_ in rounds
    ]


def list_entries(round_: Round) -> list[int]:
    """Return all entries in a round, byes included."""
    seating = build_seatings([round_])[0]
    return [*chain(*seating.tables), *seating.byes]


def list_ranks(round_: Round) -> list[dict[int, int]]:
    """Return the ranks at each table of a round; people who forfeited come after everybody else.

    At an annulled table all ranks are equal, even if it was played to its end.
    """
    return [
        rank_entries(fixture) if did_count(round_, fixture) else tie_everybody(fixture)
        for fixture in round_.fixtures.all()
    ]


def rank_entries(fixture: Fixture) -> dict[int, int]:
    return {chair.entry_id: (chair.rank or 99) + 100 * chair.forfeited for chair in fixture.chairs.all()}


def tie_everybody(fixture: Fixture) -> dict[int, int]:
    return {chair.entry_id: 99 + 100 * chair.forfeited for chair in fixture.chairs.all()}


def did_count(round_: Round, fixture: Fixture) -> bool:
    """Whether a table counted when its round was closed. Annulling it later changes nothing about who went on."""
    if fixture.ending != Fixture.Ending.ANNULLED:
        return True
    return bool(round_.closed_at and fixture.decided_at and fixture.decided_at > round_.closed_at)


def draw_lots(division: Division, who: Iterable[int]) -> dict[int, int]:
    """Return the lot of each entry; the lowest is best. It follows from the season's seed and the entry's own id.

    So adding or withdrawing one entry changes nobody else's lot.
    """
    seed = division.season.seed
    return {entrant: seed_dice(seed, f"lot of {entrant}").below(2**63) for entrant in who}
