"""Why a move was not played. Each error has its own page; a move that the rules refuse is a games.RulesError instead.

Unplayed
├── NotRunning       the match has not begun, or is over
├── NotYours         the seat's links were renewed, or somebody else sits there now
├── AlreadyPlayed    the player has answered this question, with this line or another
└── TooLate          time was up and the default was played, or the question has passed
"""

from __future__ import annotations

from beanpost.play.models import Event, Match


class Unplayed(Exception):
    """Nothing was changed."""


class NotRunning(Unplayed):
    def __init__(self, match: Match) -> None:
        super().__init__(match.phase)
        self.match = match


class NotYours(Unplayed):
    pass


class AlreadyPlayed(Unplayed):
    def __init__(self, event: Event) -> None:
        super().__init__(str(event))
        self.event = event


class TooLate(Unplayed):
    def __init__(self, event: Event | None) -> None:
        super().__init__(str(event))
        self.event = event  # the line that was played instead, if any
