"""The cards that the dealer is asked to shuffle."""

from games.pas_de_haricots.deck import DECK
from games.pas_de_haricots.state import State


def to_shuffle(state: State) -> tuple[str, ...]:
    return DECK
