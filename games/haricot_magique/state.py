"""How a table of Le Haricot Magique stands. Phases are types: a field exists only where it means something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.chairs import Seat
from games.haricot_magique.actions import Aimed, Faces
from games.haricot_magique.stalk import BARE, Element, Stalk
from games.making import made_quickly

Cards: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Climber:
    """A seat and what lies before it."""

    hand: Cards  # action cards, lowest first
    deck: Cards  # its own pile of them, top card first
    axe: bool  # whether it can still be thrown
    played: Cards = ()  # the last one is this round's, once the cards are turned over
    bags: tuple[int, ...] = ()  # in the order received; nobody looks inside before the end


@dataclass(frozen=True, slots=True)
class Garden:
    """All that lasts from turn to turn."""

    variant: str
    holder: Seat  # of the Haricot token
    pile: tuple[int, ...]  # gold bags, top first
    climbers: tuple[Climber, ...]
    stalk: Stalk = BARE

    def around(self, stalk: Stalk) -> Garden:
        """The same garden around another stalk. Every turn asks for one, so it is not left to `replace`."""
        return Garden(self.variant, self.holder, self.pile, self.climbers, stalk)


@dataclass(frozen=True, slots=True)
class Round:
    """A round once the cards are turned over."""

    number: int
    order: tuple[Seat, ...]  # everybody, as they play
    turn: int = 1  # whose turn it is, counted along the order
    used: Cards = ()  # cards whose power somebody has used in this round
    eye: Seat | None = None  # before whom the eye token lies

    @property
    def seat(self) -> Seat:
        return self.order[self.turn - 1]

    @property
    def to_play(self) -> tuple[Seat, ...]:
        """Who comes after this turn."""
        return self.order[self.turn :]


# ── before the first round: the dealer's preparations ────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Starting:
    variant: str
    seats: int


@dataclass(frozen=True, slots=True)
class Filling:
    """The bags are to be shuffled."""

    variant: str
    seats: int
    holder: Seat


@dataclass(frozen=True, slots=True)
class Dealing:
    """The next seat's action cards are to be shuffled; the garden holds the climbers who have theirs."""

    garden: Garden
    seats: int


# ── a round ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Choosing:
    """Everybody seals a card."""

    garden: Garden
    number: int
    sealed: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Hiding:
    """Power 2: hide or not."""

    garden: Garden
    round: Round


@dataclass(frozen=True, slots=True)
class Stealing:
    """Power 3: from whom, if at all."""

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
    dice: Faces  # this turn's, in the order rolled
    count: int  # dice in the air
    roll: int  # counted from 1 in each turn


@dataclass(frozen=True, slots=True)
class Sparing:
    """Power 6: which die goes back before the roll counts, if any?"""

    garden: Garden
    round: Round
    dice: Faces
    fresh: int  # so many of the dice, from the end, are of the roll just made
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
    """The eyes are in the air again."""

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
    """The hand goes up, and the dealer says how it trembles."""

    garden: Garden
    round: Round
    dice: tuple[Aimed, ...]


@dataclass(frozen=True, slots=True)
class Winking:
    """Power 1: who gets the eye token, if anybody?"""

    garden: Garden
    round: Round


@dataclass(frozen=True, slots=True)
class Finished:
    garden: Garden
    number: int  # the round in which it ended


Chance: TypeAlias = Grabbing | Throwing | Rolling | Rerolling | Swaying  # the dealer speaks
Power: TypeAlias = Hiding | Stealing | Sparing | Squinting | Winking
Turn: TypeAlias = Chance | Power | Preparing | Extending | Stacking
State: TypeAlias = Starting | Filling | Dealing | Choosing | Turn | Finished
REMEMBERED = made_quickly(
    *(Element, Aimed, Climber, Garden, Round),
    *(Starting, Filling, Dealing, Choosing),
    *(Hiding, Stealing, Grabbing, Preparing, Throwing, Rolling, Sparing, Extending),
    *(Squinting, Rerolling, Stacking, Swaying, Winking, Finished),
)
