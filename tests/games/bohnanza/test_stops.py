"""How often a table of four waits for a person: about twice a turn, and about once with standing orders."""

from tests.games.bohnanza.by_post import Careful, Correspondence

GAMES = 4


def stops_per_turn(people: type[Correspondence], *, savings: bool) -> float:
    played = [people(seed, savings=savings).play() for seed in range(GAMES)]
    assert all(game.table.result for game in played)
    return sum(game.stops for game in played) / sum(game.turns for game in played)


def test_orders_save_almost_every_second_wait():
    plain, saving = (stops_per_turn(Correspondence, savings=savings) for savings in (False, True))
    print(f"The table stands still {plain:.2f} times a turn in plain play, and {saving:.2f} times with the savings.")
    assert 1.7 <= plain <= 2.6
    assert saving <= 1.2


def test_careful_traders_bring_the_active_player_back_more_often():
    plain, saving = (stops_per_turn(Careful, savings=savings) for savings in (False, True))
    print(f"Where people trade only for what fits: {plain:.2f} times in plain play, {saving:.2f} with the savings.")
    assert saving <= 1.65
    assert saving < plain - 0.5
