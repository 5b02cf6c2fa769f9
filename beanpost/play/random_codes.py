"""Codes and seeds that nobody can guess."""

from __future__ import annotations

import secrets
from typing import TypeVar

T = TypeVar("T")


def make_code() -> str:
    """Return an unguessable code for a match, without hyphens: a command would read a leading one as an option."""
    return secrets.token_urlsafe(9).replace("-", "_")


def make_seed() -> str:
    """Return an unpredictable seed."""
    return secrets.token_hex(16)


def make_secret() -> bytes:
    """Return the secret from which a match's dealer draws."""
    return secrets.token_bytes(32)


def make_key() -> str:
    """Return a key that signs messages to another site."""
    return secrets.token_urlsafe(24)


def make_word() -> str:
    """Return a word for the shuffle, for a player who gave none."""
    return secrets.token_hex(4)


def draw(names: list[T], count: int) -> list[T]:
    """Return some of the names, at random."""
    return secrets.SystemRandom().sample(names, count)
