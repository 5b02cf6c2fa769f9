"""Dice: the numbers behind the dealer's lines, computed so that anybody can check them.

`docs/fairness.md` describes this for re-implementation, with test vectors.

    commitment = SHA-256("beanpost/commitment/1\\n" + secret)
    key        = HMAC-SHA-256(secret, "beanpost/dealer/1\\n" + JSON list of the words in seat order)
    block i    = HMAC-SHA-256(key, "{nth}\\n{i}"),   nth = dealer's lines logged before this one, i = 0, 1, …
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Any, TypeVar

T = TypeVar("T")
NUMBER_RANGE = 2**64  # a block of 32 bytes holds four numbers below this, big-endian
FOUR_NUMBERS = struct.Struct(">4Q")


def encode_canonical(value: Any) -> bytes:
    """Return the one JSON encoding of a value that is hashed."""
    return CANONICAL_JSON.encode(value).encode()


CANONICAL_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def compute_commitment(secret: bytes) -> str:
    """Return the hash of a secret, published before the players add their words."""
    return hashlib.sha256(b"beanpost/commitment/1\n" + secret).hexdigest()


class Dice:
    """Fair random numbers for one line of the dealer."""

    def __init__(self, key: bytes, nth: int) -> None:
        self._numbers = _numbers(key, nth)

    def below(self, count: int) -> int:
        """Return a number from 0 to count - 1, all equally likely."""
        fair = NUMBER_RANGE - NUMBER_RANGE % count  # numbers from here on would favour low results
        number = next(self._numbers)
        while number >= fair:
            number = next(self._numbers)
        return number % count

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Shuffle by Fisher–Yates, from the last place."""
        row = list(items)
        for last in range(len(row) - 1, 0, -1):
            other = self.below(last + 1)
            row[last], row[other] = row[other], row[last]
        return tuple(row)


def _numbers(key: bytes, nth: int) -> Iterator[int]:
    blocks = (hmac.digest(key, f"{nth}\n{i}".encode(), "sha256") for i in count())
    return chain.from_iterable(map(FOUR_NUMBERS.unpack, blocks))
