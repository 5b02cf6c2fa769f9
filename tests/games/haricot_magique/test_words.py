"""The texts of Le Haricot Magique."""

import pytest

from games.contract.asks import Step
from games.contract.game import Costly, Ruinous
from games.haricot_magique import HARICOT_MAGIQUE as GAME
from tests.games.haricot_magique.tables import DEALER, A, B, C, chosen, play_at_random, step, table


def describe(*lines, reader, variant="base"):
    last = step(*lines, variant=variant)
    return [str(phrase) for phrase in GAME.words.tell(last, last.after, reader)]


ROLLED = (*chosen(1, 2, 3), (A, "roll 1"), (DEALER, "roll treasure"))
STACKED = (*ROLLED, (A, "stack treasure@-2"))
STANDS = (*STACKED, (DEALER, "sway 0 0"))
BESIDE = (*STANDS, (B, "roll 2"), (DEALER, "roll eye extra"), (B, "enough"), (B, "stack eye@6 extra"))
THROWN = (*STANDS, (B, "axe 3 roll 2"))


@pytest.mark.parametrize(
    ("lines", "mine", "others"),
    [
        (ROLLED[:-1], "You decided to roll one die.", "A decided to roll one die."),
        (ROLLED, "You rolled treasure.", "A rolled treasure."),
        (STACKED, "You stacked treasure (2 mm left).", "A stacked treasure (2 mm left)."),
        (
            STANDS,
            "The stalk held, with 3 levels. You drew a bag of gold.",
            "The stalk held, with 3 levels. A drew a bag of gold.",
        ),
        (
            (*BESIDE, (DEALER, "sway 64 0")),
            "The stalk collapsed as B placed a die. You drew a bag of gold.",
            "The stalk collapsed as B placed a die. A drew a bag of gold.",
        ),
        ((*THROWN, (DEALER, "strike 5")), "The axe missed.", "The axe missed."),
        (
            (*THROWN, (DEALER, "strike 1")),
            "The axe hit the base: everything fell, and a new base was laid.",
            "The axe hit the base: everything fell, and a new base was laid.",
        ),
        (
            (*THROWN, (DEALER, "strike 2")),
            "The axe hit level 2: everything from there up fell.",
            "The axe hit level 2: everything from there up fell.",
        ),
    ],
)
def test_a_line_is_described_to_its_player_and_to_the_others(lines, mine, others):
    assert " ".join(describe(*lines, reader=A)) == mine
    assert " ".join(describe(*lines, reader=C)) == others
    assert " ".join(describe(*lines, reader=None)) == others


def test_everybody_is_told_that_the_giant_wakes():
    lines = (*STANDS, (B, "roll 2"), (DEALER, "roll eye eye"))
    assert describe(*lines, reader=B) == [
        "You rolled eye · eye.",
        "The giant woke up: only the eyes are stacked, and all other dice go back.",
    ]


def test_powers_are_described_to_the_players_they_affect():
    lines = (*STANDS, (A, "eye C"))
    texts = {reader: describe(*lines, reader=reader, variant="expert") for reader in (A, B, C)}
    assert texts == {
        A: ["You gave C the eye token: it counts as an extra eye."],
        B: ["A gave C the eye token: it counts as an extra eye."],
        C: ["A gave you the eye token: it counts as an extra eye in your turn."],
    }
    lines = (*lines, (B, "hide"), (C, "steal A"))
    assert describe(*lines, reader=A, variant="expert") == ["C stole a bag from you."]
    assert describe(*lines, reader=B, variant="expert") == ["C stole a bag from A."]
    assert describe(*lines, (DEALER, "bag 1"), reader=A, variant="expert") == ["It was your bag number 1."]


def test_the_end_of_a_round_names_the_new_holder_of_the_token():
    lines = (
        *STANDS,
        (A, "skip"),
        (B, "hide"),
        (C, "skip"),
        (C, "roll 3"),
        (DEALER, "roll eye eye extra"),
        (C, "stack eye eye"),
    )
    last = describe(*lines, (DEALER, "sway 0 0"), reader=C, variant="expert")
    assert last == ["The stalk held, with 5 levels.", "Round 1 is over, and you took the Haricot token."]


