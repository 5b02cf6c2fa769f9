"""Standing orders of Pas de Haricots: preferences decide if they leave one card, and are silent otherwise."""

import pytest

import games
from games.contract.notation import read
from games.contract.orders import Lapse, consult
from games.contract.phrases import Phrase
from games.engine.table import Table
from games.pas_de_haricots.actions import Play, Take
from games.pas_de_haricots.orders import (
    PlayAndTake,
    PlayInRound,
    PlayInTurn,
    TakeInRound,
    TakeInTurn,
    suggest,
    suggest_beside,
)
from games.pas_de_haricots.state import Farmer, Leading, Sealing, Taking

RULES = games.get("pas_de_haricots")


def taking(*lying, collected=(), round=1, turn=2):
    """Return a table where A holds the bean and is asked to take; these cards are those of B, C, D …"""
    farmers = (Farmer(("1S", "2S"), collected), *(Farmer(("1H", "2H")),) * len(lying))
    state = Taking("three", round, turn, 0, (), farmers, ("3C", *lying), taker=0)
    return Table(RULES, len(farmers), "three", state)


def wish(line, table):
    order = read(line, RULES.orders.kinds)
    assert str(order) == line
    answer = order.respond(table.view(0), table.ask(0))
    return str(answer) if isinstance(answer, (Play, Take)) else answer


@pytest.mark.parametrize(
    ("wishes", "taken"),
    [
        ("highest S", "take B"),  # only simple cards are high or low; the king of spades is neither
        ("lowest S", "take C"),
        ("S", None),  # there are three spades
        ("H", "take E"),
        ("highest simple", "take B"),
        ("lowest simple", "take C"),
        ("simple", None),
        ("minus", "take E"),
        ("lowest minus", "take E"),
        ("KS", "take D"),
        ("from C", "take C"),
        ("0D", None),
        ("0D else D", None),
        ("D else minus", "take E"),
        ("S else lowest simple", "take C"),  # the lowest of the spades
        ("best", "take D"),
    ],
)
def test_a_preference_takes_a_card_if_it_leaves_only_one(wishes, taken):
    table = taking("9S", "4S", "KS", "QH", collected=("10S",))
    assert wish(f"take {wishes} in round 1 turn 2", table) == taken
    assert wish(f"take {wishes} in round 1", table) == taken


def test_the_best_card_depends_on_the_cards_collected():
    assert wish("take best in round 1", taking("9S", "QS", collected=("8S", "JS"))) == "take C"
    assert wish("take best in round 1", taking("9S", "QS", collected=("8S",))) == "take B"


def test_ties_are_left_to_the_next_preference():
    table = taking("7S", "7H", "1D")
    assert wish("take highest simple in round 1", table) is None
    assert wish("take best in round 1", table) is None
    assert wish("take best else H in round 1", table) == "take C"
    assert wish("take best else D in round 1", table) is None  # cards the first preference left out stay out
    assert wish("take best else first in round 1", table) == "take B"


@pytest.mark.parametrize("taker", [0, 1, 2])
def test_the_first_of_equals_is_the_card_that_the_clock_takes(taker):
    farmers = (Farmer(("1S", "2S")),) * 4
    lying = tuple(None if seat == taker else card for seat, card in enumerate(("7S", "7H", "7D", "3C")))
    table = Table(RULES, 4, "three", Taking("three", 1, 2, 3, (), farmers, lying, taker=taker))
    order = read("take best else first in round 1", RULES.orders.kinds)
    assert order.respond(table.view(taker), table.ask(taker)) == table.ask(taker).default


def test_minus_cards_are_ranked():
    table = taking("QS", "JH", "ND")
    assert wish("take lowest minus in round 1", table) == "take C"
    assert wish("take highest minus in round 1", table) == "take B"


def test_an_order_takes_neither_the_bean_card_nor_ones_own():
    table = taking("9S", "4S")
    assert wish("take 3C in round 1", table) is None
    assert wish("take from A in round 1", table) is None
    assert wish("take from F in round 1", table) is None


