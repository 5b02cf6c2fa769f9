"""Nobody learns a sealed card, a shuffle or a bag's value too early."""

from itertools import pairwise

import pytest

import games
from games.contract.asks import Step
from games.haricot_magique import HARICOT_MAGIQUE as GAME
from tests.games.haricot_magique.tables import DEALER, A, B, C, chosen, play_at_random, step, table

SEALED = (B, "choose 3")
ROUND_1 = (
    *chosen(1, 1, 1),
    *(
        line
        for seat in (A, B, C)
        for line in [(seat, "roll 1"), (DEALER, "roll eye"), (seat, "stack eye"), (DEALER, "sway 0")]
    ),
)


def redact(last, now, reader):
    return GAME.secrecy.redact(last, now.state, reader)


def describe(last, now, reader):
    return [str(phrase) for phrase in GAME.words.tell(last, now.state, reader)]


def test_only_its_owner_reads_a_sealed_card():
    last, now = step(SEALED), table(SEALED)
    assert redact(last, now, B) == "choose 3"
    assert describe(last, now, B) == ["You chose card 3."]
    for reader in (None, A, C):
        assert redact(last, now, reader) == "choose …"
        assert describe(last, now, reader) == ["B has chosen a card."]


def test_everybody_reads_a_sealed_card_once_all_are_revealed():
    last, now = step(SEALED), table(SEALED, (A, "choose 1"), (C, "choose 2"))
    for reader in (None, A, B, C):
        assert redact(last, now, reader) == "choose 3"
    assert describe(last, now, A) == ["B chose card 3."]


def test_the_last_card_chosen_reveals_all_cards():
    lines = (SEALED, (A, "choose 1"), (C, "choose 2"))
    now = table(*lines)
    order = "The cards were revealed. The order of play is A 1 · C 2 · B 3."
    assert describe(step(*lines), now, A) == ["C chose card 2.", order]
    assert describe(step(*lines), now, C) == ["You chose card 2.", order]


@pytest.mark.parametrize("earlier", [(), ((A, "choose 2"),), (SEALED, (A, "choose 2"))])
def test_a_card_stays_sealed_until_the_cards_of_its_round_are_revealed(earlier):
    for now in (table(*earlier), games.open("haricot_magique", seats=3)):
        assert redact(step(SEALED), now, A) == "choose …"
        assert describe(step(SEALED), now, A) == ["B has chosen a card."]


def test_a_card_of_a_later_round_is_sealed_after_a_rewind():
    last = step(*ROUND_1, (B, "choose 3"))
    for lines in range(len(ROUND_1) + 1):
        assert redact(last, table(*ROUND_1[:lines]), A) == "choose …"
    assert redact(last, table(*ROUND_1, (A, "choose 2"), (B, "choose 3"), (C, "choose 2")), A) == "choose 3"


def test_nobody_reads_a_shuffle():
    for was, now in pairwise(play_at_random(3, "base", 2)):
        entry = now.lines[-1]
        if entry.line.startswith("shuffle"):
            last = Step(was.state, entry.seat, was.read(*entry), now.state)
            for reader in (None, A, B, C):
                assert redact(last, now, reader) in ("shuffle …", "shuffle A …", "shuffle B …", "shuffle C …")


def test_a_sealed_card_changes_nobody_elses_view():
    for reader in (None, A, C):
        assert table((B, "choose 1")).view(reader) == table((B, "choose 3")).view(reader)


def test_nobody_sees_the_value_of_a_bag_before_the_end():
    for now in play_at_random(4, "expert", 4):
        for reader in (None, *range(4)):
            view = now.view(reader)
            over = view.phase == "finished"
            assert all((neighbour.score is not None) == over for neighbour in view.seats)
            assert all(len(neighbour.opened) == (neighbour.bags if over else 0) for neighbour in view.seats)


def test_everybody_reads_all_other_lines_in_full():
    lines = (*chosen(1, 2, 3), (A, "roll 1"), (DEALER, "roll treasure"), (A, "stack treasure@2"), (DEALER, "sway 3 -4"))
    for n in range(4, len(lines) + 1):
        assert {redact(step(*lines[:n]), table(*lines), reader) for reader in (None, A, B, C)} == {lines[n - 1][1]}
