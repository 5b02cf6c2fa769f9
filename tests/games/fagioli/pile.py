"""What the dealer is asked to shuffle."""

from games.fagioli.rules import DECK, to_reshuffle
from games.fagioli.state import Reshuffling, State


def to_shuffle(state: State) -> tuple[str, ...]:
    """The whole box, or what lies on both piles and aside; the lowest first."""
    cards = sorted(to_reshuffle(state.market)) if isinstance(state, Reshuffling) else DECK
    return tuple(map(str, cards))
