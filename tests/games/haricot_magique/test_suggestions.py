"""Stacks prepared for a player, each with its risk."""

import pytest

from games.haricot_magique import HARICOT_MAGIQUE
from games.haricot_magique.actions import Aimed, Stack
from games.haricot_magique.bot import suggestions
from games.haricot_magique.bot.risk import chance_to_stand
from games.haricot_magique.steps.stacking import list_pieces
from tests.games.haricot_magique.tables import DEALER, A, B, C, chosen, table

LEANING = (  # three dice lean to the right, and A is to roll
    *chosen(3, 1, 2),
    *((B, "roll 1"), (DEALER, "roll extra"), (B, "enough"), (B, "stack extra@3"), (DEALER, "sway 0")),
    *((C, "roll 2"), (DEALER, "roll eye extra"), (C, "enough"), (C, "stack eye@6 extra@6"), (DEALER, "sway 0 0")),
    (A, "roll 3"),
)


def stacking(faces, *lines):
    now = table(*LEANING, (DEALER, f"roll {faces}"), *lines)
    return now.view(A), now.ask(A)


def ready(faces, *lines):
    return [str(answer) for answer in suggestions.ready_answers(*stacking(faces, *lines))]


def test_every_order_that_matters_has_a_button_at_the_centre_and_against_the_lean():
    assert ready("eye extra trunk", (A, "enough")) == [
        "stack eye extra trunk",
        "stack eye@6 extra@6 trunk@6",
        "stack eye trunk extra",
        "stack eye@6 trunk@6 extra@6",
        "stack trunk eye extra",
        "stack trunk@6 eye@6 extra@6",
    ]


def test_the_menu_stays_unchanged_unless_dice_are_stacked():
    now = table(*LEANING[:-1])
    assert suggestions.ready_answers(now.view(A), now.ask(A)) == now.ask(A).menu


def test_only_the_rolled_the_safest_and_the_bots_of_many_orders_have_a_button():
    more = [(A, "more 1"), (DEALER, "roll extra"), (A, "more 1"), (DEALER, "roll trunk")]
    view, ask = stacking("eye treasure extra", *more)
    offered = [answer.dice for answer in suggestions.ready_answers(view, ask)]
    orders = list(dict.fromkeys(tuple(die.face for die in dice) for dice in offered))
    assert orders[0] == view.dice
    assert len(orders) in (suggestions.MAX_READY_ORDERS, suggestions.MAX_READY_ORDERS + 1)
    chosen_by_bot = tuple(die.face for die in HARICOT_MAGIQUE.bot(view, ask).dice)
    keys = [suggestions.group_key(view, Stack(tuple(map(Aimed, order)))) for order in (*orders, chosen_by_bot)]
    assert keys[-1] in keys[:-1]
    at_the_centre = [stack.dice for stack in ask.menu]
    safest = min(suggestions.estimate_risk(view, dice) for dice in at_the_centre)
    assert min(suggestions.estimate_risk(view, dice) for dice in offered) <= safest


def test_the_risk_beside_a_stack_covers_everything_it_places():
    view, ask = stacking("treasure eye trunk")
    for stack in suggestions.ready_answers(view, ask):
        assert suggestions.estimate_risk(view, stack.dice) == 1 - chance_to_stand(
            view.stalk, list_pieces(view.stalk, A, stack.dice)
        )


@pytest.mark.parametrize("faces", ["treasure eye trunk", "treasure treasure trunk"])
def test_steering_against_the_lean_is_safer(faces):
    view, ask = stacking(faces)
    pairs = iter(suggestions.ready_answers(view, ask))
    for centre, steered in zip(pairs, pairs, strict=True):
        assert suggestions.estimate_risk(view, steered.dice) < suggestions.estimate_risk(view, centre.dice)


def test_a_button_says_whether_the_stack_reaches_the_castle():
    view, ask = stacking("trunk trunk trunk")
    assert [suggestions.reaches_castle(view, stack.dice) for stack in ask.menu] == [True]
    assert str(HARICOT_MAGIQUE.words.label(view, ask.menu[0])).startswith(
        "Stack trunk · trunk · trunk and reach the castle ("
    )
    assert (
        str(HARICOT_MAGIQUE.menus.find_place(view, ask.menu[0]).heading)
        == "Stack trunk · trunk · trunk and reach the castle"
    )
    view, ask = stacking("eye trunk treasure")
    assert not any(suggestions.reaches_castle(view, stack.dice) for stack in ask.menu)
