"""Gold: paying out bags. The pile may run out in the middle of any payment."""

from __future__ import annotations

from dataclasses import replace

from games.contract.boxes import load_box
from games.contract.cards import expand_counts, put
from games.contract.seats import Seat, clockwise
from games.haricot_magique.stalk import BARE, Stalk, count_tokens
from games.haricot_magique.state import Climber, Garden

BOX = load_box("haricot_magique")
BAGS: tuple[int, ...] = expand_counts({int(value): count for value, count in BOX["bags"].items()})
CASTLE_BONUS: int = BOX["castle_bonus"]
PAIR: int = BOX["pair"]
PAIR_BONUS: int = BOX["pair_bonus"]


def draw_bags(garden: Garden, seat: Seat, bags: int) -> Garden:
    """Draw this many bags from the top of the pile, or as many as there are."""
    if not bags:
        return garden
    climber = garden.climbers[seat]
    drawn = (*climber.bags, *garden.pile[:bags])
    paid = Climber(climber.hand, climber.deck, climber.axe, climber.played, drawn)
    climbers = put(garden.climbers, seat, paid)
    return Garden(garden.variant, garden.holder, garden.pile[bags:], climbers, garden.stalk)


def collapse(garden: Garden, fallen: Stalk, culprit: Seat) -> Garden:
    """Pay everyone but the culprit for their tokens, one bag each in turn; then start a new stalk."""
    others = clockwise(len(garden.climbers), after=culprit)
    due = {seat: count_tokens(fallen, seat) for seat in others}
    for nth in range(max(due.values())):
        for seat in others:
            garden = draw_bags(garden, seat, int(nth < due[seat]))
    return garden.with_stalk(BARE)


def reach_castle(garden: Garden, stalk: Stalk, seat: Seat) -> Garden:
    """Pay a bonus and a bag for each own token, nothing to the others; then take the stalk down."""
    return draw_bags(garden, seat, CASTLE_BONUS + count_tokens(stalk, seat)).with_stalk(BARE)


def steal(garden: Garden, thief: Seat, victim: Seat, place: int) -> Garden:
    """Move a bag, counted from 1 in the victim's row, to the end of the thief's."""
    robbed, robber = garden.climbers[victim], garden.climbers[thief]
    bag = robbed.bags[place - 1]
    left = (*robbed.bags[: place - 1], *robbed.bags[place:])
    climbers = put(garden.climbers, victim, replace(robbed, bags=left))
    climbers = put(climbers, thief, replace(robber, bags=(*robber.bags, bag)))
    return replace(garden, climbers=climbers)


def richer_seats(garden: Garden, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats with more bags. Only the count matters: nobody knows what the bags hold."""
    mine = len(garden.climbers[seat].bags)
    return tuple(other for other, climber in enumerate(garden.climbers) if len(climber.bags) > mine)


def count_gold(climber: Climber) -> int:
    return sum(climber.bags)
