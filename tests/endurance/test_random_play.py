"""Long random play: every game, variant and number of seats ends, and replays to the same table.
`ENDURANCE` sets how many games of each kind: a few by default, 2,000 for a release.
"""

import os

import games
from games.engine.bots import play_to_end
from tests.games.test_properties import over_all_games, people

GAMES = int(os.environ.get("ENDURANCE", "10"))
MAX_LINES = 20_000  # far longer than any real game: one that gets here never ends


@over_all_games
def test_every_game_ends_and_replays_to_the_same_table(slug, seats, variant):
    for seed in range(GAMES):
        try:
            play(slug, seats, variant, seed)
        except Exception as trouble:
            trouble.add_note(f"It was game {seed} of {slug} ({variant}) for {seats}.")
            raise


def play(slug, seats, variant, seed):
    dealer = games.Seeded(f"endurance {seed}".encode())
    bots = [people(slug, seed * seats + seat) for seat in range(seats)]
    game = play_to_end(games.open(slug, seats=seats, variant=variant), dealer, bots, most=MAX_LINES)
    assert not game.asks
    assert game.result is not None
    assert games.replay(slug, seats, variant, game.lines) == game
    assert games.recall(games.remember(game)) == game


@over_all_games
def test_bots_alone_finish_a_game(slug, seats, variant):
    table = games.open(slug, seats=seats, variant=variant)
    assert play_to_end(table, games.Seeded(b"bots"), [table.rules.bot] * seats, most=MAX_LINES).result is not None


def test_a_game_without_an_end_is_detected():
    table = games.open("haricots", seats=3)
    assert play_to_end(table, games.Seeded(b"short"), [people("haricots", seat) for seat in range(3)], most=5).asks
