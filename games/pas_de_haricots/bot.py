"""A steady player of Pas de Haricots. It sees only a view and a question."""

from __future__ import annotations

from games.contract.asks import Ask
from games.contract.notation import Action
from games.contract.seats import Seat
from games.pas_de_haricots.actions import Play, Take
from games.pas_de_haricots.deck import RANK_ORDER
from games.pas_de_haricots.scoring import gain
from games.pas_de_haricots.view import View, card_on_table, collected_cards


def choose(view: View, ask: Ask) -> Action:
    if takes := [action for action in ask.menu if isinstance(action, Take)]:
        return max(takes, key=lambda take: worth_taking(view, ask.seat, take.seat))
    plays = [action for action in ask.menu if isinstance(action, Play)]
    return min(plays, key=lambda play: (worth_to_others(view, ask.seat, play.card), RANK_ORDER[play.card]))


def worth_taking(view: View, me: Seat, owner: Seat) -> tuple[int, int]:
    """Return what the card brings me; of equals, the one that would bring the others most comes first."""
    card = card_on_table(view, owner)
    return gain(collected_cards(view.seats[me]), card), worth_to_others(view, me, card)


def worth_to_others(view: View, me: Seat, card: str) -> int:
    """Return what a card brings all others together: nobody knows yet which of them will get it."""
    return sum(gain(collected_cards(other), card) for other in view.seats if other.seat != me)
