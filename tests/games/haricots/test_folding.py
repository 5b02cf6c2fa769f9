"""Folding: a longest run is set aside, and each card left costs one."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.haricots.rules import DECK, cost_of_folding
from tests.games.haricots.tables import table


@pytest.mark.parametrize(
    ("hand", "cost"),
    [
        ((2, 3, 4, 4, 5, 5, 7, 8, 9), 5),  # the rulebook's examples
        ((5, 6, 7, 8), 0),
        ((6,), 0),
        ((6, 6), 1),
        ((4, 6), 1),
        ((12, 15), 1),  # the 15 has no neighbour
        ((11, 12, 15), 1),
        ((1, 2), 0),
        ((1, 12), 1),  # runs do not wrap around
        ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 0),
        ((1, 2, 7, 8), 2),
    ],
)
def test_folding_costs_one_for_each_card_outside_a_longest_run(hand, cost):
    assert cost_of_folding(hand) == cost


def runs(hand):
    """Yield every possible run, by trying all subsets."""
    values = sorted(set(hand))
    for size in range(1, len(values) + 1):
        for chosen in combinations(values, size):
            if size == 1 or (chosen[-1] - chosen[0] == size - 1 and chosen[-1] <= 12):
                yield chosen


@given(st.lists(st.sampled_from(sorted(set(DECK))), min_size=1, max_size=14))
def test_no_other_run_would_cost_less(hand):
    assert cost_of_folding(tuple(hand)) == len(hand) - max(map(len, runs(hand)))


def test_a_folding_seat_pays_shows_its_hand_and_leaves_the_round():
    after = table((4, 6, 6), (5, 5), (7, 7)).says(0, "fold").state
    assert after.tallies[0].paid == 2
    assert after.farmers[0].shown == (4, 6, 6)
    assert not after.farmers[0].inside
    assert after.seat == 1


def test_a_folded_seat_does_not_pay_again_at_the_end_of_the_round():
    folded = table((4, 6, 6), (5, 5), (7, 7)).says(0, "fold")
    after = folded.says(1, "play 5 5").state
    assert [tally.paid for tally in after.tallies] == [2, 0, 2]


def test_the_house_folds_only_if_nothing_else_is_possible():
    empty = ((), (), ())
    assert table((4, 6), (5,), (5,), to_beat=20, decks=empty).forced == ((0, "fold"),)
    assert table((4, 6), (5,), (5,), to_beat=20).forced == ()  # it could pass
    assert table((4, 6), (5,), (5,), to_beat=5, decks=empty).forced == ()  # it could play
    assert table((4, 6), (5,), (5,), to_beat=20, decks=empty, variant="basic").forced == ()  # would show the hand
