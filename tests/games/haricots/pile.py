"""The cards that the dealer is asked to shuffle."""

from games.haricots.rules import DECK
from games.haricots.state import State


def to_shuffle(state: State) -> tuple[str, ...]:
    return tuple(map(str, DECK))
