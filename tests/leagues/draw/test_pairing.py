"""Seatings are complete, fair and reproducible from a seed; the tests print how even they are."""

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beanpost.leagues.draw.evenness import find_least_unevenness, measure_unevenness
from beanpost.leagues.draw.pairing import (
    Past,
    choose_classic_games,
    choose_table_sizes,
    climb_ladder,
    draw_knock_out,
    draw_ladder,
    draw_round_robin,
    find_survivors,
)
from beanpost.leagues.draw.swiss import draw_swiss

sizes = st.integers(2, 7)


def check_whole(seating, entrants, size):
    """Check that everyone appears once: at a table of n or n - 1, or sitting out."""
    seated = [who for table in seating.tables for who in table] + list(seating.byes)
    assert sorted(seated) == sorted(entrants)
    assert len({len(table) for table in seating.tables} - {size, size - 1}) == 0 or len(entrants) < size


def spread(counts, entrants):
    return max(counts[who] for who in entrants) - min(counts[who] for who in entrants)


@given(st.integers(2, 60), st.integers(3, 7), st.integers(2, 3))
def test_tables_have_n_players_or_one_less_and_few_players_sit_out(people, size, least):
    shape = choose_table_sizes(people, size, least=least)
    assert all(least <= seats <= size for seats in shape)
    if people >= size:
        assert set(shape) <= {size, size - 1}
    if people >= size * (size - 1) and size > least:
        assert sum(shape) == people


@settings(max_examples=6)
@given(st.integers(4, 30), sizes, st.integers(1, 4), st.text(max_size=5))
def test_a_round_robin_seats_everyone_and_shares_the_byes(people, size, rounds, seed):
    entrants = range(100, 100 + people)
    drawn = draw_round_robin(entrants, [size] * rounds, seed)
    assert len(drawn) == rounds
    for seating in drawn:
        check_whole(seating, entrants, size)
    assert spread(Past.collect(drawn).byes, entrants) <= 1


def test_the_same_seed_gives_the_same_draw_and_another_seed_a_different_one():
    once, again, other = (draw_round_robin(range(24), [4] * 5, seed) for seed in ("a", "a", "b"))
    assert once == again != other


def test_a_redraw_in_mid_season_considers_past_rounds_and_withdrawals():
    played = draw_round_robin(range(24), [4] * 2, "first")
    entrants = [who for who in range(24) if who not in (3, 17)]
    rest = draw_round_robin(entrants, [4] * 3, "second", past=played)
    met = Past.collect((*played, *rest)).met
    assert all(3 not in table and 17 not in table for seating in rest for table in seating.tables)
    assert sum(count > 1 for count in met.values()) <= 6


