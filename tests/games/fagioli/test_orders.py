"""Standing orders of Fagioli: a prepared play, equal cards, and steady play during an absence."""

import pytest

import games
from games.contract.notation import read
from games.contract.orders import Lapse, consult, drop_redundant
from games.contract.phrases import Phrase
from games.fagioli.actions import Play
from games.fagioli.bursts import is_burst
from games.fagioli.orders import PlayEqual, PlayIf, PlaySoundly, PlaySteadily, suggest, suggest_beside
from games.fagioli.view import difference
from tests.games.fagioli.tables import laid_out

ORDERS = games.get("fagioli").orders.kinds
DRAW = (1, 2, 3, 5, 6, 7, 8, 9)


def opinion(order, *hand):
    """Return the opinion of A's order in the first turn, with a 3 on the left and a 7 on the right."""
    table = laid_out(hand, (1, 1, 1, 1), draw_pile=DRAW)
    return order.respond(table.view(0), table.ask(0))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("in turn 14 if right counts 7 play 5 plant 1 2", PlayIf(14, "right", 7, 5, plant=(1, 2))),
        ("in turn 3 if left counts 9 play 5 down plant 1 2 6", PlayIf(3, "left", 9, 5, True, (1, 2, 6))),
        ("in turn 3 if left counts 2 play 5", PlayIf(3, "left", 2, 5)),
        ("play equal until the hand has 2 cards", PlayEqual(2)),
        ("play steadily until turn 20", PlaySteadily(20)),
    ],
)
def test_an_order_and_its_line_mirror_each_other(line, order):
    assert str(order) == line
    assert read(line.upper(), ORDERS) == order


def test_a_prepared_play_is_made_if_the_pile_counts_that_much():
    order = PlayIf(1, "right", 7, 5, plant=(1, 2))
    assert opinion(order, 1, 2, 5, 9) == Play(5, "right", plant=(1, 2))
    assert opinion(PlayIf(1, "right", 8, 5, plant=(1, 2)), 1, 2, 5, 9) is None


def test_a_prepared_play_waits_for_its_turn_and_lapses_after_it():
    table = laid_out((1, 2, 5, 9), (1, 2, 5, 9), draw_pile=DRAW).says(0, "play 5 right plant 1 2")
    assert PlayIf(3, "left", 3, 5).respond(table.view(1), table.ask(1)) is None
    lapse = PlayIf(1, "left", 3, 5).respond(table.view(1), table.ask(1))
    assert lapse == Lapse(Phrase("turn {turn} is over", turn=1))


def test_a_prepared_play_lapses_if_it_is_no_longer_possible():
    table = laid_out((1, 2, 6, 9), (1, 1, 1, 1), draw_pile=DRAW)
    [counsel] = consult([PlayIf(1, "right", 7, 5, plant=(1, 2))], table.view(0), table.ask(0))
    assert counsel.answer is None
    assert counsel.lapse == Lapse(Phrase("that move is no longer possible"))


def test_playing_equal_needs_exactly_one_such_play():
    assert opinion(PlayEqual(2), 1, 5, 7, 9) == Play(7, "right")
    assert opinion(PlayEqual(2), 1, 5, 8, 9) is None
    assert opinion(PlayEqual(2), 1, 3, 7, 9) is None  # a 3 on the left or a 7 on the right: the player decides


def test_playing_equal_lapses_with_a_small_hand_and_never_plays_the_last_card():
    assert opinion(PlayEqual(3), 1, 5, 7) == Lapse(Phrase("your hand is down to {cards}", cards=3))
    assert isinstance(opinion(PlayEqual(0), 7), Lapse)


def test_steady_play_follows_the_default():
    table = laid_out((1, 2, 5, 9), (1, 1, 1, 1), draw_pile=DRAW)
    assert PlaySteadily(2).respond(table.view(0), table.ask(0)) == table.ask(0).default


def test_steady_play_ends_with_its_turn():
    assert opinion(PlaySteadily(1), 1, 2, 5, 9) == Lapse(Phrase("turn {turn} has started", turn=1))


def test_steady_play_never_bursts():
    table = laid_out((7, 1, 2, 5), (9, 1, 2, 5), (6, 6), draw_pile=DRAW)
    table = table.says(0, "play 7 left").says(1, "play 9 right")
    opinion = PlaySteadily(9).respond(table.view(2), table.ask(2))
    assert opinion == Lapse(Phrase("every play would burst"))


def test_suggestions_plant_most_on_each_pile_if_its_top_stays():
    table = laid_out((9, 9, 9, 9), (1, 2, 5, 9), draw_pile=DRAW)
    assert suggest(table.view(1)) == (
        PlaySoundly(2),
        PlayIf(2, "left", 3, 1, plant=(2, 5)),
        PlayIf(2, "right", 7, 5, plant=(1, 2)),
        PlayEqual(3),
        PlaySteadily(8),
    )


def test_the_active_seat_is_offered_the_most_promising_and_steady_play():
    table = laid_out((9, 9, 9, 9), (1, 2, 5, 9), draw_pile=DRAW)
    assert suggest(table.view(0)) == (PlaySoundly(3), PlaySteadily(9))
    assert suggest(table.view(None)) == ()


def test_the_most_promising_play_is_made_in_its_turn_unless_it_bursts():
    table = laid_out((1, 2, 5, 9), (9, 9, 9, 9), draw_pile=DRAW)
    view, ask = table.view(0), table.ask(0)
    play = PlaySoundly(1).respond(view, ask)
    assert play in ask.menu
    assert not is_burst(3, difference(view, play))
    assert PlaySoundly(3).respond(view, ask) is None
    assert PlaySoundly(0).respond(view, ask) == Lapse(Phrase("turn {turn} is over", turn=0))
    table = laid_out((7, 1, 2, 5), (9, 1, 2, 5), (6, 6), draw_pile=DRAW)
    table = table.says(0, "play 7 left").says(1, "play 9 right")
    assert PlaySoundly(3).respond(table.view(2), table.ask(2)) is None  # every play would burst


def test_the_most_promising_play_of_the_next_turn_goes_along_with_a_play_and_settles_all_others():
    view = laid_out((1, 2, 5, 9), (9, 9, 9, 9), draw_pile=DRAW).view(0)
    assert suggest_beside(view, Play(5, "left")) == (PlaySoundly(3),)
    assert drop_redundant(suggest(view), [PlaySoundly(3)], view) == []
