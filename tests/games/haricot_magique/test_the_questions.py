"""The menus and defaults of each question."""

import re

import pytest

import games
from games.haricot_magique.menus import MAX_STACKS, list_stacks
from tests.games.haricot_magique.tables import DEALER, A, B, C, chosen, play_at_random, table

PILED_UP = (  # a stalk of six levels, and A is to roll three dice
    *chosen(3, 1, 2),
    *((B, "roll 1"), (DEALER, "roll extra"), (B, "enough"), (B, "stack extra"), (DEALER, "sway 0")),
    *((C, "roll 2"), (DEALER, "roll treasure trunk"), (C, "stack treasure trunk"), (DEALER, "sway 0 0 0 0")),
)
ORDER = ["hide", "steal", "bag", "dice", "strike", "roll", "spare", "extra", "eyes", "reroll", "stack", "sway", "eye"]


def menu(now, seat):
    return [str(answer) for answer in now.ask(seat).menu]


def test_every_seat_is_asked_for_a_card_at_the_same_time():
    now = table()
    assert [ask.seat for ask in now.asks] == [A, B, C]
    assert menu(now, A) == ["choose 1", "choose 2", "choose 3"]
    assert str(now.ask(A).default) == "choose 1"


def test_the_menu_lists_every_number_of_dice_and_every_axe_throw():
    now = table(*PILED_UP)
    assert menu(now, A) == ["roll 3", *(f"axe {level} roll 3" for level in range(1, 7))]
    assert str(now.ask(A).default) == "roll 3"
    assert not now.ask(A).free


def test_the_menu_lists_every_distinct_order_in_rolled_order():
    now = table(*PILED_UP, (A, "roll 3"), (DEALER, "roll eye treasure extra"), (A, "enough"))
    assert menu(now, A) == [
        "stack eye treasure extra",
        "stack eye extra treasure",
        "stack treasure eye extra",
        "stack treasure extra eye",
        "stack extra eye treasure",
        "stack extra treasure eye",
    ]
    assert now.ask(A).default == now.ask(A).menu[0]
    assert [kind.says for kind in now.ask(A).free] == ["stack {dice}"]


def test_the_menu_lists_the_first_sixty_of_many_orders():
    dice = ("extra", "treasure", "eye", "trunk", "treasure", "extra")
    row = list_stacks(dice)
    assert len(row) == len(set(row)) == MAX_STACKS == 60
    assert str(row[0]) == "stack extra treasure eye trunk treasure extra"
    assert str(row[1]) == "stack extra treasure eye trunk extra treasure"


def test_swapping_equal_dice_makes_no_new_order():
    assert [str(stack) for stack in list_stacks(("eye", "eye"))] == ["stack eye eye"]
    assert len(list_stacks(("trunk", "trunk", "trunk", "eye", "eye"))) == 10


def test_the_house_never_answers_a_stack():
    now = table(*chosen(1, 2, 3), (A, "roll 1"), (DEALER, "roll eye"))
    assert len(now.ask(A).menu) == 1
    assert now.forced == ()


def test_the_house_rolls_if_the_card_has_one_number_and_there_is_no_axe():
    assert table(*chosen(1, 2, 3)).forced == ()
    assert table(*chosen(1, 2, 3), variant="expert").forced == ((A, "roll 1"),)


def test_the_dealer_has_no_default():
    for now in play_at_random(4, "expert", 3):
        for ask in now.asks:
            assert (ask.default is None) == (ask.seat == DEALER)
            assert ask.seat == DEALER or ask.default in ask.menu


