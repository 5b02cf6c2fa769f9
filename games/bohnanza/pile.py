"""The pile: drawing, exhaustion, and reshuffling the discard pile."""

from __future__ import annotations

from dataclasses import replace

from games.bohnanza.beans import SETTINGS
from games.bohnanza.state import Beans, Layout
from games.contract.cards import same_cards
from games.contract.errors import Illegal


def draw_cards(layout: Layout, owed: int) -> tuple[Beans, int, Layout]:
    """Take cards from the top. Return them, the number still owed, and the new layout. Taking the last card exhausts
    the pile.
    """
    taken, left = layout.pile[:owed], layout.pile[owed:]
    exhaustions = layout.exhaustions + (bool(taken) and not left)
    layout = Layout(layout.turn, layout.seat, layout.farmers, left, layout.discard, exhaustions, layout.out)
    return taken, owed - len(taken), layout


def runs_out_for_good(layout: Layout) -> bool:
    return layout.exhaustions >= SETTINGS[len(layout.farmers)].exhaustions


def must_shuffle(layout: Layout) -> bool:
    """Return whether the dealer must shuffle after cards were taken, even if nothing more is owed.

    If the discard pile is empty too, the draw is over, and the next draw checks again.
    """
    return not layout.pile and bool(layout.discard) and not runs_out_for_good(layout)


def reshuffle(layout: Layout, cards: Beans) -> Layout:
    if not same_cards(cards, layout.discard):
        raise Illegal("A shuffle must name each of the {count} discarded cards once.", count=len(layout.discard))
    return replace(layout, pile=cards, discard=())


def nothing_left(layout: Layout, offer: Beans = ()) -> bool:
    """Return whether no card is left to play with."""
    return not (layout.pile or layout.discard or offer or any(farmer.hand for farmer in layout.farmers))
