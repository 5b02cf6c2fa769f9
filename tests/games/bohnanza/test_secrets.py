"""Places in a hand are secret, and so is whether one was named."""

import pytest

import games
from games.contract.asks import Step
from tests.games.bohnanza.tables import after, laid_out

MARKET = after(laid_out("wax red soy red", "blue green blue", "eye", "eye", pile="soy chili wax wax"),
               "A: plant wax in 1", "A: reveal")  # fmt: skip
ASKED = after(MARKET, "A: offer *soy for blue to B")
DUEL = after(laid_out("wax red soy red", "blue", pile="soy chili wax wax"), "A: plant wax in 1")


def make_step(table, seat, line):
    return Step(table.state, seat, table.read(seat, line), table.says(seat, line).state)


@pytest.mark.parametrize(
    ("table", "seat", "plain", "placed", "redacted"),
    [
        (MARKET, 0, "offer red for blue to B", "offer red@1 for blue to B", "offer red for blue to B"),
        (MARKET, 0, "offer red *soy for eye to C", "offer red@3 *soy for eye to C", "offer red *soy for eye to C"),
        (ASKED, 1, "accept 1", "accept 1 giving blue@3", "accept 1"),
        (ASKED, 1, "accept 1 giving blue", "accept 1 giving blue@1", "accept 1"),
        (DUEL, 0, "discard red", "discard red@3", "discard red"),
    ],
)
def test_others_cannot_tell_whether_a_place_was_named(table, seat, plain, placed, redacted):
    rules = table.rules
    for line in (plain, placed):
        step = make_step(table, seat, line)
        assert rules.secrecy.redact(step, step.after, seat) == line
        assert rules.may_verify(step, step.after, seat)
        for reader in (None, *range(table.seats)):
            if reader != seat:
                assert rules.secrecy.redact(step, step.after, reader) == redacted
                assert not rules.may_verify(step, step.after, reader)


@pytest.mark.parametrize(
    ("table", "seat", "line"),
    [
        (MARKET, 0, "offer *soy for blue to B"),
        (MARKET, 1, "offer nothing for *soy to A"),
        (ASKED, 1, "decline 1"),
        (laid_out("wax", "blue", pile="soy", offer="red"), 0, "discard red"),
    ],
)
def test_everybody_may_verify_a_line_that_cannot_name_a_place(table, seat, line):
    step = make_step(table, seat, line)
    assert all(table.rules.may_verify(step, step.after, reader) for reader in (None, *range(table.seats)))


def test_nobody_may_verify_a_shuffle():
    table = games.open("bohnanza", seats=3).says(games.DEALER, "start A")
    step = make_step(table, games.DEALER, games.Seeded(b"secret").answer(table, 1))
    assert not any(table.rules.may_verify(step, step.after, reader) for reader in (None, 0, 1, 2))
