"""Restore the table of a match: from its cached state, or by replaying its log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import games
from beanpost.play.models import Event, Match, Vault
from games.contract.asks import Step
from games.contract.seats import Seat
from games.engine.table import Table, iter_steps, replay, select_standing_moves


def restore_table(match: Match, vault: Vault) -> Table[Any, Any]:
    """Return the current table: from the cached state if that is up to date, otherwise by replaying the log."""
    return recall_current_table(match, vault) or replay_log(match)


def recall_current_table(match: Match, vault: Vault) -> Table[Any, Any] | None:
    """Return the table of the cached state, unless it is out of date or another version of our code wrote it."""
    if not vault.memory or vault.remembered != match.length:
        return None
    try:
        return recall_table(vault.memory)
    except (games.RulesError, ValueError, KeyError, TypeError):
        return None


@lru_cache(maxsize=256)
def recall_table(memory: str) -> Table[Any, Any]:
    """Read a cached state. Kept in memory, since a player has usually just seen the page, which computed the asks."""
    return games.recall(memory)


def replay_log(match: Match, log: Sequence[Event] | None = None) -> Table[Any, Any]:
    """Replay the log: the rows given, or those in the database."""
    if log is None:
        return replay(open_table(match), match.events.order_by("seq").values_list("seat", "line"))
    return replay(open_table(match), [(event.seat, event.line) for event in log])


def open_table(match: Match) -> Table[Any, Any]:
    """Return the table before the first line, with the edition of the rules that the match began with."""
    return games.open(match.game, seats=match.seats, variant=match.variant, edition=match.edition)


def replay_standing_moves(match: Match, log: Sequence[Event]) -> list[tuple[Event, Step[Any]]]:
    """Return the moves that were not rewound, each with the state before and after it."""
    moves = select_standing_moves(log)
    lines = tuple((move.seat, move.line) for move in moves)
    return list(zip(moves, replay_lines(match.game, match.seats, match.variant, match.edition, lines), strict=True))


@lru_cache(maxsize=8)
def replay_lines(
    game: str, seats: int, variant: str, edition: int, lines: tuple[tuple[Seat, str], ...]
) -> tuple[Step[Any], ...]:
    """Play the lines. Cached, since the letters to all players of a match are composed one after the other."""
    return tuple(iter_steps(games.open(game, seats=seats, variant=variant, edition=edition), lines))
