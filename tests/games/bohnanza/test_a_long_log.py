"""A log of six hundred lines: each line is applied once, and the next move costs no more than the first ones did."""

from dataclasses import replace

import games
from games.engine.bots import play_to_end
from games.engine.table import Table
from games.engine.table import replay as go_on
from tests.games.bohnanza.people import anybody

LONG = 600


def long_game() -> Table:
    """Return a game of five random players who trade."""
    games_played = (
        play_to_end(
            games.open("bohnanza", seats=5), games.Seeded(b"long %d" % n), [anybody(n + seat) for seat in range(5)]
        )
        for n in range(9)
    )
    return next(game for game in games_played if len(game.lines) > LONG)


def counting(table: Table) -> tuple[Table, list[str]]:
    """Return the table and a list that records every action its rules apply from now on."""
    worked: list[str] = []

    def apply(state, seat, action):
        worked.append(str(action))
        return table.rules.play.apply(state, seat, action)

    counted = replace(table.rules, play=replace(table.rules.play, apply=apply))
    return replace(table, rules=counted, lines=()), worked


def test_a_log_of_six_hundred_lines_is_applied_once_and_the_next_move_stays_cheap():
    game = long_game()
    opening, worked = counting(games.open("bohnanza", seats=5))
    assert go_on(opening, game.lines).state == game.state
    assert worked == [line for _, line in game.lines]

    sizes = []
    for length in (20, LONG // 2, LONG):
        remembered = games.remember(games.replay("bohnanza", 5, "standard", game.lines[:length]))
        sizes.append(len(remembered))
        table, worked = counting(games.recall(remembered))
        table.says(*game.lines[length])
        assert len(worked) == 1  # however long the log is
    assert max(sizes) < 2 * sizes[0]  # the remembered state does not grow with the log