@pytest.mark.parametrize("people", range(2, 17))
def test_everyone_at_tables_of_two_meets_everyone_once(people):
    rounds = people - 1 + people % 2
    for seed in "abc":
        met = Past.collect(draw_round_robin(range(people), [2] * rounds, seed)).met
        assert (len(met), set(met.values())) == (people * (people - 1) // 2, {1})


@pytest.mark.parametrize("people", [5, 6, 8])
def test_a_redraw_at_tables_of_two_leaves_nobody_unmet(people):
    first = draw_round_robin(range(people), [2, 2], "first")
    rest = draw_round_robin(range(people), [2] * (people - 3 + people % 2), "second", past=first)
    assert set(Past.collect((*first, *rest)).met.values()) == {1}


def test_fifteen_people_at_tables_of_three_meet_everyone_once_in_seven_rounds():
    assert set(Past.collect(draw_round_robin(range(15), [3] * 7, "schoolgirls")).met.values()) == {1}


def test_rounds_of_different_games_may_have_tables_of_different_sizes():
    drawn = draw_round_robin(range(24), [5, 4, 3, 6, 2], "mix")
    assert [max(map(len, seating.tables)) for seating in drawn] == [5, 4, 3, 6, 2]
    assert max(Past.collect(drawn).met.values()) <= 2


@pytest.mark.parametrize(("size", "numbers"), [(3, (12, 31)), (4, (12, 24, 200)), (5, (31,)), (7, (24,))])
def test_people_meet_nearly_as_evenly_as_possible(size, numbers, capsys):
    """Compare with a bound nobody can get below; 1.00 is perfect. tests/endurance measures all sizes."""
    shares = {people: share_of_unevenness(people, size) for people in numbers}
    with capsys.disabled():
        print(evenness_line(size, shares), end="")
    assert all(share <= most_unevenness(people) for people, share in shares.items())


def share_of_unevenness(people, size):
    drawn = [seating.tables for seating in draw_round_robin(range(people), [size] * 5, "measure")]
    return measure_unevenness(drawn) / find_least_unevenness(
        people, [[len(table) for table in tables] for tables in drawn]
    )


def most_unevenness(people):
    """The bound is simple: nobody can reach it with large tables and few people."""
    return 1.35 if people < 40 else 1.1 if people < 80 else 1.02


def evenness_line(size, shares):
    figures = ", ".join(f"{people}: {share:.3f}" for people, share in shares.items())
    return f"\n  unevenness over the least possible, tables of {size}: {figures}"


def test_a_round_robin_shares_starting_seats_too():
    past = Past.collect(draw_round_robin(range(20), [4] * 8, "chairs"))
    assert max(past.seats[who, seat] for who in range(20) for seat in range(4)) <= 4
    first = [past.seats[who, 0] for who in range(20)]
    assert max(first) - min(first) <= 2


@settings(max_examples=12)
@given(st.integers(3, 50), sizes, st.data())
def test_a_swiss_round_seats_everyone(people, size, data):
    entrants = range(people)
    scores = {who: Fraction(data.draw(st.integers(0, 12)), 2) for who in entrants}
    check_whole(draw_swiss(entrants, scores, size, "seed"), entrants, size)


def test_swiss_puts_equal_scores_together_and_avoids_repeats():
    entrants, scores, past = range(32), dict.fromkeys(range(32), Fraction(0)), []
    for _ in range(5):
        seating = draw_swiss(entrants, scores, 4, "swiss", past=past)
        past.append(seating)
        for table in seating.tables:
            for place, who in enumerate(sorted(table)):  # the lower number is the better player
                scores[who] += 3 - place
    met = Past.collect(past).met
    assert sum(count > 1 for count in met.values()) <= 12  # of 240 meetings among players of similar strength
    assert {0, 1, 2} <= set(sorted(scores, key=lambda who: -scores[who])[:5])
    apart = [max(scores[w] for w in t) - min(scores[w] for w in t) for t in past[-1].tables]
    assert sum(apart) / len(apart) <= 8  # including the points of that round, up to three


@pytest.mark.parametrize("people", [5, 6, 7, 8, 10])
def test_swiss_duels_repeat_only_if_no_other_round_is_possible(people):
    for seed in range(20):
        chance, past, scores = random.Random(seed), [], dict.fromkeys(range(people), 0)
        for _ in range(people - 1):
            before = Past.collect(past)
            seating = draw_swiss(range(people), scores, 2, f"swiss {seed}", past=past)
            if any(before.met[frozenset(table)] for table in seating.tables):
                assert not has_fresh_round(people, before)
            past.append(seating)
            for table in seating.tables:
                scores[chance.choice(table)] += 12


def has_fresh_round(people, before):
    """Try every round of duels in which somebody sits out who has done so least often."""
    least = min(before.byes[who] for who in range(people))
    out = [{who} for who in range(people) if before.byes[who] == least] if people % 2 else [set()]
    return any(can_pair(frozenset(range(people)) - who, before) for who in out)


def can_pair(left, before):
    one = min(left, default=None)
    rest = left - {one}
    return not left or any(can_pair(rest - {who}, before) for who in rest if not before.met[frozenset((one, who))])


def test_swiss_lets_no_player_sit_out_twice_before_everyone_has_once():
    past, scores = [], dict.fromkeys(range(7), Fraction(0))
    for _ in range(7):
        past.append(draw_swiss(range(7), scores, 2, "byes", past=past))
    assert Past.collect(past).byes == Counter(range(7))


def test_swiss_rotates_the_small_tables():
    past, scores = [], {who: Fraction(20 - who) for who in range(14)}
    for _ in range(6):
        past.append(draw_swiss(range(14), scores, 4, "small", past=past))
    small = Past.collect(past).small
    assert max(small[who] for who in range(14)) <= 4


def test_ladder_neighbours_play_for_their_rungs_and_tables_mix():
    rungs = tuple(range(12))
    first = draw_ladder(rungs, 4)
    assert [sorted(table) for table in first.tables] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    ranks = [{0: 4, 1: 1, 2: 2, 3: 3}, {4: 1, 5: 2, 6: 3, 7: 4}, {8: 2, 9: 1, 10: 3, 11: 4}]
    rungs = climb_ladder(rungs, ranks)
    assert rungs == (1, 2, 3, 4, 0, 5, 6, 9, 7, 8, 10, 11)
    second = draw_ladder(rungs, 4, past=[first])
    assert [sorted(table) for table in second.tables] == [[1, 2, 3, 4], [0, 5, 6, 9], [7, 8, 10, 11]]


def test_ladder_players_do_not_climb_past_a_table_that_does_not_count():
    assert climb_ladder(tuple(range(6)), [{0: 2, 1: 1}, {4: 2, 5: 1}]) == (1, 0, 2, 3, 5, 4)


@settings(max_examples=30)
@given(st.integers(4, 60), st.integers(2, 7))
def test_only_ladder_neighbours_meet(people, size):
    rungs, past = tuple(range(people)), []
    for _ in range(3):
        seating = draw_ladder(rungs, size, past=past)
        playing = [who for who in rungs if who not in seating.byes]
        for table in seating.tables:
            places = sorted(playing.index(who) for who in table)
            assert places == list(range(places[0], places[0] + len(table)))
        past.append(seating)
        rungs = climb_ladder(rungs, [{who: rank for rank, who in enumerate(table, 1)} for table in seating.tables])


@settings(max_examples=20)
@given(st.integers(2, 80), st.integers(3, 7))
def test_a_knock_out_seats_all_remaining_players_and_ends_with_one_table(people, size):
    alive, rounds = tuple(range(people)), 0
    while len(alive) > size:
        seating = draw_knock_out(alive, size)
        check_whole(seating, alive, size)
        ranks = [{who: rank for rank, who in enumerate(sorted(table), 1)} for table in seating.tables]
        assert len(find_survivors(seating, ranks)) < len(alive)
        alive, rounds = find_survivors(seating, ranks), rounds + 1
        assert 0 in alive  # the strongest player wins every table
    assert rounds <= 8


def test_a_knock_out_keeps_strong_players_apart():
    seating = draw_knock_out(range(12), 4)
    assert [sorted(table)[0] for table in seating.tables] == [0, 1, 2]


def test_each_round_of_the_classic_format_is_a_different_game():
    five = ["haricots", "bohnanza", "pas_de_haricots", "fagioli", "haricot_magique"]
    played = choose_classic_games(five, 12, "seed")
    assert set(played[:5]) == set(played[5:10]) == set(five)
    assert all(one != other for one, other in pairwise(played))
