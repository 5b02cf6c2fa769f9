"""The chain of takers: the owner of the taken card takes next, and the bean card goes last.

Nobody can be left with their own card: each taker's own card is already gone, and the holder's is the bean card.
"""

from __future__ import annotations

from dataclasses import replace

from games.contract.cards import put
from games.contract.errors import Illegal
from games.contract.seats import Seat, clockwise
from games.pas_de_haricots.scoring import gain
from games.pas_de_haricots.state import Farmer, Taking


def takeable_seats(state: Taking) -> tuple[Seat, ...]:
    """Return the seats whose cards may be taken: the bean card only when it is the last one."""
    lying = [seat for seat, card in enumerate(state.lying) if card and seat != state.holder]
    return tuple(lying) or (state.holder,)


def take_card(state: Taking, owner: Seat) -> Taking:
    """Move the card to the taker's pile; its owner takes next."""
    farmer = state.farmers[state.taker]
    farmer = Farmer(farmer.hand, (*farmer.collected, card_played_by(state, owner)))
    return replace(
        state,
        farmers=put(state.farmers, state.taker, farmer),
        lying=put(state.lying, owner, None),
        taker=owner,
    )


def best_seat_to_take(state: Taking) -> Seat:
    """Return the seat whose card raises the taker's score most; of equals, the first clockwise from the taker."""
    collected = state.farmers[state.taker].collected
    allowed = takeable_seats(state)
    return max(
        (seat for seat in clockwise(len(state.lying), after=state.taker) if seat in allowed),
        key=lambda seat: gain(collected, card_played_by(state, seat)),
    )


def card_played_by(state: Taking, owner: Seat) -> str:
    card = state.lying[owner]
    if card is None:
        raise Illegal("That card has already been taken.")
    return card
