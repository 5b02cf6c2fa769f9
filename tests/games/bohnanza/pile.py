"""The cards that the dealer is asked to shuffle."""

from games.bohnanza.beans import SETTINGS, sort_as_in_box
from games.bohnanza.state import Dealing, Drawing, State, TurningUp


def to_shuffle(state: State) -> tuple[str, ...]:
    match state:
        case Dealing(seats):
            return SETTINGS[seats].deck
        case TurningUp(layout) | Drawing(layout):
            return sort_as_in_box(layout.discard)
    raise ValueError(f"Nothing is to be shuffled: {state}")
