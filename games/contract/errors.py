"""Errors raised when a seat says something to a table.

    RulesError            anything a table or the catalogue refuses
    ├── NotInstalled      the catalogue has no such game, or not this edition of it
    ├── Unreadable        the line does not parse as a move of this game
    ├── NotAsked          the table is not waiting for this seat
    └── Illegal           a move of this game, but not allowed now

Each carries a phrase: a whole, translatable sentence for a person.
"""

from __future__ import annotations

from games.contract.phrases import Phrase, Value


class RulesError(Exception):
    """A refusal, with a sentence that explains it."""

    def __init__(self, text: str, **values: Value) -> None:
        self.phrase = Phrase(text, **values)
        super().__init__(str(self.phrase))


class NotInstalled(RulesError):
    """The catalogue has no such game, or not this edition of it. The clocks of its matches stop."""


class Unreadable(RulesError):
    """The line does not parse as a move of this game."""


class NotAsked(RulesError):
    """The table is not waiting for this seat."""


class Illegal(RulesError):
    """A move of this game that is not allowed now."""
