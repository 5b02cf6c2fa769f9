"""The cards that the dealer is asked to shuffle."""

from games.haricot_magique.gold import BAGS
from games.haricot_magique.rounds import CARDS
from games.haricot_magique.state import Filling, State


def to_shuffle(state: State) -> tuple[str, ...]:
    """Return the bags, or a seat's action cards: `shuffle A …` names the seat itself."""
    return tuple(map(str, BAGS if isinstance(state, Filling) else CARDS))
