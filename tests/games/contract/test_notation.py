"""One move, one line: reading ignores case and extra spaces, and nothing else."""

import string
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.contract import house_lines
from games.contract.notation import (
    NUMBER,
    Action,
    Flag,
    Number,
    Numbers,
    SeatLetter,
    describe_form,
    one_of,
    read,
    several,
)


class Plant(Action):
    says = "plant {beans}[ in {field}][ {down}]"
    beans: Numbers
    field: Number = 0
    down: Flag = False


class Give(Action):
    says = "give {bean} to {seat}"
    bean: Annotated[str, one_of("kidney", "soy", "kidney bean")]
    seat: SeatLetter


class Pass(Action):
    says = "pass"


VOCABULARY = (Plant, Give, Pass)
HARICOTS = games.get("haricots").vocabulary

PAIRS = [
    (Plant((2, 3)), "plant 2 3"),
    (Plant((2,), field=4), "plant 2 in 4"),
    (Plant((2,), down=True), "plant 2 down"),
    (Plant((2, 0, 10), 1, True), "plant 2 0 10 in 1 down"),
    (Give("soy", 1), "give soy to B"),
    (Give("kidney bean", 6), "give kidney bean to G"),
    (Pass(), "pass"),
]


@pytest.mark.parametrize(("action", "line"), PAIRS, ids=[line for _, line in PAIRS])
def test_an_action_and_its_line_mirror_each_other(action, line):
    assert str(action) == line
    assert read(line, VOCABULARY) == action


@pytest.mark.parametrize("line", ["PASS", "  pass ", "Give  SOY\tto b", "plant 2\n3", "plant\u00a02 3 IN 4 Down"])
def test_reading_ignores_case_and_spacing(line):
    assert str(read(line, VOCABULARY)) == " ".join(line.split()).lower().replace("to b", "to B")


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "pass.",
        "pass pass",
        "p ass",
        "pas",
        "plant",
        "plant 2,3",
        "plant 02",
        "plant +2",
        "plant -2",
        "plant 2.0",
        "plant 2 in",
        "plant 12345",
        "plant ٢",  # Arabic-Indic two
        "plant ２",  # full-width two
        "plant ²",
        "give soy",
        "give soy to H",
        "give soy to A B",
        "give \u212aidney to A",  # the Kelvin sign is not K
        "pa\u017fs",  # the long s is not s
        "pass\x00",
        "pas\u200bs",
        "play 5\u0661",
        "pass\ud800",
    ],
)
def test_reading_forgives_nothing_else(line):
    with pytest.raises(games.Unreadable):
        read(line, VOCABULARY)


def test_the_error_for_an_unreadable_line_lists_the_possible_forms():
    with pytest.raises(games.Unreadable) as refusal:
        read("jump", VOCABULARY)
    assert str(refusal.value) == (
        "We don’t understand “jump”. Try: plant <beans>[ in <field>][ down] · give <bean> to <seat> · pass."
    )


def test_a_table_lists_what_this_seat_could_say_instead():
    table = games.open("haricots", seats=3, variant="basic").says(games.DEALER, "start A")
    with pytest.raises(games.Unreadable, match="Try: shuffle <cards>"):
        table.says(games.DEALER, "jump")
    table = table.says(games.DEALER, games.Seeded(b"").answer(table, 1))
    with pytest.raises(games.Unreadable, match="Try: play <cards> · pass"):
        table.says(0, "jump")


def test_a_flag_is_shown_as_its_own_word():
    assert describe_form(Plant) == "plant <beans>[ in <field>][ down]"


@pytest.mark.parametrize("junk", ["x" * 10_240, "play " + "6 " * 5_120, "\n" * 10_240, "play " * 2_048, "é" * 10_240])
def test_ten_kilobytes_of_junk_get_a_short_refusal(junk):
    with pytest.raises(games.Unreadable) as refusal:
        read(junk, HARICOTS)
    assert len(str(refusal.value)) < 250
    assert "\n" not in str(refusal.value)


def test_spaces_alone_do_not_make_a_line_too_long():
    assert read("play" + " " * 10_000 + "6", HARICOTS) == read("play 6", HARICOTS)


def test_braces_in_a_line_are_just_characters():
    with pytest.raises(games.Unreadable, match=r"{line} {0}"):
        read("{line} {0}", VOCABULARY)


def test_a_repr_can_be_pasted_back():
    action = Plant((2, 3), field=1)
    assert eval(repr(action)) == action


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    refused = 0
    for vocabulary in (VOCABULARY, HARICOTS, house_lines.VOCABULARY):
        try:
            action = read(text, vocabulary)
        except games.Unreadable:
            refused += 1
        else:
            assert read(str(action), vocabulary) == action
            assert str(action).lower() == " ".join(text.split()).lower()
    assert refused >= 1


words = st.sampled_from(["plant", "give", "pass", "to", "in", "down", "A", "b", "soy", "0", "7", "42", "07", "kidney"])


@given(st.lists(words, max_size=8).map(" ".join))
def test_any_sequence_of_known_words_reads_back_or_is_refused(text):
    try:
        action = read(text, VOCABULARY)
    except games.Unreadable:
        return
    assert read(str(action).upper(), VOCABULARY) == action


@given(st.lists(st.integers(0, 9_999), min_size=1, max_size=20), st.integers(0, 9_999), st.booleans())
def test_every_action_reads_back(beans, field, down):
    action = Plant(tuple(beans), field, down)
    assert read(str(action), VOCABULARY) == action


@given(st.sampled_from(PAIRS), st.sampled_from(string.punctuation), st.integers(0, 30))
def test_punctuation_is_refused(pair, mark, place):
    _, line = pair
    with pytest.raises(games.Unreadable):
        read(line[:place] + mark + line[place:], VOCABULARY)


def test_values_of_a_list_are_separated_by_single_spaces():
    kind = several(NUMBER)
    assert kind.read("4 6 6") == (4, 6, 6)
    assert kind.write((4, 6, 6)) == "4 6 6"
