"""The log: reading it, adding to it, and the memory that saves replaying it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import games
from beanpost.play.models import Event, Match, Vault
from games import house, witness
from games.chairs import DEALER, Seat
from games.rules import Step, Table, steps


class Said(NamedTuple):
    """A line about to enter the log."""

    seat: Seat
    line: str
    origin: str


def table(match: Match, vault: Vault) -> Table[Any, Any]:
    """The table as it stands: from memory where that is up to date, from the log otherwise."""
    if vault.memory and vault.remembered == match.length:
        try:
            return games.recall(vault.memory)
        except (games.RulesError, ValueError, KeyError, TypeError):
            pass  # written by another edition of us: the log is the truth
    return replayed(match)


def replayed(match: Match) -> Table[Any, Any]:
    lines = Event.objects.filter(match=match).order_by("seq").values_list("seat", "line")
    return games.replay(match.game, match.seats, match.variant, list(lines))


def append(match: Match, vault: Vault, said: Sequence[Said], table: Table[Any, Any], now: datetime) -> list[Event]:
    """Add lines to the log and remember the table they lead to. The caller holds the match's lock."""
    events = list(chained(match, bytes(vault.secret), said, now.replace(microsecond=0)))
    Event.objects.bulk_create(events)
    match.length, match.head = events[-1].seq, events[-1].digest
    match.dealt += sum(entry.seat == DEALER for entry in said)
    Match.objects.filter(pk=match.pk).update(length=match.length, head=match.head, dealt=match.dealt)
    vault.memory, vault.remembered = games.remember(table), match.length
    Vault.objects.filter(pk=vault.pk).update(memory=vault.memory, remembered=vault.remembered)
    return events


def chained(match: Match, secret: bytes, said: Sequence[Said], at: datetime) -> Iterator[Event]:
    head = match.head
    for seq, entry in enumerate(said, match.length + 1):
        seal = witness.seal(witness.nonce(secret, seq), seq, *entry, witness.instant(at))
        head = witness.link(head, seal)
        yield Event(match=match, seq=seq, **entry._asdict(), said_at=at, digest=head)


def standing(match: Match) -> list[tuple[Event, Step[Any]]]:
    """The moves that still stand, each with the state before and after it."""
    moves = house.standing(list(match.events.all()))
    opening = games.open(match.game, seats=match.seats, variant=match.variant)
    return list(zip(moves, steps(opening, [(move.seat, move.line) for move in moves]), strict=True))
