"""Seals and digests: every line of the log is sealed, and every seal is chained to the one before.

Letters carry the digests, so that players' inboxes are witnesses of the log.

    nonce  = HMAC-SHA-256(secret, "beanpost/nonce/1\\n" + seq)
    seal   = HMAC-SHA-256(nonce, entry)         entry = canonical JSON [seq, seat, line, origin, said_at]
    digest = SHA-256("beanpost/link/1\\n" + previous digest + seal)

A line is sealed before it is chained because a plain hash of `play 7S` could be guessed at once. The first
"previous digest" is that of the match's card. All values are lower-case hexadecimal, and are hashed as that text.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime

from games.contract.dice import encode_canonical
from games.contract.seats import Seat


@dataclass(frozen=True)
class Card:
    """The facts of a match that are fixed before its first line."""

    match: str
    game: str
    edition: int
    variant: str
    seats: tuple[str, ...]  # the players' names by seat, as they were in this match
    commitment: str
    words: tuple[str, ...]

    @property
    def digest(self) -> str:
        fields = [self.match, self.game, self.edition, self.variant, self.seats, self.commitment, self.words]
        return hashlib.sha256(encode_canonical(fields)).hexdigest()


def compute_nonce(secret: bytes, seq: int) -> str:
    return hmac.digest(secret, f"beanpost/nonce/1\n{seq}".encode(), "sha256").hex()


def compute_seal(nonce: str, seq: int, seat: Seat, line: str, origin: str, said_at: str) -> str:
    return hmac.digest(bytes.fromhex(nonce), encode_canonical([seq, seat, line, origin, said_at]), "sha256").hex()


def chain_digest(previous: str, seal: str) -> str:
    """Return the digest of a line, which becomes the head of the chain."""
    return hashlib.sha256(f"beanpost/link/1\n{previous}{seal}".encode()).hexdigest()


def format_instant(moment: datetime) -> str:
    """Return a moment as it is sealed: UTC, whole seconds.

    >>> format_instant(datetime(2026, 12, 1, 18, 0, 7, 999, tzinfo=UTC))
    '2026-12-01T18:00:07Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
