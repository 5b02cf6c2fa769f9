"""The legal plays, their worth, and the reasons for refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.haricots.actions import Pass, Play
from games.haricots.rules import DECK, list_plays, worth
from tests.games.haricots.tables import table

HAND = (1, 1, 4, 6, 6, 12, 15)
hands = st.lists(st.sampled_from(sorted(set(DECK))), min_size=1, max_size=14).map(lambda cards: tuple(sorted(cards)))


def on_the_menu(*hands, **facts):
    return [str(action) for action in table(*hands, **facts).asks[0].menu]


def test_every_play_is_legal_on_an_empty_table():
    assert on_the_menu((4, 6, 6, 6), (5,), (5,)) == ["play 4", "play 6", "play 6 6", "play 6 6 6", "pass", "fold"]


def test_only_higher_plays_are_on_the_menu():
    assert on_the_menu(HAND, (5,), (5,), to_beat=11) == ["play 6 6", "play 12", "play 15", "pass", "fold"]


def test_small_beans_are_on_the_menu_when_mighty():
    assert on_the_menu(HAND, (5,), (5,), to_beat=15) == ["play 1", "play 1 1", "pass", "fold"]
    assert on_the_menu(HAND, (5,), (5,), to_beat=17) == ["play 1 1", "pass", "fold"]
    assert "play 1 1" not in on_the_menu(HAND, (5,), (5,), to_beat=14)


@pytest.mark.parametrize(
    ("cards", "to_beat", "value"),
    [((1,), 0, 1), ((1,), 14, 1), ((1,), 15, 17), ((2,), 15, 16), ((2, 2), 40, 32), ((1, 1, 1), 15, 51),
     ((5, 5, 5), 14, 15), ((5, 5, 5), 15, 15), ((15,), 0, 15)],
)  # fmt: skip
def test_cards_count_their_sum_and_small_beans_are_mighty_from_15(cards, to_beat, value):
    assert worth(cards, to_beat) == value


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 4 6", "Cards played together must all have the same value."),
        ("play 4 4", "You don’t have 4 4 in your hand."),
        ("play 13", "You don’t have 13 in your hand."),
        ("play 1 1", "1 1 is worth 2, which doesn’t beat 9."),
        ("play 4", "4 is worth 4, which doesn’t beat 9."),
    ],
)
def test_a_refused_play_says_why(line, reason):
    with pytest.raises(games.Illegal) as refusal:
        table(HAND, (5,), (5,), to_beat=9).says(0, line)
    assert str(refusal.value) == reason


def test_a_refused_pass_or_fold_says_why():
    empty = ((), (), ())
    with pytest.raises(games.Illegal, match="Your deck is empty, so you can only play or fold"):
        table(HAND, (5,), (5,), decks=empty).says(0, "pass")
    with pytest.raises(games.Illegal, match="You can’t fold in the basic game"):
        table(HAND, (5,), (5,), variant="basic").says(0, "fold")


def test_a_refusal_tells_another_seat_nothing_about_the_asked_hand():
    """A seat that is not asked gets the same refusal whatever it tries."""
    refusals = set()
    for line in ("play 5", "play 13", "pass", "fold"):
        with pytest.raises(games.NotAsked) as refusal:
            table(HAND, (5,), (5,)).says(1, line)
        refusals.add(str(refusal.value))
    assert len(refusals) == 1


@given(hands, st.integers(0, 60))
def test_the_menu_is_exactly_the_plays_that_beat_the_table(hand, to_beat):
    every = {(value,) * count for value in set(hand) for count in range(1, hand.count(value) + 1)}
    assert {play.cards for play in list_plays(hand, to_beat)} == {
        cards for cards in every if worth(cards, to_beat) > to_beat
    }


@given(hands, st.integers(0, 60), st.sampled_from(["advanced", "basic"]))
def test_a_play_leaves_the_rest_of_the_hand(hand, to_beat, variant):
    before = table(hand, (5, 5), (6, 6), variant=variant, to_beat=to_beat, leader=1, lying=(5,))
    for action in before.asks[0].menu:
        if isinstance(action, Play) and len(action.cards) < len(hand):
            after = before.says(0, str(action)).state
            assert sorted(after.farmers[0].hand + action.cards) == list(hand)
            assert (after.lying.cards, after.lying.leader, after.seat) == (action.cards, 0, 1)


def test_the_default_is_on_the_menu_and_passes_while_the_deck_lasts():
    [ask] = table(HAND, (5,), (5,)).asks
    assert ask.default == Pass()
    assert ask.default in ask.menu
