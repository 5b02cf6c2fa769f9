"""Standing orders of Le Haricot Magique: a turn played by plan, once its card is chosen."""

from dataclasses import replace

import pytest

import games
from games.contract.notation import read
from games.contract.orders import Lapse, drop_redundant
from games.contract.phrases import Phrase
from games.engine.bots import play_forced
from games.haricot_magique.actions import Choose, Roll, Stack
from games.haricot_magique.bot.player import choose
from games.haricot_magique.orders import ORDERS, PlaySoundly, suggest, suggest_beside

DEALER = games.Seeded(b"orders")


def opened(variant="base", seats=3):
    """A table whose cards are dealt: everybody is asked for a card of round 1."""
    table = games.open("haricot_magique", seats=seats, variant=variant)
    return play_forced(table, DEALER, 0)


def chosen(table, nth):
    """The same after everybody has chosen: the first player of the round is asked for the number of dice."""
    for ask in table.asks:
        table = table.says(ask.seat, str(ask.menu[-1]))
    return play_forced(table, DEALER, nth)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("play soundly in round 3", PlaySoundly(0, 3)),
        ("play soundly on at most 6 levels in round 3", PlaySoundly(6, 3)),
    ],
)
def test_an_order_and_its_line_mirror_each_other(line, order):
    assert str(order) == line
    assert read(line.upper(), ORDERS) == order


def test_a_card_is_never_chosen_by_an_order():
    table, _ = opened()
    assert PlaySoundly(0, 1).respond(table.view(0), table.ask(0)) is None


def test_the_turn_is_played_as_a_careful_player_would():
    table, nth = chosen(*opened())
    [ask] = table.asks
    order = PlaySoundly(0, 1)
    answers = []
    while table.asks and table.asks[0].seat == ask.seat and table.view(ask.seat).phase != "choosing":
        [now] = table.asks
        view = table.view(now.seat)
        answer = order.respond(view, now)
        assert answer == choose(view, now)
        answers.append(answer)
        table, nth = play_forced(table.says(now.seat, str(answer)), DEALER, nth)
    assert isinstance(answers[-1], Stack)


def test_an_order_waits_for_its_round_and_lapses_after_it():
    table, _ = chosen(*opened())
    [ask] = table.asks
    view = table.view(ask.seat)
    assert PlaySoundly(0, 2).respond(view, ask) is None
    assert PlaySoundly(0, 0).respond(view, ask) == Lapse(Phrase("round {round} is over", round=0))


def test_a_higher_stalk_than_named_is_left_to_the_player():
    table, _ = chosen(*opened())
    [ask] = table.asks
    view = table.view(ask.seat)
    assert len(view.stalk) == 1
    assert PlaySoundly(1, 1).respond(view, ask) is not None
    taller = replace(view, stalk=view.stalk * 2)
    assert PlaySoundly(1, 1).respond(taller, ask) is None


def test_a_card_goes_with_a_plan_for_its_turn():
    table, _ = opened()
    view = table.view(0)
    assert suggest_beside(view, Choose(view.hand[0])) == suggest(view) == (PlaySoundly(0, 1), PlaySoundly(6, 1))
    assert drop_redundant(suggest(view), [PlaySoundly(0, 1)], view) == []


def test_the_first_choice_of_a_turn_goes_with_a_plan_for_the_others():
    table, _ = chosen(*opened())
    [ask] = table.asks
    assert suggest_beside(table.view(ask.seat), Roll(1)) == (PlaySoundly(0, 1),)
    assert suggest_beside(table.view(ask.seat), Stack(())) == ()
    waiting = [seat for seat in range(3) if seat != ask.seat]
    assert all(suggest(table.view(seat)) for seat in waiting)  # their turns are to come
    assert suggest(table.view(None)) == ()
