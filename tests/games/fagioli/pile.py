"""The cards that the dealer is asked to shuffle."""

from games.fagioli.rules import DECK, cards_to_reshuffle
from games.fagioli.state import Reshuffling, State


def to_shuffle(state: State) -> tuple[str, ...]:
    """Return the whole deck, or the cards of both piles and those set aside, ascending."""
    cards = sorted(cards_to_reshuffle(state.market)) if isinstance(state, Reshuffling) else DECK
    return tuple(map(str, cards))
