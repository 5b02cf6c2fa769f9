"""The cards that the dealer is asked to shuffle."""

from games.haricot_magique.state import Filling, State
from games.haricot_magique.steps.gold import BAGS
from games.haricot_magique.steps.rounds import CARDS


def to_shuffle(state: State) -> tuple[str, ...]:
    """Return the bags, or a seat's action cards: `shuffle A …` names the seat itself."""
    return tuple(map(str, BAGS if isinstance(state, Filling) else CARDS))
