"""The matches that are played, the goals for them, and the figures they give."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A game with a variant and a number of seats. Goals are those of planners, for the median match."""

    game: str
    variant: str
    seats: int
    days: float | None = None
    letters: float | None = None
    in_one_evening: bool = False

    def __str__(self) -> str:
        return f"{self.game} {self.variant} {self.seats}"


@dataclass(frozen=True)
class Figures:
    """The cost of one match. Letters and presses are those of an average player."""

    days: float
    stops: int
    letters: float
    told: float  # those of the letters that only acknowledge a move by reply
    presses: float


WITH_GOALS = (
    Kind("haricots", "advanced", 4, days=14, letters=20),
    Kind("haricots", "basic", 4, days=12, letters=20),
    Kind("haricots", "sprint", 4, days=4, letters=20, in_one_evening=True),
    Kind("bohnanza", "standard", 4, days=20, letters=30),
    Kind("bohnanza", "standard", 2, days=8, letters=30, in_one_evening=True),
    Kind("pas_de_haricots", "three", 4, days=15, letters=30),
    Kind("pas_de_haricots", "one", 4, days=5, letters=30),
    Kind("fagioli", "standard", 4, days=8, letters=8, in_one_evening=True),
    Kind("haricot_magique", "base", 4, days=8, letters=16),
    Kind("haricot_magique", "expert", 4, days=8, letters=16),
)
OTHER_SEATS = (
    Kind("haricots", "advanced", 3),
    Kind("haricots", "advanced", 5),
    Kind("haricots", "sprint", 3),
    Kind("haricots", "sprint", 5),
    Kind("bohnanza", "standard", 3),
    Kind("bohnanza", "standard", 5),
    Kind("pas_de_haricots", "three", 3),
    Kind("pas_de_haricots", "three", 5),
    Kind("pas_de_haricots", "one", 3),
    Kind("fagioli", "standard", 2),
    Kind("fagioli", "standard", 3),
    Kind("haricot_magique", "base", 2),
    Kind("haricot_magique", "base", 3),
    Kind("haricot_magique", "base", 5),
)
IN_CI = (
    Kind("haricots", "sprint", 4, days=4, letters=20, in_one_evening=True),
    Kind("bohnanza", "standard", 2, days=8, letters=30, in_one_evening=True),
    Kind("pas_de_haricots", "one", 4, days=5, letters=30),
    Kind("fagioli", "standard", 4, days=8, letters=8, in_one_evening=True),
    Kind("haricot_magique", "base", 2),
)
