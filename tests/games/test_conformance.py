"""The checks that any game can be put to: a good one passes, and each broken promise is named."""

from dataclasses import replace
from pathlib import Path

import pytest

from games import conformance
from games.contract.asks import Ask
from games.contract.game import Rules

SIXTH = Path(__file__).parents[1] / "sixth_game"


@pytest.fixture
def race(monkeypatch):
    """A tiny game with one hidden card, in a package of its own."""
    monkeypatch.syspath_prepend(SIXTH)
    from race_to_ten import GAME  # noqa: PLC0415 (not installed: found by the line above)

    return GAME


def twin(state, seat, chance):
    if hasattr(state, "race"):
        return replace(state, race=twin(state.race, seat, chance))
    if not hasattr(state, "cards"):
        return state
    cards = (card and (card if n == seat else chance.randint(1, 6)) for n, card in enumerate(state.cards))
    return replace(state, cards=tuple(cards))


def changed(game, **rules):
    return replace(game, play=Rules(**{**vars(game.play), **rules}))


def test_a_good_game_passes(race):
    conformance.check(race, twin=twin, games=1)


def test_a_game_that_never_ends_is_found(race, monkeypatch):
    monkeypatch.setattr(conformance, "MAX_LINES", 100)

    def stand_still(state, seat, action):
        after = race.play.apply(state, seat, action)
        return replace(after, places=(0,) * len(after.places)) if hasattr(after, "turn") else after

    stuck = changed(race, apply=stand_still, result=lambda state: None)
    with pytest.raises(AssertionError, match="ends"):
        conformance.check(stuck, games=1)


def test_a_question_that_comes_twice_is_found(race):
    def asks(state):
        return tuple(replace(ask, about="again") if ask.seat >= 0 else ask for ask in race.play.asks(state))

    with pytest.raises(AssertionError, match="never comes twice"):
        conformance.check(changed(race, asks=asks), games=1)


def test_a_view_that_shows_another_seats_card_is_found(race):
    def view(state, me):
        seen = race.view(state, me)
        cards = getattr(getattr(state, "race", state), "cards", (0,))
        return replace(seen, card=cards[0])

    with pytest.raises(AssertionError, match="may not know"):
        conformance.check(replace(race, view=view), twin=twin, games=1)


def test_a_state_that_cannot_be_stored_is_found(race):
    with pytest.raises(Exception, match="can’t read this saved table"):
        conformance.check(replace(race, remembers=race.remembers[:1]), games=1)


def test_answers_with_the_same_label_are_found(race):
    words = replace(race.words, label=lambda view, action: race.words.question(view, Ask(0, "")))
    with pytest.raises(AssertionError, match="called alike"):
        conformance.check(replace(race, words=words), games=1)


def test_walks_are_for_checks_of_ones_own(race):
    assert all(walk for walk in conformance.random_walks(race))
