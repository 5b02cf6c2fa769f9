"""No card is lost or duplicated, and rounds follow one another correctly."""

from collections import Counter

import pytest

import games
from games.engine.bots import play_to_end, random_player
from games.engine.table import iter_steps
from games.haricots.rules import DECK
from games.haricots.state import Dealing, Finished, Playing

KINDS = [(seats, variant) for seats in (3, 4, 5) for variant in ("advanced", "basic", "sprint")]


def played(seats, variant, seed):
    table = games.open("haricots", seats=seats, variant=variant)
    bots = [table.rules.bot if seat % 2 else random_player(seed + seat) for seat in range(seats)]
    return table, play_to_end(table, games.Seeded(str(seed).encode()), bots)


@pytest.mark.parametrize(("seats", "variant"), KINDS)
def test_no_card_is_lost_or_duplicated(seats, variant):
    for seed in range(5):
        start, game = played(seats, variant, seed)
        for step in iter_steps(start, game.lines):
            if isinstance(step.before, Playing) and isinstance(step.after, Playing):
                assert cards(step.after) <= cards(step.before) <= Counter(DECK)
            if isinstance(step.before, Dealing):
                assert cards(step.after).total() == 14 * seats
                assert cards(step.after) <= Counter(DECK)


def cards(state):
    """Return all cards in hands, personal decks and shown hands."""
    return Counter(card for farmer in state.farmers for card in farmer.hand + farmer.deck + farmer.shown)


@pytest.mark.parametrize(("seats", "variant"), KINDS)
def test_one_chip_is_won_in_each_round(seats, variant):
    for seed in range(5):
        _, game = played(seats, variant, seed)
        assert isinstance(game.state, Finished)
        chips = sorted(chip for tally in game.state.tallies for chip in tally.chips)
        assert chips == list(range(1, game.state.rounds + 1))


@pytest.mark.parametrize(("seats", "rounds"), [(3, 3), (4, 4), (5, 5)])
def test_an_advanced_game_has_as_many_rounds_as_seats_and_a_sprint_has_one(seats, rounds):
    assert played(seats, "advanced", 1)[1].state.rounds == rounds
    assert played(seats, "sprint", 1)[1].state.rounds == 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_basic_game_ends_as_soon_as_a_seat_has_two_chips(seats):
    for seed in range(10):
        _, game = played(seats, "basic", seed)
        chips = [len(tally.chips) for tally in game.state.tallies]
        assert sorted(chips)[-2] < max(chips) == 2
        assert game.state.rounds <= seats + 1


def test_the_first_player_moves_on_by_one_letter_each_round():
    start, game = played(4, "advanced", 3)
    firsts = [step.after.first for step in iter_steps(start, game.lines) if isinstance(step.before, Dealing)]
    assert firsts == [(firsts[0] + n) % 4 for n in range(4)]


def test_the_score_of_an_advanced_game_is_chips_minus_cards_paid():
    _, game = played(4, "advanced", 3)
    assert game.result is not None
    assert game.result.scores == tuple(3 * len(tally.chips) - tally.paid for tally in game.state.tallies)
