"""How well the bot of Fagioli plays; `make bench` measures it over more games."""

import games
from games.engine.bots import play_to_end, random_player
from games.fagioli import FAGIOLI
from tests.games.fagioli.tables import laid_out, tables_of


def test_the_bot_beats_three_random_players():
    wins = 0
    for n in range(100):
        bots = [random_player(4 * n + seat) for seat in range(4)]
        bots[n % 4] = FAGIOLI.bot
        result = play_to_end(games.open("fagioli", seats=4), games.Seeded(b"bot %d" % n), bots).result
        assert result is not None
        wins += result.ranks[n % 4] == 1
    assert wins > 60  # of 100; pure chance would give 25


def test_the_bot_gives_the_same_answer_twice():
    for table in tables_of(games.open("fagioli", seats=3), [FAGIOLI.bot] * 3, b"twice"):
        for ask in table.asks:
            if ask.menu and ask.seat >= 0:
                assert FAGIOLI.bot(table.view(ask.seat), ask) == FAGIOLI.bot(table.view(ask.seat), ask) in ask.menu


def test_the_bot_plants_and_keeps_cards_that_can_draw():
    table = laid_out((1, 5, 8, 9), (2, 2), draw_pile=(5, 6, 7, 8, 9))
    assert str(FAGIOLI.bot(table.view(0), table.asks[0])) == "play 1 left plant 5 8"
