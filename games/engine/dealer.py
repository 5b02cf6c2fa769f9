"""The dealer: answers the questions of chance, from a secret that is published later or from a script."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Any, Protocol

from games.contract.dice import Dice, encode_canonical
from games.engine.table import Table


class Dealer(Protocol):
    """The player of the seat of chance."""

    def answer(self, table: Table[Any, Any], nth: int) -> str: ...


class Seeded:
    """The dealer of a real match: every line follows from the secret and the players' words."""

    def __init__(self, secret: bytes, salts: Sequence[str] = ()) -> None:
        self._key = hmac.digest(secret, b"beanpost/dealer/1\n" + encode_canonical(list(salts)), "sha256")

    def answer(self, table: Table[Any, Any], nth: int) -> str:
        """Return the dealer's nth line, counted from 0."""
        return str(table.rules.play.chance(table.state, Dice(self._key, nth)))


class Scripted:
    """A dealer that says prepared lines, for tests and examples."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = tuple(lines)

    def answer(self, table: Table[Any, Any], nth: int) -> str:
        return self._lines[nth]
