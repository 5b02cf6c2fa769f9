"""The pile, how it runs out, and how the discard pile becomes the next one."""

from __future__ import annotations

from dataclasses import replace

from games.bohnanza.beans import SETTINGS
from games.bohnanza.state import Beans, Layout
from games.cards import same_cards
from games.errors import Illegal


def take(layout: Layout, owed: int) -> tuple[Beans, int, Layout]:
    """Cards from the top, how many are still owed, and the table then. Taking the last card exhausts the pile."""
    taken, left = layout.pile[:owed], layout.pile[owed:]
    exhaustions = layout.exhaustions + (bool(taken) and not left)
    layout = Layout(layout.turn, layout.seat, layout.farmers, left, layout.discard, exhaustions, layout.out)
    return taken, owed - len(taken), layout


def runs_out_for_good(layout: Layout) -> bool:
    return layout.exhaustions >= SETTINGS[len(layout.farmers)].exhaustions


def must_shuffle(layout: Layout) -> bool:
    """After taking cards: whether the dealer is asked, also when nothing more is owed.

    With no discarded card either the draw is over; whoever needs a card next asks again.
    """
    return not layout.pile and bool(layout.discard) and not runs_out_for_good(layout)


def reshuffle(layout: Layout, cards: Beans) -> Layout:
    if not same_cards(cards, layout.discard):
        raise Illegal("A shuffle names each of the {count} cards of the discard pile once.", count=len(layout.discard))
    return replace(layout, pile=cards, discard=())


def nothing_left(layout: Layout, offer: Beans = ()) -> bool:
    """Whether no card is left to play with."""
    return not (layout.pile or layout.discard or offer or any(farmer.hand for farmer in layout.farmers))
