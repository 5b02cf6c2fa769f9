"""The log as witnessed by inboxes: every line is sealed, and every seal chained to the one before.

    nonce  = HMAC-SHA-256(secret, "beanpost/nonce/1\\n" + seq)
    seal   = HMAC-SHA-256(nonce, entry)         entry = canonical JSON [seq, seat, line, origin, said_at]
    digest = SHA-256("beanpost/link/1\\n" + previous digest + seal)

A line is sealed before it is chained: a plain hash of `play 7S` would be guessed at once. The first previous
digest is that of the match's card. All are written as lower-case hexadecimal, and hashed as that text.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime

from games.chairs import Seat
from games.chance import canonical


@dataclass(frozen=True)
class Card:
    """What is known of a match before its first line."""

    match: str
    game: str
    edition: int
    variant: str
    seats: tuple[str, ...]  # who sits where, by the name they played under
    commitment: str
    words: tuple[str, ...]

    @property
    def digest(self) -> str:
        fields = [self.match, self.game, self.edition, self.variant, self.seats, self.commitment, self.words]
        return hashlib.sha256(canonical(fields)).hexdigest()


def nonce(secret: bytes, seq: int) -> str:
    return hmac.digest(secret, f"beanpost/nonce/1\n{seq}".encode(), "sha256").hex()


def seal(nonce: str, seq: int, seat: Seat, line: str, origin: str, said_at: str) -> str:
    return hmac.digest(bytes.fromhex(nonce), canonical([seq, seat, line, origin, said_at]), "sha256").hex()


def link(previous: str, seal: str) -> str:
    """The digest of a line: the head of the chain once it has been said."""
    return hashlib.sha256(f"beanpost/link/1\n{previous}{seal}".encode()).hexdigest()


def instant(moment: datetime) -> str:
    """A moment as it is sealed: UTC, whole seconds.

    >>> instant(datetime(2026, 12, 1, 18, 0, 7, 999, tzinfo=UTC))
    '2026-12-01T18:00:07Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
