"""The bot is a fair opponent for a careful player."""

import random

import games
from games.engine.bots import play_to_end
from games.haricot_magique.actions import Choose, Roll
from games.haricot_magique.bot.player import choose
from tests.games.haricot_magique.tables import A, dealt, play_at_random

MATCHES = 16
CLEARLY = 0.42  # share of games won; pure chance would give one in four. `make bench` plays many more


def naive(seed):
    """Any card, any number of dice, no axe, no extra dice, and everything at the centre."""
    chance = random.Random(seed)

    def say(view, ask):
        some = [answer for answer in ask.menu if isinstance(answer, Choose | Roll)]
        return chance.choice(some) if some else ask.default

    return say


def test_the_bot_beats_three_naive_seats():
    won = 0.0
    for n in range(MATCHES):
        players = [naive(10 * n + seat) for seat in range(4)]
        players[n % 4] = choose
        match = play_to_end(games.open("haricot_magique", seats=4), games.Seeded(b"strength", [str(n)]), players)
        assert match.result is not None
        ranks = match.result.ranks
        won += (ranks[n % 4] == 1) / ranks.count(1)
    assert won / MATCHES > CLEARLY


def test_the_bot_gives_the_same_answer_twice():
    table = games.open("haricot_magique", seats=3, variant="expert")
    first, second = (play_to_end(table, games.Seeded(b"twice"), [choose] * 3) for _ in range(2))
    assert first.lines == second.lines


def test_the_bot_always_gives_a_legal_answer():
    for now in play_at_random(4, "expert", 6):
        for ask in now.asks:
            if ask.seat >= 0:
                now.says(ask.seat, str(choose(now.view(ask.seat), ask)))


def test_the_bot_plays_early_on_a_low_stalk():
    now = dealt()
    assert str(choose(now.view(A), now.ask(A))) == "choose 1"
