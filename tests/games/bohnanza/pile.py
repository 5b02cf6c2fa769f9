"""The cards that the dealer is asked to shuffle."""

from games.bohnanza.beans import SETTINGS, in_order
from games.bohnanza.state import Dealing, Drawing, State, TurningUp


def to_shuffle(state: State) -> tuple[str, ...]:
    match state:
        case Dealing(seats):
            return SETTINGS[seats].deck
        case TurningUp(layout) | Drawing(layout):
            return in_order(layout.discard)
    raise ValueError(f"Nothing is to be shuffled: {state}")
