"""Bots see only a view and a question, and play clearly better than at random."""

import pytest

import games
from games.contract.asks import Ask
from games.engine.bots import measure_strength, play_to_end, random_player


def test_the_bot_of_haricots_wins_at_least_half_against_three_random_players():
    assert measure_strength("haricots", 4, "advanced", 60) >= 0.5


@pytest.mark.parametrize("variant", ["basic", "sprint"])
def test_the_bot_of_haricots_wins_at_least_half_in_every_variant(variant):
    assert measure_strength("haricots", 4, variant, 60) >= 0.5


def test_strength_is_the_same_every_time():
    assert measure_strength("haricots", 3, "sprint", 8) == measure_strength("haricots", 3, "sprint", 8)


def test_random_players_share_the_wins():
    """A random player in the bot's seat wins about its share: the measure itself favours nobody."""
    table = games.open("haricots", seats=4, variant="sprint")
    wins = [0, 0, 0, 0]
    for seed in range(200):
        bots = [random_player(4 * seed + seat) for seat in range(4)]
        result = play_to_end(table, games.Seeded(str(seed).encode()), bots).result
        assert result is not None
        wins[result.ranks.index(1)] += 1
    assert min(wins) > 30


def test_a_random_player_stays_silent_if_nobody_waits_for_it():
    assert random_player(1)(None, Ask(0, "market", free=())) is None


def test_a_random_player_without_ready_answers_plays_the_default():
    stop = games.get("haricots").vocabulary[3]()
    assert random_player(1)(None, Ask(0, "turn", default=stop)) == stop


def test_playing_on_stops_after_the_most_lines_allowed():
    table = games.open("haricots", seats=3)
    assert len(play_to_end(table, games.Seeded(b""), [table.rules.bot] * 3, most=5).lines) == 5


def test_the_default_is_played_if_everybody_stays_silent():
    table = games.open("haricots", seats=3)
    silent = play_to_end(table, games.Seeded(b""), [lambda view, ask: None] * 3)
    assert silent.lines == play_to_end(table, games.Seeded(b""), [lambda view, ask: ask.default] * 3).lines
