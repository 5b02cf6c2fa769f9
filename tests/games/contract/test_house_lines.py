"""Lines of the house are in the log: a replay folds rewinds and skips the others."""

import pytest

import games
from games.contract import house_lines
from games.contract.asks import SaidLine
from games.contract.notation import read
from games.engine.table import replay, select_standing_moves
from tests.games.exporter import Match

HOUSE = games.HOUSE


def lines(log):
    """Return the moves that stand in a log where `<3` is a rewind to line 3."""
    said = [SaidLine(HOUSE, f"rewind to {word[1:]}") if word[0] == "<" else SaidLine(0, word) for word in log.split()]
    return " ".join(line.line for line in select_standing_moves(said))


@pytest.mark.parametrize(
    ("log", "standing"),
    [
        ("", ""),
        ("a b c", "a b c"),
        ("a b c <1", "a"),
        ("a b c <3", "a b c"),
        ("a b c <0", ""),
        ("a b <1 c", "a c"),
        ("a b c <1 d e <5 f", "a d f"),  # the second rewind goes back to after d
        ("a b c <1 d e <2 f", "a b f"),  # to before the first rewind: b stands again
        ("a b c <1 <4 d", "a d"),  # to the first rewind itself
        ("a b c <1 <3 d", "a b c d"),  # the second rewind takes back the first
        ("a <0 <1 <2 <3 b", "a b"),  # each rewind takes back the one before
        ("a b <1 c <2 <4 d", "a c d"),
    ],
)
def test_a_rewind_takes_back_the_lines_after_it(log, standing):
    assert lines(log) == standing


def test_two_thousand_rewinds_are_folded_quickly():
    log = "a " + " ".join(f"<{seq}" for seq in range(1, 2_000))
    assert lines(log) == "a"


@pytest.mark.parametrize("log", ["<1", "a <2", "a <3", "<9999"])
def test_a_rewind_must_go_to_an_earlier_line(log):
    with pytest.raises(games.Illegal, match="can only go back to an earlier line"):
        lines(log)


OTHERS = [
    "pause",
    "resume",
    "extend B to 2026-12-01T18:00Z",
    "seat B bot",
    "seat B person",
    "forfeit B",
    "adjudicate B A C",
    "annul",
]


@pytest.mark.parametrize("line", ["rewind to 41", "rewind to 123456", *OTHERS])
def test_every_line_of_the_house_reads_back(line):
    assert str(read(line, house_lines.VOCABULARY)) == line
    assert str(read(f" {line.upper()}", house_lines.VOCABULARY)) == line


@pytest.mark.parametrize(
    "line", ["rewind", "rewind to -1", "rewind to B", "seat B ghost", "extend B to tomorrow", "forfeit H", "annul A"]
)
def test_an_unknown_line_of_the_house_is_unreadable(line):
    with pytest.raises(games.Unreadable):
        read(line, house_lines.VOCABULARY)


@pytest.mark.parametrize("line", OTHERS)
def test_a_replay_skips_the_other_lines_of_the_house(line):
    match = Match(variant="sprint").play(8)
    moves = list(match.table.lines)
    log = [*moves[:4], SaidLine(HOUSE, line), *moves[4:]]
    assert games.replay("haricots", 3, "sprint", log) == match.table


def test_a_replay_folds_rewinds():
    match = Match(variant="sprint").play(6)
    then = games.replay("haricots", 3, "sprint", match.table.lines[:4])
    back = games.replay("haricots", 3, "sprint", [*match.table.lines, SaidLine(HOUSE, "rewind to 4")])
    assert back == then
    assert back != match.table


def test_a_replay_keeps_the_whole_log():
    match = Match(variant="sprint").play(4)
    log = (*match.table.lines, SaidLine(HOUSE, "rewind to 3"))
    assert games.replay("haricots", 3, "sprint", log).lines == log


def test_a_match_goes_on_after_a_rewind_that_was_taken_back():
    match = Match(variant="sprint").play(8)
    match.house("rewind to 5")
    match.house("rewind to 8")  # takes back the first rewind
    match.play()
    log = [SaidLine(seat, line) for seat, line, _ in match.log]
    assert games.replay("haricots", 3, "sprint", log) == match.table
    assert replay(games.open("haricots", seats=3, variant="sprint"), select_standing_moves(log)) == match.table


def test_the_house_has_no_seat_at_the_table():
    with pytest.raises(games.RulesError):
        games.open("haricots", seats=3).says(HOUSE, "annul")