def test_questions_labels_and_defaults_have_texts():
    now = table(*STACKED[:-1])
    view, ask = now.view(A), now.ask(A)
    assert str(GAME.words.question(view, ask)) == "Stack your dice in any order and aim each one: treasure."
    assert str(GAME.words.label(view, ask.menu[0])) == "Stack treasure (chance of falling: under 1%)"
    assert str(GAME.words.otherwise(view, ask)) == "we stack your dice in the order rolled, aimed at the centre"


def test_long_menus_have_headings():
    now = table(*STANDS)
    throws = [GAME.menus.find_place(now.view(B), answer) for answer in now.ask(B).menu]
    assert [f and (str(f.heading), str(f.brief)) for f in throws[:2]] == [
        None,
        ("Throw the axe, then roll 2 dice", "Level 1"),
    ]
    now = table(*STANDS, (B, "roll 2"), (DEALER, "roll eye trunk"))
    stacks = [GAME.menus.find_place(now.view(B), answer) for answer in now.ask(B).menu]
    assert [(str(f.heading), str(f.brief)) for f in stacks if f] == [
        ("Stack eye · trunk", "all in the centre (chance of falling: under 1%)"),
        ("Stack trunk · eye", "all in the centre (chance of falling: about 8%)"),
    ]


@pytest.mark.parametrize(
    ("line", "brief"),
    [
        ("stack eye@-2 trunk@-2", "all 2 mm to the left (chance of falling: under 1%)"),
        ("stack eye@1 trunk@1", "all 1 mm to the right (chance of falling: about 1%)"),
        ("stack eye trunk@3", "aimed: eye · trunk (3 mm right) (chance of falling: about 6%)"),
    ],
)
def test_a_stack_shows_its_aim_and_its_risk(line, brief):
    now = table(*STANDS, (B, "roll 2"), (DEALER, "roll eye trunk"))
    assert str(GAME.menus.find_place(now.view(B), now.read(B, line)).brief) == brief


def test_a_stack_that_will_probably_fall_is_ruinous_and_a_risky_one_is_costly():
    now = table(*STANDS, (B, "roll 2"), (DEALER, "roll eye trunk"))
    aims = ("eye trunk", "eye trunk@6", "eye@6 trunk@-6")
    found = [GAME.menus.find_danger(now.view(B), now.read(B, f"stack {aim}")) for aim in aims]
    assert [type(danger) for danger in found] == [type(None), Costly, Ruinous]
    assert str(found[2].heading) == "Stacks that will probably fall"


def test_an_axe_thrown_at_a_bare_base_is_ruinous():
    now = table(*chosen(1, 2, 3))
    throws = [(answer, GAME.menus.find_danger(now.view(A), answer)) for answer in now.ask(A).menu]
    assert {type(answer).__name__: type(danger) for answer, danger in throws} == {"Roll": type(None), "Axe": Ruinous}


def test_stacks_that_build_the_same_stalk_are_equal():
    now = table(*STANDS, (B, "roll 2"), (DEALER, "roll eye extra"))
    keys = [GAME.menus.group_key(now.view(B), answer) for answer in now.ask(B).menu]
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_dice_that_were_not_rolled_are_named_without_a_risk():
    now = table(*STANDS, (B, "roll 2"), (DEALER, "roll eye trunk"))
    assert str(GAME.words.label(now.view(B), now.read(B, "stack eye eye"))) == "Stack eye · eye"


@pytest.mark.parametrize(("seats", "variant"), [(2, "base"), (4, "base"), (3, "expert"), (5, "expert")])
def test_every_text_is_a_whole_sentence_without_exclamation(seats, variant):
    for seed in range(2):
        was = None
        for now in play_at_random(seats, variant, seed):
            for reader in (None, *range(seats)):
                for text in sentences(was, now, reader):
                    assert text[0].isupper()
                    assert text.endswith(".")
                    assert "!" not in text
                    assert "{" not in text
            was = now


def sentences(was, now, reader):
    if was is not None:
        entry = now.lines[-1]
        last = Step(was.state, entry.seat, was.read(*entry), now.state)
        yield from map(str, GAME.words.tell(last, now.state, reader))
    ask = None if reader is None else now.ask(reader)
    if ask:
        view = now.view(reader)
        yield str(GAME.words.question(view, ask))
        yield "In time or " + str(GAME.words.otherwise(view, ask)) + "."
        for answer in GAME.menus.ready_answers(view, ask):
            label = str(GAME.words.label(view, answer))
            assert not label.endswith(".")
            yield label + "."