@pytest.mark.parametrize(
    ("lines", "seat", "line", "sentence"),
    [
        ((), A, "choose 4", "You don’t have card 4 in your hand."),
        (chosen(1, 2), A, "choose 2", "The table isn’t waiting for A. It’s waiting for C."),
        (PILED_UP, A, "roll 2", "With this card you can roll 3 dice."),
        (PILED_UP, A, "axe 3 roll 1", "With this card you can roll 3 dice."),
        (PILED_UP, A, "axe 7 roll 3", "The stalk doesn’t have a level 7."),
        (
            (*PILED_UP, (A, "roll 3"), (DEALER, "roll extra eye trunk")),
            A,
            "more 2",
            "You can roll up to 1 more dice.",
        ),
        (
            (*PILED_UP, (A, "roll 3"), (DEALER, "roll trunk eye trunk")),
            A,
            "stack trunk eye eye",
            "Stack all the dice, each one once: trunk eye trunk.",
        ),
        (
            (*PILED_UP, (A, "roll 3"), (DEALER, "roll trunk eye trunk")),
            A,
            "stack trunk eye trunk@9",
            "You can aim from -6 to 6.",
        ),
        ((*PILED_UP, (A, "axe 3 roll 3")), DEALER, "strike 6", None),
        ((*PILED_UP, (A, "roll 3")), DEALER, "roll eye", "Dice rolled: 3."),
        (
            (*PILED_UP, (A, "roll 3"), (DEALER, "roll eye eye eye"), (A, "stack eye eye eye")),
            DEALER,
            "sway 0 0",
            "Pieces placed: 3.",
        ),
        (
            (*PILED_UP, (A, "roll 3"), (DEALER, "roll eye eye eye"), (A, "stack eye eye eye")),
            DEALER,
            "sway 89 0 0",
            "A hand doesn’t tremble that much.",
        ),
    ],
)
def test_a_refusal_says_why(lines, seat, line, sentence):
    with pytest.raises(games.RulesError) as refusal:
        table(*lines).says(seat, line)
    assert sentence is None or str(refusal.value) == sentence


def test_a_thrown_axe_cannot_be_thrown_again():
    thrown = table(*PILED_UP, (A, "axe 6 roll 3"), (DEALER, "strike 6"))
    assert not thrown.view(A).seats[A].axe
    assert thrown.view(A).seats[B].axe


EXPERT = (*(*chosen(1, 2, 3), (A, "roll 1"), (DEALER, "roll treasure"), (A, "stack treasure"), (DEALER, "sway 0 0")),)


@pytest.mark.parametrize(
    ("lines", "seat", "line", "sentence"),
    [
        (chosen(1, 2, 3), A, "axe 1 roll 1", "You don’t have an axe to throw this turn."),
        (EXPERT, A, "eye A", "You can only give the eye token to a player who hasn’t played yet this round."),
        (
            (*EXPERT, (A, "skip"), (B, "hide")),
            C,
            "steal B",
            "You can only steal from a player with more bags than you.",
        ),
    ],
)
def test_a_refusal_in_the_expert_game_says_why(lines, seat, line, sentence):
    with pytest.raises(games.Illegal) as refusal:
        table(*lines, variant="expert").says(seat, line)
    assert str(refusal.value) == sentence


def test_a_shuffle_must_name_every_bag_and_the_right_seat():
    now = games.open("haricot_magique", seats=2).says(DEALER, "start B")
    with pytest.raises(games.Illegal) as refusal:
        now.says(DEALER, "shuffle 10 15 20")
    assert str(refusal.value) == "A shuffle must name each of the 30 bags once."
    now = now.says(DEALER, "shuffle " + " ".join(["20"] * 10 + ["15"] * 10 + ["10"] * 10))
    with pytest.raises(games.Illegal) as refusal:
        now.says(DEALER, "shuffle B 1 2 3 4 5 6 7")
    assert str(refusal.value) == "The cards to shuffle are A’s."
    with pytest.raises(games.Illegal) as refusal:
        now.says(DEALER, "shuffle A 1 2 3 4 5 6 6")
    assert str(refusal.value) == "A shuffle must name each of the 7 cards once."


def test_a_replay_refuses_a_line_of_another_phase():
    for seat, line in [(A, "choose 1"), (A, "hide"), (DEALER, "sway 0")]:
        with pytest.raises(games.Illegal):
            games.replay("haricot_magique", 3, "base", [(seat, line)])


def test_the_dealer_prepares_the_table_first():
    abouts = [ask.about for now in play_at_random(3, "base", 11) for ask in now.asks]
    assert abouts[:5] == ["first holder", "shuffle bags", "shuffle cards 1", "shuffle cards 2", "shuffle cards 3"]
    assert abouts[5:8] == ["round 1 card"] * 3


def test_questions_follow_the_order_of_a_turn():
    turns = {}
    for now in play_at_random(3, "expert", 11):
        for ask in now.asks:
            if found := re.match(r"(round \d turn \d) (\w+)", ask.about):
                turns.setdefault(found[1], []).append(found[2])
    for questions in turns.values():
        once = [question for question in questions if question not in ("roll", "spare", "extra")]  # these may repeat
        assert once == sorted(once, key=ORDER.index)
