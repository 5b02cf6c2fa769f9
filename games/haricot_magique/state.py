"""The states of a table of Le Haricot Magique. Each phase is a type: a field exists only where it means something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.contract.seats import Seat
from games.haricot_magique.actions import Aimed, Faces
from games.haricot_magique.stalk import BARE, Element, Stalk

Cards: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Climber:
    """A seat and everything in front of it."""

    hand: Cards  # action cards, lowest first
    deck: Cards  # its own pile of action cards, top card first
    axe: bool  # whether it can still be thrown
    played: Cards = ()  # the last one is this round's, once the cards are revealed
    bags: tuple[int, ...] = ()  # in the order received; nobody looks inside before the end


@dataclass(frozen=True, slots=True)
class Garden:
    """Everything that lasts from turn to turn."""

    variant: str
    holder: Seat  # the holder of the Haricot token
    pile: tuple[int, ...]  # gold bags, top first
    climbers: tuple[Climber, ...]
    stalk: Stalk = BARE

    def with_stalk(self, stalk: Stalk) -> Garden:
        """Return the same garden with another stalk. Every turn calls this, and `replace` would be slower."""
        return Garden(self.variant, self.holder, self.pile, self.climbers, stalk)


@dataclass(frozen=True, slots=True)
class Round:
    """A round, once the cards are revealed."""

    number: int
    order: tuple[Seat, ...]  # all seats in the order of play
    turn: int = 1  # the active seat's position in the order, counted from 1
    used: Cards = ()  # cards whose power somebody has used in this round
    eye: Seat | None = None  # the seat that has the eye token

    @property
    def seat(self) -> Seat:
        return self.order[self.turn - 1]

    @property
    def to_play(self) -> tuple[Seat, ...]:
        """The seats that play after this turn."""
        return self.order[self.turn :]


# ── before the first round: the dealer's preparations ────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Starting:
    variant: str
    seats: int


@dataclass(frozen=True, slots=True)
class Filling:
    """The dealer shuffles the bags."""

    variant: str
    seats: int
    holder: Seat


@dataclass(frozen=True, slots=True)
class Dealing:
    """The dealer shuffles the next seat's action cards; the garden holds the climbers who have theirs."""

    garden: Garden
    seats: int


# ── a round ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Choosing:
    """Everybody chooses a card face down."""

    garden: Garden
    number: int
    sealed: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Hiding:
    """Power 2: hide or not?"""

    garden: Garden
    round: Round


@dataclass(frozen=True, slots=True)
class Stealing:
    """Power 3: from which seat, if any?"""

    garden: Garden
    round: Round


@dataclass(frozen=True, slots=True)
class Grabbing:
    """The dealer says which bag is stolen."""

    garden: Garden
    round: Round
    victim: Seat


@dataclass(frozen=True, slots=True)
class Preparing:
    """How many dice, and is the axe thrown first?"""

    garden: Garden
    round: Round


@dataclass(frozen=True, slots=True)
class Throwing:
    """The axe is in the air."""

    garden: Garden
    round: Round
    aim: int
    dice: int


@dataclass(frozen=True, slots=True)
class Rolling:
    garden: Garden
    round: Round
    dice: Faces  # this turn's dice, in the order rolled
    count: int  # dice in the air
    roll: int  # counted from 1 in each turn


@dataclass(frozen=True, slots=True)
class Sparing:
    """Power 6: which die goes back before the roll counts, if any?"""

    garden: Garden
    round: Round
    dice: Faces
    fresh: int  # the number of dice, from the end, that are of the roll just made
    roll: int


@dataclass(frozen=True, slots=True)
class Extending:
    """Roll extra dice?"""

    garden: Garden
    round: Round
    dice: Faces
    most: int
    roll: int


@dataclass(frozen=True, slots=True)
class Squinting:
    """Power 7: all dice are rolled, and some show an eye. Roll those again?"""

    garden: Garden
    round: Round
    dice: Faces


@dataclass(frozen=True, slots=True)
class Rerolling:
    """The eyes are rolled again."""

    garden: Garden
    round: Round
    dice: Faces


@dataclass(frozen=True, slots=True)
class Stacking:
    garden: Garden
    round: Round
    dice: Faces


@dataclass(frozen=True, slots=True)
class Swaying:
    """The dice are being placed: the dealer says how the hand trembles."""

    garden: Garden
    round: Round
    dice: tuple[Aimed, ...]


@dataclass(frozen=True, slots=True)
class Winking:
    """Power 1: which seat gets the eye token, if any?"""

    garden: Garden
    round: Round


@dataclass(frozen=True, slots=True)
class Finished:
    garden: Garden
    number: int  # the round in which it ended


Chance: TypeAlias = Grabbing | Throwing | Rolling | Rerolling | Swaying  # the dealer is asked
Power: TypeAlias = Hiding | Stealing | Sparing | Squinting | Winking
Turn: TypeAlias = Chance | Power | Preparing | Extending | Stacking
State: TypeAlias = Starting | Filling | Dealing | Choosing | Turn | Finished
REMEMBERED = (
    *(Element, Aimed, Climber, Garden, Round),
    *(Starting, Filling, Dealing, Choosing),
    *(Hiding, Stealing, Grabbing, Preparing, Throwing, Rolling, Sparing, Extending),
    *(Squinting, Rerolling, Stacking, Swaying, Winking, Finished),
)
