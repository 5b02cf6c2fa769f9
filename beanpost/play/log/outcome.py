"""Ranks and scores of a match: by its rules, or as the house has decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from beanpost.play.models import Match, Place
from games.contract.house_lines import VOCABULARY, Adjudicate, Annul
from games.contract.notation import read
from games.contract.seats import HOUSE
from games.engine.table import Table
from games.verification import verify
from games.verification.export import Outcome

DECISIONS = {"adjudicated": Adjudicate, "annulled": Annul}


def find_outcome(match: Match, table: Table[Any, Any]) -> Outcome | None:
    """Return scores and ranks by the rules, or ranks as adjudicated; None if there is no result (yet)."""
    if match.ending == "adjudicated":
        last = read(match.events.get(seq=match.length).line, VOCABULARY)
        assert isinstance(last, Adjudicate)
        return Outcome(None, verify.ranks_from_order(last.seats, match.seats))
    result = table.result
    return Outcome(result.scores, result.ranks) if result else None


def rank_seats(match: Match, ranks: Sequence[int], places: Iterable[Place]) -> tuple[int, ...]:
    """Return the ranks by seat. Players who gave up share the last place, whatever a bot did with their cards.

    The log and the export keep the result of the rules or the order of the last line. `verify` finds in the log who
    gave up.
    """
    return rank_resigned_last(ranks, [place.resigned_at is not None for place in places])


def rank_resigned_last(ranks: Sequence[int], gave_up: Sequence[bool]) -> tuple[int, ...]:
    """Let players who gave up share the last place, and the others move up; ties stay ties.

    >>> rank_resigned_last([1, 2, 2, 4], [True, False, False, True])
    (3, 1, 1, 3)
    """
    order = [(gone, 0 if gone else rank) for gone, rank in zip(gave_up, ranks, strict=True)]
    return tuple(1 + sum(other < one for other in order) for one in order)


def is_as_logged(match: Match, table: Table[Any, Any]) -> bool:
    """Return whether the match's phase agrees with its log."""
    if match.ending in DECISIONS:
        last = match.events.get(seq=match.length)
        return last.seat == HOUSE and isinstance(read(last.line, VOCABULARY), DECISIONS[match.ending])
    return (table.result is not None) == (match.ending == "finished")