def test_an_order_to_take_does_not_play_and_an_order_to_play_does_not_take():
    leading = Table(RULES, 3, "three", Leading("three", 1, 2, 0, (), (Farmer(("1S", "5H", "KS")),) * 3))
    assert wish("take best in round 1", leading) is None
    assert wish("play S in round 1", taking("9S", "4S")) is None


@pytest.mark.parametrize(
    ("wishes", "played"),
    [
        ("lowest simple", "play 1S"),
        ("highest simple", "play 5H"),
        ("KS", "play KS"),
        ("S", None),
        ("9D else highest H", "play 5H"),
        ("minus else 1S", "play 1S"),
    ],
)
def test_a_preference_plays_a_card_open_or_face_down_if_it_leaves_only_one(wishes, played):
    farmers = (Farmer(("1S", "5H", "KS")),) * 3
    leading = Table(RULES, 3, "three", Leading("three", 1, 2, 0, (), farmers))
    sealing = Table(RULES, 3, "three", Sealing("three", 1, 2, 1, (), farmers, (None, "9S", None)))
    for table in (leading, sealing):
        assert wish(f"play {wishes} in round 1 turn 2", table) == played
        assert wish(f"play {wishes} in round 1", table) == played


def test_an_order_for_a_turn_waits_for_it_and_lapses_after_it():
    over = Lapse(Phrase("turn {turn} of round {round} is over", turn=2, round=1))
    assert wish("take best in round 1 turn 2", taking("9S", "4S", turn=1)) is None
    assert wish("take best in round 1 turn 2", taking("9S", "4S", turn=3)) == over
    assert wish("play S in round 1 turn 2", taking("9S", "4S", round=2, turn=1)) == over


def test_an_order_for_a_round_waits_for_it_and_lapses_after_it():
    over = Lapse(Phrase("round {round} is over", round=2))
    assert wish("take best in round 2", taking("9S", "4S", round=1)) is None
    assert wish("take best in round 2", taking("9S", "4S", round=3)) == over
    assert wish("play S in round 2", taking("9S", "4S", round=3)) == over


def test_an_order_for_a_turn_is_used_once():
    table = taking("9S", "4S")
    counsels = list(consult([TakeInTurn(("D",), 1, 2), TakeInTurn(("best",), 1, 2)], table.view(0), table.ask(0)))
    assert [counsel.order for counsel in counsels] == [1]
    assert counsels[0].answer == Take(1)
    assert counsels[0].lapse == Lapse(Phrase("it did its job"))


@pytest.mark.parametrize(
    "line",
    [
        "take in round 1",
        "take best",
        "take best else in round 1",
        "take highest K in round 1",
        "take highest from B in round 1",
        "play best in round 1",
        "play from B in round 1",
        "take 11S in round 1",
    ],
)
def test_a_malformed_preference_is_unreadable(line):
    with pytest.raises(games.Unreadable):
        read(line, RULES.orders.kinds)


def test_reading_ignores_case_and_spacing():
    assert str(read("  TAKE Highest s  ELSE kd else FROM b in ROUND 1 ", RULES.orders.kinds)) == (
        "take highest S else KD else from B in round 1"
    )


def chosen_already(turn, round=1):
    """Return the view of A, whose card of this turn is sealed; B leads and C has yet to choose."""
    farmers = (Farmer(("1S",) * (20 - turn)), Farmer(("2H",) * (20 - turn)), Farmer(("3H",) * (21 - turn)))
    return Table(RULES, 3, "three", Sealing("three", round, turn, 1, (), farmers, ("KS", "9S", None))).view(0)


