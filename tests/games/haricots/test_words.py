"""The texts of Haricots, and the secrets they keep."""

import pytest

import games
from games.haricots.state import Tally
from tests.games.haricots.tables import describe, table

HANDS = ((1, 4, 6, 6), (5, 5), (7, 7, 8))


@pytest.mark.parametrize(
    ("line", "mine", "theirs"),
    [
        ("play 6", ["You played 6."], ["A played 6."]),
        ("play 6 6", ["You played 6 6, worth 12."], ["A played 6 6, worth 12."]),
        ("pass", ["You passed and drew 8."], ["A passed and drew a card."]),
        ("fold", ["You folded, showing 1 4 6 6, and paid 3."], ["A folded, showing 1 4 6 6, and paid 3."]),
    ],
)
def test_a_line_is_described_to_its_player_and_to_the_others(line, mine, theirs):
    before = table(*HANDS)
    assert describe(before, 0, line, 0) == mine
    assert describe(before, 0, line, 1) == theirs
    assert describe(before, 0, line, None) == theirs


def test_a_mighty_bean_is_described_with_its_worth():
    assert describe(table(*HANDS, to_beat=15, leader=1, lying=(15,)), 0, "play 1", 2) == ["A played 1, worth 17."]


def test_dropping_out_does_not_reveal_the_hand():
    before = table(*HANDS, variant="basic", decks=((), (8,), (8,)))
    assert describe(before, 0, "pass", 0) == ["You’re out of this round."]
    assert describe(before, 0, "pass", 1) == ["A is out of this round."]


def test_a_cleared_table_is_described():
    before = table(*HANDS, to_beat=20, leader=1, lying=(10, 10))
    assert describe(before, 0, "pass", 1)[1:] == [
        "No one beat your cards. The table is cleared, and you can play anything."
    ]
    assert describe(before, 0, "pass", 2)[1:] == ["No one beat B’s cards, so the table was cleared."]


def test_the_end_of_a_round_tells_each_reader_what_they_pay():
    before = table((6, 6), (5,), (7, 7, 8))
    assert describe(before, 0, "play 6 6", 0) == ["You played 6 6, worth 12.", "You won round 1."]
    assert describe(before, 0, "play 6 6", 1)[1:] == ["A won round 1.", "You paid 1 for the card left in your hand."]
    assert describe(before, 0, "play 6 6", 2)[1:] == ["A won round 1.", "You paid 3 for the cards left in your hand."]
    assert describe(before, 0, "play 6 6", None)[1:] == ["A won round 1."]


def test_nobody_is_told_to_pay_in_the_basic_rules():
    assert describe(table((6, 6), (5,), (7,), variant="basic"), 0, "play 6 6", 1)[1:] == ["A won round 1."]


def test_the_end_of_the_game_is_described():
    assert describe(table((6, 6), (5,), (7,), variant="sprint"), 0, "play 6 6", None)[-1] == "The game is over."
    last = table((6, 6), (5,), (7,), variant="basic", tallies=(Tally((1,)), Tally(), Tally()), round=2)
    assert describe(last, 0, "play 6 6", 1)[-1] == "The game is over."


def test_the_dealers_lines_do_not_reveal_the_cards():
    before = games.open("haricots", seats=3)
    assert describe(before, games.DEALER, "start B", 1) == ["You go first."]
    assert describe(before, games.DEALER, "start B", None) == ["B goes first."]
    before = before.says(games.DEALER, "start B")
    shuffle = games.Seeded(b"").answer(before, 1)
    assert describe(before, games.DEALER, shuffle, 0) == ["A new round was dealt."]


@pytest.mark.parametrize(
    ("to_beat", "question"),
    [
        (0, "The table is empty: play anything you like."),
        (14, "Beat 14."),
        (15, "Beat 15. Small beans are mighty now: a 1 counts as 17 and a 2 as 16."),
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
        ("advanced", (8,), "we pass for you and you draw a card"),
        ("advanced", (), "we fold for you, because your deck is empty"),
        ("basic", (8,), "we pass for you and you draw a card"),
        ("basic", (), "we pass for you, and you’re out of this round because your deck is empty"),
    ],
)
def test_the_default_is_described_with_its_reason(variant, deck, otherwise):
    asked = table(*HANDS, variant=variant, decks=(deck,) * 3)
    assert str(asked.rules.words.otherwise(asked.view(0), asked.asks[0])) == otherwise


def test_leaving_the_round_is_costly_and_says_what_it_costs():
    def warn(table):
        find_danger, view = table.rules.menus.find_danger, table.view(0)
        return {str(move): str(danger.warning) for move in table.asks[0].menu if (danger := find_danger(view, move))}

    paying = "You’re out of this round and pay 2 for the cards outside your run."
    assert warn(table((1, 6, 6), (5,), (7,))) == {"fold": paying}
    assert warn(table((5, 6), (5,), (7,))) == {"fold": "You’re out of this round. It costs you nothing."}
    empty = table((1,), (5,), (7,), variant="basic", decks=((), (), ()))
    assert warn(empty) == {"pass": "Your deck is empty, so passing puts you out of this round."}
