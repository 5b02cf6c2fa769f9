"""The contents of the box."""

from collections import Counter

import pytest

from games.contract.boxes import load_box
from games.fagioli.rules import DECK, START_PILES, TOKENS


def test_there_are_52_cards_and_no_4():
    assert len(DECK) == 52
    assert Counter(DECK) == {1: 6, 2: 6, 3: 7, 5: 7, 6: 7, 7: 7, 8: 6, 9: 6}


def test_a_3_and_a_7_are_the_start_cards():
    assert [pile.start for pile in START_PILES] == [3, 7]


def test_more_players_have_more_tokens():
    assert TOKENS == {2: (2, 3, 3, 3, 4), 3: (2, 3, 3, 3, 4, 4), 4: (2, 2, 3, 3, 3, 4, 4)}


@pytest.mark.parametrize("tokens", TOKENS.values(), ids=str)
def test_the_tokens_are_sorted_with_the_mildest_first(tokens):
    assert list(tokens) == sorted(tokens)


@pytest.mark.parametrize("part", ["start", "beans"])
def test_assumed_facts_are_marked_with_a_reason(part):
    assert load_box("fagioli")[part]["assumed"] is True
    assert load_box("fagioli")[part]["reason"]
