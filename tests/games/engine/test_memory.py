"""A table can be written as text and read back, without its log."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.contract.phrases import Phrase
from games.engine.table import Table
from games.haricots import HARICOTS
from games.haricots.state import Playing
from tests.games.exporter import Match


@pytest.fixture(scope="module")
def tables():
    return Match(variant="advanced").play().tables


def test_every_table_of_a_game_is_recalled_equal(tables):
    for table in tables:
        recalled = games.recall(games.remember(table))
        assert recalled == table
        assert type(recalled.state) is type(table.state)
        assert hash(recalled.state) == hash(table.state)  # fails if a list has slipped in


def test_a_recalled_table_goes_on_like_the_original(tables):
    before, after = next((a, b) for a, b in pairwise(tables[20:]) if isinstance(a.state, Playing))
    seat, line = after.lines[-1]
    assert games.recall(games.remember(before)).says(seat, line) == after


def test_a_memory_does_not_hold_the_log(tables):
    assert games.recall(games.remember(tables[9])).lines == ()


def test_a_memory_is_short(tables):
    assert max(len(games.remember(table)) for table in tables) < 1_500


def test_a_memory_of_an_unknown_edition_is_refused(tables):
    card = json.loads(games.remember(tables[9]))
    card[1] = 99
    with pytest.raises(games.RulesError, match="edition 99 of Haricots"):
        games.recall(json.dumps(card))


def test_a_memory_with_classes_of_another_edition_is_refused_for_its_edition():
    text = json.dumps(["haricots", 0, 3, "sprint", {"Sowing": [1, 2]}])
    with pytest.raises(games.RulesError, match="edition 0"):
        games.recall(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "junk",
        "null",
        "[]",
        "{}",
        '"haricots"',
        '["chess",1,3,"basic",null]',
        '[["haricots"],1,3,"basic",null]',
        '["haricots",1]',
        '["haricots",1,3,"basic",{"Sowing":[]}]',
        '["haricots",1,3,"basic",{"Choosing":["basic"]}]',
        '["haricots",1,3,"basic",{"Choosing":["basic",3],"Tally":[]}]',
        '["haricots",1,3,"basic",{"Choosing":7}]',
    ],
)
def test_junk_is_refused_with_a_rules_error(text):
    with pytest.raises(games.RulesError):
        games.recall(text)


def test_a_truncated_memory_is_refused_with_a_rules_error(tables):
    text = games.remember(tables[9])
    for end in range(0, len(text), 7):
        with pytest.raises(games.RulesError):
            games.recall(text[:end])


@given(st.recursive(st.none() | st.integers() | st.booleans() | st.text(max_size=3), st.lists, max_leaves=8))
def test_plain_values_stay_unchanged(value):
    assert games.plain(value) == value


def test_a_view_becomes_plain_values():
    view = games.plain(games.open("haricots", seats=3).view(0))
    assert view["seats"][2] == {
        "seat": 2,
        "cards": 0,
        "deck": 0,
        "inside": True,
        "shown": [],
        "chips": 0,
        "paid": None,
        "score": None,
    }
    assert json.loads(json.dumps(view)) == view


def test_phrases_and_actions_become_their_text():
    assert games.plain((Phrase("{who} passes.", who="A"), HARICOTS.vocabulary[3]())) == ["A passes.", "pass"]


def test_tables_of_different_variants_are_not_equal():
    table = games.open("haricots", seats=3)
    assert table != Table(table.rules, 3, "basic", table.state)
