"""Append lines to the log with their digests, and store the cached state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import games
from beanpost.play.models import Event, Match, Vault
from games.contract.seats import DEALER, Seat
from games.engine.table import Table
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
