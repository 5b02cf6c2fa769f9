"""The secrets that only the seat that played them may read."""

import pytest

import games
from games.fagioli import FAGIOLI
from games.fagioli.state import Farmer, Finished, Market, Pile
from games.fagioli.view import view
from tests.games.stage import Stage

SCRIPT = "fagioli standard A B\ndealer: start A\ndealer: shuffle 1 2 6 9  3 5 6 7  5 6 7 8 …"


def performed(*directions):
    stage = Stage("\n".join((SCRIPT, *directions)))
    stage.perform()
    return stage


def redact(stage, reader):
    return FAGIOLI.secrecy.redact(stage.last, stage.table.state, reader)


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        ("play 9 right", "play 9 right"),
        ("play 9 left down", "play ? left down"),
        ("play 6 right plant 2", "play 6 right plant ?"),
        ("play 9 right down plant 1 2 6", "play ? right down plant ? ? ?"),
        ("play 1 right", "play 1 right"),
    ],
)
def test_only_their_player_reads_hidden_cards(line, masked):
    stage = performed(f"A: {line}")
    assert redact(stage, 0) == line
    assert redact(stage, 1) == redact(stage, None) == masked


def test_two_hidden_plays_of_one_size_read_alike():
    first, second = performed("A: play 6 right plant 1"), performed("A: play 6 right plant 9")
    for reader in (1, None):
        assert redact(first, reader) == redact(second, reader)
        assert first.table.view(reader) == second.table.view(reader)


def test_nobody_reads_a_shuffle():
    stage = performed()
    assert {redact(stage, reader) for reader in (0, 1, None)} == {"shuffle …"}


def test_nobody_sees_a_covered_card():
    table = performed("A: play 9 left down", "B: play 3 left plant 6").table
    assert "9" not in str(games.plain(table.view(0).left))


def test_a_refusal_names_only_cards_the_asked_seat_sees():
    with pytest.raises(games.Illegal, match="You don’t have 3 in your hand"):
        performed("A: play 3 left")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 9 right plant 1", "isn’t lower than the top"),
        ("play 6 right", "exactly 1 of your cards"),
        ("play 6 right plant 1 2", "exactly 1 of your cards"),
        ("play 6 right plant 6", "don’t have 6 left"),
        ("play 1 right plant 2 6 9", "don’t have 6 cards to plant"),
    ],
)
def test_a_refusal_says_what_is_wrong(line, reason):
    with pytest.raises(games.Illegal, match=reason):
        performed(f"A: {line}")


def test_no_card_can_go_face_down_on_a_hidden_card():
    with pytest.raises(games.Illegal, match="wallet icon"):
        performed("A: play 9 left down", "B: play 7 left down")


def test_a_card_face_down_at_the_end_stays_hidden_in_views():
    """The replay of an ended match may show it; a view does not."""
    left = Pile(3, (9,), down=True, by=0)
    market = Market((left, Pile(7)), draw_pile=(), aside=(), tokens=())
    state = Finished(0, (Farmer((1,), (5, 5)), Farmer((2,), (), (2,))), market)
    assert [view(state, reader).left.card for reader in (0, 1, None)] == [9, None, None]
    assert [view(state, reader).seats[0].planted for reader in (0, 1, None)] == [2, 2, 2]
