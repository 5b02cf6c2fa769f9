"""The chain of takers: whose card is taken takes next, and the bean card goes last.

Nobody can meet their own card: a taker's own is already gone, and the holder's is the bean card.
"""

from __future__ import annotations

from dataclasses import replace

from games.cards import put
from games.chairs import Seat, clockwise
from games.errors import Illegal
from games.pas_de_haricots.scoring import gain
from games.pas_de_haricots.state import Farmer, Taking


def may_be_taken(state: Taking) -> tuple[Seat, ...]:
    """Whose cards may be taken: any that still lies there, the bean card only when it is alone."""
    lying = [seat for seat, card in enumerate(state.lying) if card and seat != state.holder]
    return tuple(lying) or (state.holder,)


def take_card(state: Taking, owner: Seat) -> Taking:
    """The taker's pile grows by the card, and its owner is next."""
    farmer = state.farmers[state.taker]
    farmer = Farmer(farmer.hand, (*farmer.collected, card_of(state, owner)))
    return replace(
        state,
        farmers=put(state.farmers, state.taker, farmer),
        lying=put(state.lying, owner, None),
        taker=owner,
    )


def best_to_take(state: Taking) -> Seat:
    """Whose card raises the taker's score most; among equals the first seat clockwise from the taker."""
    collected = state.farmers[state.taker].collected
    allowed = may_be_taken(state)
    return max(
        (seat for seat in clockwise(len(state.lying), after=state.taker) if seat in allowed),
        key=lambda seat: gain(collected, card_of(state, seat)),
    )


def card_of(state: Taking, owner: Seat) -> str:
    card = state.lying[owner]
    if card is None:
        raise Illegal("That card has already been taken.")
    return card
