"""The stored games: this test replays a few of each kind, `make replay-all` all of them."""

from dataclasses import replace

import pytest

import games
from games.haricots.state import Playing
from tools import corpus

KINDS = list(corpus.list_kinds())
SPRINT = next(kind for kind in KINDS if kind.variant == "sprint")
A_FEW = 2


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.file.name)
def test_stored_games_replay_unchanged(kind):
    stored = corpus.read_games(kind.file)
    assert len(stored) >= 50
    assert all(corpus.play_again(kind, nth, stored[nth]) for nth in range(A_FEW))


def test_playing_again_gives_the_stored_games():
    assert corpus.read_games(SPRINT.file)[:3] == [corpus.play_game(SPRINT, nth) for nth in range(3)]


@pytest.mark.parametrize(
    ("at", "line", "problem"),
    [
        (0, "A fold 99", "is refused"),
        (-1, "= 0/1 0/1 0/1 0", "ends as"),
    ],
)
def test_a_game_that_differs_is_named(at, line, problem):
    stored = list(corpus.read_games(SPRINT.file)[0])
    stored[at] = line
    with pytest.raises(corpus.Differs, match=rf"Haricots, sprint, edition 1: game 0 {problem}"):
        corpus.play_again(SPRINT, 0, stored)


def test_a_changed_rule_without_a_new_edition_is_noticed(monkeypatch):
    """Even a change that alters no result: an answer that was possible no longer is."""
    rules = games.get("haricots")
    changed = replace(
        rules, play=replace(rules.play, asks=lambda state: without_the_first_answer(rules.play.asks(state), state))
    )
    monkeypatch.setitem(games.GAMES, "haricots", changed)
    with pytest.raises(corpus.Differs, match="Haricots, advanced"):
        corpus.replay_all(1)


def without_the_first_answer(asks, state):
    return tuple(replace(ask, menu=ask.menu[1:]) for ask in asks) if isinstance(state, Playing) else asks
