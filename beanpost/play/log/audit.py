"""Audit matches: replay their logs and compare the result with everything that is stored."""

from __future__ import annotations

from collections.abc import Iterator

import games
from beanpost.play.log import outcome, storage
from beanpost.play.models import Match, Vault, build_card
from games.contract.dice import compute_commitment
from games.contract.seats import DEALER, HOUSE
from games.engine.table import replay, select_standing_moves
from games.verification import witness


def find_differences(match: Match) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong with a match."""
    vault = Vault.objects.get(match=match)
    if compute_commitment(bytes(vault.secret)) != match.commitment:
        yield "The secret is not the one that was committed to."
    yield from check_digests(match, bytes(vault.secret))
    yield from check_moves(match, vault)


def check_digests(match: Match, secret: bytes) -> Iterator[str]:
    head = match.card_digest or build_card(match, list(match.places.all())).digest
    for seq, event in enumerate(match.events.all(), 1):
        said_at = witness.format_instant(event.said_at)
        seal = witness.compute_seal(
            witness.compute_nonce(secret, seq), seq, event.seat, event.line, event.origin, said_at
        )
        head = witness.chain_digest(head, seal)
        if (event.seq, event.digest) != (seq, head):
            yield f"Line {seq} does not have the digest it should have."
            return
    if match.length and match.head != head:
        yield "The head of the chain is not the digest of the last line."


def check_moves(match: Match, vault: Vault) -> Iterator[str]:
    """Replay every line with full checks: the dealer's against the secret, the others through the rules."""
    events = list(match.events.all())
    dealer = games.Seeded(bytes(vault.secret), [place.word for place in match.places.all()])
    table, dealt = storage.open_table(match), 0
    for n, event in enumerate(events):
        if event.seat == HOUSE:
            standing = [(move.seat, move.line) for move in select_standing_moves(events[: n + 1])]
            table = replay(storage.open_table(match), standing)
            continue
        if event.seat == DEALER:
            if dealer.answer(table, dealt) != event.line:
                yield f"Line {event.seq} is not what the dealer had to say."
            dealt += 1
        try:
            table = table.says(event.seat, event.line)
        except games.RulesError as refusal:
            yield f"Line {event.seq} cannot be said: {refusal}"
            return
    if dealt != match.dealt:
        yield f"The dealer spoke {dealt} times, not {match.dealt}."
    if storage.restore_table(match, vault) != table:
        yield "The memory is not the table that the log leads to."
    if not outcome.is_as_logged(match, table):
        yield "The match is not in the phase its log leads to."
