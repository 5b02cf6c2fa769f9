"""Bags that change hands. Nobody sees what they hold before the end, so the garden itself is looked at."""

from games.haricot_magique import gold
from games.haricot_magique.state import Climber, Garden
from tests.games.haricot_magique.tables import A, B

ROWS = Garden("expert", A, (), (Climber((), (), False, bags=(10,)), Climber((), (), False, bags=(20, 15, 10))))


def test_a_stolen_bag_is_counted_in_the_order_received_and_goes_to_the_end_of_the_thiefs_row():
    robber, robbed = gold.steal(ROWS, A, B, 2).climbers
    assert robber.bags == (10, 15)
    assert robbed.bags == (20, 10)
