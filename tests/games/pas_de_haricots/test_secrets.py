"""Nobody learns a sealed card before all are in."""

import pytest

import games
from tests.games.pas_de_haricots.three import FIRST, LEAD, SECOND, A, B, C, describe, redact, step, table


def test_everybody_reads_the_lead():
    now = table(LEAD)
    assert {redact(step(LEAD), now, reader) for reader in (None, A, B, C)} == {"play 7S"}


def test_only_its_owner_reads_a_sealed_card():
    sealed, now = step(LEAD, FIRST), table(LEAD, FIRST)
    assert redact(sealed, now, B) == "play 3D"
    assert describe(sealed, now, B) == ["You chose 3D; it stays face down until all have chosen."]
    for reader in (None, A, C):
        assert redact(sealed, now, reader) == "play …"
        assert describe(sealed, now, reader) == ["B has chosen a card."]


def test_everybody_reads_a_sealed_card_once_all_are_in():
    sealed, now = step(LEAD, FIRST), table(LEAD, FIRST, SECOND)
    assert {redact(sealed, now, reader) for reader in (None, A, B, C)} == {"play 3D"}
    assert describe(sealed, now, A) == ["B played 3D."]
    assert describe(sealed, now, B) == ["You played 3D."]


def test_the_last_choice_reveals_all_cards():
    now = table(LEAD, FIRST, SECOND)
    shown = "the cards were revealed: B 3D · C KC."
    assert describe(step(LEAD, FIRST, SECOND), now, B) == [f"C chose last, and {shown}"]
    assert describe(step(LEAD, FIRST, SECOND), now, C) == [f"You chose last, and {shown}"]


@pytest.mark.parametrize("earlier", [(), (LEAD,), (LEAD, SECOND)])
def test_a_card_stays_sealed_until_the_cards_of_its_turn_are_revealed(earlier):
    sealed = step(LEAD, FIRST)
    for now in (table(*earlier), games.open("pas_de_haricots", seats=3)):
        assert redact(sealed, now, A) == "play …"
        assert describe(sealed, now, A) == ["B has chosen a card."]


def test_a_card_stays_revealed_in_later_turns():
    rest = ((A, "take B"), (B, "take C"), (C, "take A"), (C, "play 1C"), (B, "play 1D"))
    now = table(LEAD, FIRST, SECOND, *rest)
    assert redact(step(LEAD, FIRST), now, None) == "play 3D"
    assert redact(step(LEAD, FIRST, SECOND, *rest), now, None) == "play …"


def test_a_sealed_card_changes_nobody_elses_view():
    for reader in (None, A, C):
        assert table(LEAD, (B, "play 3D")).view(reader) == table(LEAD, (B, "play 0H")).view(reader)


def test_a_refusal_does_not_reveal_a_sealed_card():
    sealed = table(LEAD, FIRST)
    refusals = []
    for line in ("play 3D", "play 4D"):
        with pytest.raises(games.Illegal) as refusal:
            sealed.says(C, line)
        refusals.append(str(refusal.value).replace(line.split()[1], "…"))
    assert refusals == ["You don’t have … in your hand."] * 2
