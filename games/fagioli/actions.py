"""The moves of Fagioli, as sentences."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from games.contract.notation import NUMBER, Action, Flag, Kind, Number, Numbers, SeatLetter, one_of, several

SIDES = ("left", "right")

Side: TypeAlias = Annotated[str, one_of(*SIDES)]
BEANS = several(NUMBER)
# Planted cards may be named in any order; the canonical line lists them ascending.
Beans: TypeAlias = Annotated[
    tuple[int, ...], Kind(BEANS.pattern, lambda text: tuple(sorted(BEANS.read(text))), BEANS.write)
]


class Start(Action):
    """The dealer: this seat takes the first turn."""

    says = "start {seat}"
    seat: SeatLetter


class Shuffle(Action):
    """The dealer: the draw pile in its new order, top card first; at the beginning, and at each reshuffle."""

    says = "shuffle {cards}"
    cards: Numbers


class Play(Action):
    """Play a card on the `left` or `right` pile, face up or `down`. A card that counts less than the top names the
    cards it plants.
    """

    says = "play {card} {pile}[ {down}][ plant {plant}]"
    card: Number
    pile: Side
    down: Flag = False
    plant: Beans = ()


VOCABULARY = (Start, Shuffle, Play)
