"""Append lines to the log with their digests, and restore a match's table from its cached state or its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

import games
from beanpost.play.models import Event, Match, Vault
from games.contract.asks import Step
from games.contract.seats import DEALER, Seat
from games.engine.table import Table, iter_steps, replay, select_standing_moves
from games.verification import witness


class NewLine(NamedTuple):
    """A line about to be appended to the log."""

    seat: Seat
    line: str
    origin: str


def append(
    match: Match, vault: Vault, lines: Sequence[NewLine], table: Table[Any, Any] | None, now: datetime
) -> list[Event]:
    """Append lines to the log and cache the state they lead to. The caller holds the match's lock.

    Without a table they are lines of the house, which leave the state as it is; they need no rules.
    """
    is_cached = vault.remembered == match.length
    events = list(chain_events(match, bytes(vault.secret), lines, now.replace(microsecond=0)))
    Event.objects.bulk_create(events)
    match.length, match.head = events[-1].seq, events[-1].digest
    match.dealt += sum(entry.seat == DEALER for entry in lines)
    match.save(update_fields=["length", "head", "dealt"])
    if table is not None:
        vault.memory = games.remember(table)
    if table is not None or is_cached:
        vault.remembered = match.length
        vault.save(update_fields=["memory", "remembered"])
    return events


def chain_events(match: Match, secret: bytes, lines: Sequence[NewLine], at: datetime) -> Iterator[Event]:
    head = match.head
    for seq, entry in enumerate(lines, match.length + 1):
        seal = witness.compute_seal(witness.compute_nonce(secret, seq), seq, *entry, witness.format_instant(at))
        head = witness.chain_digest(head, seal)
        yield Event(match=match, seq=seq, **entry._asdict(), said_at=at, digest=head, practice=match.practice)


# ── the table of a match ──


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


# Cached states are kept in memory, since a player has usually just seen the page, which computed the asks.
recall_table = lru_cache(maxsize=256)(games.recall)


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
