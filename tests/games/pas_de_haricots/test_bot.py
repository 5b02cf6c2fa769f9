"""The bot is a fair opponent for a careful player."""

import games
from games.engine.bots import play_to_end, random_player

GAMES = 60
CLEARLY = 0.6  # share of games won; pure chance would give one in four


def test_the_bot_beats_three_random_players():
    won = 0
    for n in range(GAMES):
        table = games.open("pas_de_haricots", seats=4, variant="one")
        bots = [random_player(10 * n + seat) for seat in range(4)]
        bots[n % 4] = table.rules.bot
        result = play_to_end(table, games.Seeded(b"bots", [str(n)]), bots).result
        assert result is not None
        won += result.ranks[n % 4] == 1
    assert won / GAMES > CLEARLY


def test_the_bot_gives_the_same_answer_twice():
    table = games.open("pas_de_haricots", seats=3, variant="one")
    first, second = (play_to_end(table, games.Seeded(b"twice"), [table.rules.bot] * 3) for _ in range(2))
    assert first.lines == second.lines
