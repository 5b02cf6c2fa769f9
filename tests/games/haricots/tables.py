"""Build tables of Haricots for tests."""

from __future__ import annotations

from typing import Any

import games
from games.contract.asks import Step
from games.engine.table import Table
from games.haricots.state import Cards, Farmer, Lying, Playing, Tally


def table(*hands: Cards, variant: str = "advanced", **facts: Any) -> Table[Any, Any]:
    """Return a table in mid-round at which A is asked, with these hands, full decks and the given facts."""
    decks = facts.pop("decks", ((8, 8, 9, 9),) * len(hands))
    farmers = tuple(Farmer(hand, deck) for hand, deck in zip(hands, decks, strict=True))
    tallies = facts.pop("tallies", (Tally(),) * len(hands))
    lying = Lying(facts.pop("lying", ()), facts.pop("to_beat", 0), facts.pop("leader", None))
    state = Playing(variant, facts.pop("round", 1), 0, tallies, farmers, turn=7, seat=0, lying=lying)
    assert not facts
    return Table(games.get("haricots"), len(hands), variant, state)


def step(before: Table[Any, Any], seat: int, line: str) -> Step[Any]:
    after = before.says(seat, line)
    return Step(before.state, seat, before.read(seat, line), after.state)


def describe(before: Table[Any, Any], seat: int, line: str, reader: int | None) -> list[str]:
    """Return what a reader is told about a line."""
    last = step(before, seat, line)
    return [str(phrase) for phrase in before.rules.words.tell(last, last.after, reader)]
