"""The texts of Haricots, and the secrets they keep."""

import pytest

import games
from games.haricots.state import Tally
from tests.games.haricots.tables import table, told

HANDS = ((1, 4, 6, 6), (5, 5), (7, 7, 8))


@pytest.mark.parametrize(
    ("line", "mine", "theirs"),
    [
        ("play 6", ["You play 6."], ["A plays 6."]),
        ("play 6 6", ["You play 6 6, worth 12."], ["A plays 6 6, worth 12."]),
        ("pass", ["You pass and draw a card: 8."], ["A passes and draws a card."]),
        ("fold", ["You fold, showing 1 4 6 6, and pay 3."], ["A folds, showing 1 4 6 6, and pays 3."]),
    ],
)
def test_a_line_is_told_to_its_player_and_to_the_others(line, mine, theirs):
    before = table(*HANDS)
    assert told(before, 0, line, 0) == mine
    assert told(before, 0, line, 1) == theirs
    assert told(before, 0, line, None) == theirs


def test_a_mighty_bean_is_told_with_its_worth():
    assert told(table(*HANDS, to_beat=15, leader=1, lying=(15,)), 0, "play 1", 2) == ["A plays 1, worth 17."]


def test_dropping_out_does_not_reveal_the_hand():
    before = table(*HANDS, variant="basic", decks=((), (8,), (8,)))
    assert told(before, 0, "pass", 0) == ["You drop out of this round."]
    assert told(before, 0, "pass", 1) == ["A drops out of this round."]


def test_a_cleared_table_is_told():
    before = table(*HANDS, to_beat=20, leader=1, lying=(10, 10))
    assert told(before, 0, "pass", 1)[1:] == [
        "Nobody beat your cards: the table is cleared, and you may play anything."
    ]
    assert told(before, 0, "pass", 2)[1:] == ["Nobody beat the cards of B: the table is cleared."]


def test_the_end_of_a_round_tells_each_reader_what_they_pay():
    before = table((6, 6), (5,), (7, 7, 8))
    assert told(before, 0, "play 6 6", 0) == ["You play 6 6, worth 12.", "You win round 1."]
    assert told(before, 0, "play 6 6", 1)[1:] == ["A wins round 1.", "You pay 1 for the card left in your hand."]
    assert told(before, 0, "play 6 6", 2)[1:] == ["A wins round 1.", "You pay 3 for the cards left in your hand."]
    assert told(before, 0, "play 6 6", None)[1:] == ["A wins round 1."]


def test_nobody_is_told_to_pay_in_the_basic_rules():
    assert told(table((6, 6), (5,), (7,), variant="basic"), 0, "play 6 6", 1)[1:] == ["A wins round 1."]


def test_the_end_of_the_game_is_told():
    assert told(table((6, 6), (5,), (7,), variant="sprint"), 0, "play 6 6", None)[-1] == "The game is over."
    last = table((6, 6), (5,), (7,), variant="basic", tallies=(Tally((1,)), Tally(), Tally()), round=2)
    assert told(last, 0, "play 6 6", 1)[-1] == "The game is over."


def test_the_dealers_lines_do_not_reveal_the_cards():
    before = games.open("haricots", seats=3)
    assert told(before, games.DEALER, "start B", 1) == ["You begin."]
    assert told(before, games.DEALER, "start B", None) == ["B begins."]
    before = before.says(games.DEALER, "start B")
    shuffle = games.Seeded(b"").answer(before, 1)
    assert told(before, games.DEALER, shuffle, 0) == ["The cards are dealt for a new round."]


@pytest.mark.parametrize(
    ("to_beat", "question"),
    [
        (0, "The table is empty: you may play anything."),
        (14, "Beat 14."),
        (15, "Beat 15. Small beans are mighty now: a 1 counts 17, a 2 counts 16."),
    ],
)
def test_the_question_says_what_to_beat(to_beat, question):
    asked = table(*HANDS, to_beat=to_beat)
    assert str(asked.rules.words.question(asked.view(0), asked.asks[0])) == question


def labels(asked):
    return [str(asked.rules.words.label(asked.view(0), action)) for action in asked.asks[0].menu]


def test_a_button_says_what_it_does():
    assert labels(table((1, 6, 6), (5,), (7,))) == [
        "Play 1",
        "Play 6",
        "Play 6 6 (worth 12)",
        "Pass and draw a card",
        "Fold and pay 2",
    ]
    assert labels(table((1, 6), (5,), (7,), to_beat=15))[0] == "Play 1 (worth 17)"
    assert labels(table((1,), (5,), (7,), variant="basic", decks=((), (), ())))[-1] == "Pass and drop out of this round"


@pytest.mark.parametrize(
    ("variant", "deck", "otherwise"),
    [
        ("advanced", (8,), "you pass and draw a card, since your personal deck still holds some"),
        ("advanced", (), "you fold, since your personal deck is empty"),
        ("basic", (8,), "you pass and draw a card, since your personal deck still holds some"),
        ("basic", (), "you pass and drop out of this round, since your personal deck is empty"),
    ],
)
def test_the_default_is_told_with_its_reason(variant, deck, otherwise):
    asked = table(*HANDS, variant=variant, decks=(deck,) * 3)
    assert str(asked.rules.words.otherwise(asked.view(0), asked.asks[0])) == otherwise
