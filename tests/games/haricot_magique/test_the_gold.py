"""Stolen bags. No view shows their values before the end, so this test reads the state."""

from games.haricot_magique.state import Climber, Garden
from games.haricot_magique.steps import gold
from tests.games.haricot_magique.tables import A, B

ROWS = Garden("expert", A, (), (Climber((), (), False, bags=(10,)), Climber((), (), False, bags=(20, 15, 10))))


def test_a_stolen_bag_is_counted_from_1_and_goes_to_the_end_of_the_thiefs_row():
    robber, robbed = gold.steal(ROWS, A, B, 2).climbers
    assert robber.bags == (10, 15)
    assert robbed.bags == (20, 10)