def test_unwanted_is_the_card_that_brings_the_others_least_and_of_equals_the_lowest():
    farmers = (Farmer(("9S", "4H", "4D", "5C")), Farmer((), ("JS", "7S")), Farmer((), ("KS",)))
    table = Table(RULES, 3, "three", Leading("three", 1, 2, 0, (), farmers))
    assert wish("play unwanted in round 1", table) == "play 4H"  # the nine would lose B points, but C wins them twice
    farmers = (*farmers[:2], Farmer((), ("8H",)))
    table = Table(RULES, 3, "three", Leading("three", 1, 2, 0, (), farmers))
    assert wish("play unwanted in round 1", table) == "play 9S"


def test_wanted_is_the_card_that_brings_the_others_most():
    farmers = (Farmer(("1S",)), Farmer((), ("KH",)), Farmer((), ("KH",)))
    table = Table(RULES, 3, "three", Taking("three", 1, 2, 0, (), farmers, ("3C", "7S", "7H"), taker=0))
    assert wish("take best else wanted else first in round 1", table) == "take C"


def test_an_order_for_some_turns_plays_and_takes_in_each_of_them():
    line = "play unwanted and take best else first in round 1 turn 2 to 3"
    over = Lapse(Phrase("turn {turn} of round {round} is over", turn=3, round=1))
    leading = Table(RULES, 3, "three", Leading("three", 1, 3, 0, (), (Farmer(("1S", "5H", "KS")),) * 3))
    assert wish(line, taking("9S", "4S", turn=1)) is None
    assert wish(line, taking("9S", "4S", turn=2)) == "take B"
    assert wish(line, leading) == "play KS"
    assert wish(line, taking("9S", "4S", turn=4)) == over
    assert wish("play KS and take best in round 1 turn 2", taking("9S", "4S", turn=2)) == "take B"


def test_suggestions_are_for_the_next_take_and_after_choosing_for_the_next_card():
    farmers = (Farmer(("1S", "5H", "KS"), ("4D",)),) * 3
    sealing = Table(RULES, 3, "three", Sealing("three", 1, 18, 1, (), farmers, (None, "9S", None)))
    before = suggest(sealing.view(0))
    assert before == (
        TakeInTurn(("best", "wanted", "first"), 1, 2),
        TakeInTurn(("highest D", "best", "wanted", "first"), 1, 2),
        TakeInRound(("best", "wanted", "first"), 1),
    )
    chosen = sealing.says(0, "play KS")
    assert suggest(chosen.view(0))[0] == PlayAndTake(("unwanted",), ("best", "wanted", "first"), 1, 19, 20)
    assert suggest(chosen.view(0))[-1] == PlayInTurn(("1S",), 1, 19)
    assert not any(isinstance(order, (PlayAndTake, PlayInTurn, PlayInRound)) for order in before)
    assert suggest(chosen.view(None)) == ()


@pytest.mark.parametrize(
    ("turn", "round", "orders"),
    [
        (18, 1, ["in round 1 turn 19 to 20", "in round 1 turn 19"]),
        (19, 1, ["in round 1 turn 20"]),
        (20, 1, ["in round 2 turn 1 to 2", "in round 2 turn 1"]),
        (20, 3, []),  # no turn is left
    ],
)
def test_the_next_two_turns_are_prepared_with_one_press_across_rounds_too(turn, round, orders):
    prepared = [order for order in suggest(chosen_already(turn, round)) if isinstance(order, PlayAndTake)]
    assert [
        str(order).removeprefix("play unwanted and take best else wanted else first ") for order in prepared
    ] == orders


def test_a_wish_goes_along_with_the_card_and_the_next_turns_with_the_take():
    farmers = (Farmer(("1S", "5H", "KS")),) * 3
    sealing = Table(RULES, 3, "three", Sealing("three", 1, 18, 1, (), farmers, (None, "9S", None)))
    beside = suggest_beside(sealing.view(0), Play("5H"))
    assert list(map(str, beside)) == [
        "take best else wanted else first in round 1 turn 18",
        "take best in round 1 turn 18",
    ]
    beside = suggest_beside(taking("9S", "4S", turn=2).view(0), Take(1))
    assert str(beside[0]) == "play unwanted and take best else wanted else first in round 1 turn 3 to 4"
