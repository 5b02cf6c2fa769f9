"""What can go wrong when somebody says something to a table.

    RulesError            anything a table or the shelf refuses
    ├── Unreadable        the line is no sentence of this game
    ├── NotAsked          the table is not waiting for this seat
    └── Illegal           a sentence of this game, but not now

Each holds a phrase: a whole sentence for a person, ready to be translated.
"""

from __future__ import annotations

from games.phrases import Phrase, Value


class RulesError(Exception):
    """A refusal, with the sentence that explains it."""

    def __init__(self, text: str, **values: Value) -> None:
        self.phrase = Phrase(text, **values)
        super().__init__(str(self.phrase))


class Unreadable(RulesError):
    """The line is no sentence of this game."""


class NotAsked(RulesError):
    """The table is not waiting for this seat."""


class Illegal(RulesError):
    """A sentence of this game that may not be said now."""
