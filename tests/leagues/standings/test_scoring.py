"""Standings: points for ranks, equals share, and every row gives the reason for its place."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beanpost.leagues.standings.points import Scheme, UnknownScheme
from beanpost.leagues.standings.promotion import build_next_divisions
from beanpost.leagues.standings.scoring import (
    MEASURES,
    DivisionResults,
    EntrantResult,
    FixtureResult,
    Why,
    compute_standings,
)
from games.contract.asks import compute_ranks

TEN_SIX = Scheme.read("10 6 3 1")


def played(*order, forfeits=(), uncounted=()):
    """Return a fixture, the winner first; a tuple is a tie."""
    outcomes, rank = [], 1
    for entry in order:
        group = entry if isinstance(entry, tuple) else (entry,)
        outcomes += [EntrantResult(who, rank, forfeited=who in forfeits, counts=who not in uncounted) for who in group]
        rank += len(group)
    return FixtureResult(tuple(outcomes))


def season(*fixtures, entrants=(1, 2, 3, 4), scheme=TEN_SIX, **more):
    return DivisionResults(entrants, scheme, tuple(fixtures), **more)


def order(rows):
    return [row.tally.entrant for row in rows]


def test_points_follow_ranks_and_equals_share_the_points_of_their_places():
    rows = compute_standings(season(played(1, (2, 3), 4)))
    assert [row.tally.points for row in rows] == [10, Fraction(9, 2), Fraction(9, 2), 1]
    assert [row.rank for row in rows] == [1, 2, 2, 4]


def test_each_row_gives_the_reason_it_is_below_the_one_above():
    rows = compute_standings(
        season(played(1, 2, 3, 4), played(2, 1, 4, 3), played(2, 1, 3, 4), played(1, 2, 4, 3)), ["wins"]
    )
    assert rows[0].why is None
    assert [row.why.by for row in rows[1:]] == ["equal", "points", "equal"]
    assert rows[2].why == Why("points", Fraction(32), Fraction(8))


def test_of_two_with_equal_points_the_one_with_more_wins_ranks_higher():
    fixtures = played(1, 2, 3, 4), played(3, 2, 4, 1), played(3, 4, 5, 1)
    rows = compute_standings(season(*fixtures, entrants=(2, 1, 3, 4, 5)), ["wins"])
    [first, second] = [row for row in rows if row.tally.entrant in (1, 2)]
    assert first.tally.points == second.tally.points
    assert (first.tally.entrant, second.why) == (1, Why("wins", Fraction(1), Fraction(0)))


def test_the_winner_of_a_direct_meeting_ranks_above_the_other():
    rows = compute_standings(season(played(2, 1, 3), played(1, 3, 4), played(3, 2, 4)), ["direct"])
    assert order(rows) == [3, 2, 1, 4]
    assert rows[2].why == Why("direct", Fraction(1), Fraction(-1))


def test_players_who_resigned_count_as_behind_everyone_and_level_with_each_other():
    met = season(played(2, 1, 3, 4, forfeits=[2, 4]))
    assert MEASURES["direct"](met, [1, 2, 4]) == {1: 2, 2: -1, 4: -1}


def test_the_strength_of_opponents_breaks_a_tie():
    rows = compute_standings(
        season(played(1, 3), played(2, 4), played(3, 4), scheme=Scheme.read("share")), ["opponents"]
    )
    assert order(rows) == [1, 3, 2, 4]
    assert rows[1].why == Why("opponents", Fraction(12), Fraction(6))


def test_an_unscored_substitute_does_not_count_as_an_opponent():
    met = season(played(1, 2, 3, uncounted=[2]), played(2, 4))
    assert MEASURES["opponents"](met, [1, 2, 3]) == {1: 3, 2: 6, 3: 10}


def test_a_player_who_resigns_gets_no_points_whatever_their_place():
    rows = compute_standings(season(played(1, 2, 3, 4, forfeits=[2])))
    assert {row.tally.entrant: row.tally.points for row in rows}[2] == 0
    assert next(row for row in rows if row.tally.entrant == 2).tally.forfeits == 1


def test_an_unscored_substitutes_points_count_for_nobody():
    rows = compute_standings(season(played(1, 2, 3, 4, uncounted=[1])))
    row = next(row for row in rows if row.tally.entrant == 1)
    assert (row.tally.points, row.tally.played) == (0, 0)
    assert next(row for row in rows if row.tally.entrant == 2).tally.points == 6


def test_sitting_out_is_worth_an_average_seat():
    rows = compute_standings(season(played(1, 2, 3), byes=((4, 4),)))
    assert next(row for row in rows if row.tally.entrant == 4).tally.points == 5


def test_promotion_and_relegation_lines_never_overlap():
    rows = compute_standings(season(played(1, 2, 3, 4)), up=1, down=2)
    assert [row.line for row in rows] == ["up", "", "down", "down"]
    small = compute_standings(season(played(1, 2), entrants=(1, 2)), up=2, down=2)
    assert [row.line for row in small] == ["up", "down"]


def test_a_published_lot_decides_which_of_equals_is_promoted():
    level = played((1, 2, 3))
    rows = compute_standings(DivisionResults((1, 2, 3), TEN_SIX, (level,), lots={1: 2, 2: 0, 3: 1}), up=1)
    assert [(row.tally.entrant, row.rank, row.line) for row in rows] == [(2, 1, "up"), (3, 1, ""), (1, 1, "")]
    assert [row.why and row.why.by for row in rows] == [None, "lot", "equal"]


def test_a_player_who_has_left_is_not_placed_by_lot_between_two_who_move():
    everyone = (1, 2, 3, 4, 5)
    level = DivisionResults(everyone, TEN_SIX, (played(everyone),), lots={who: who for who in everyone})
    rows = compute_standings(level, up=2, gone=frozenset([2]))
    assert [(row.tally.entrant, row.line, row.why and row.why.by) for row in rows] == [
        (1, "up", None),
        (2, "", "equal"),
        (3, "up", "equal"),
        (4, "", "lot"),
        (5, "", "equal"),
    ]


def test_nobody_crosses_the_border_of_a_division_without_results():
    assert build_next_divisions([[1, 2], [3, 4], [5, 6]], moving=1, idle=[1]) == [[1, 2], [3, 4], [5, 6]]


def test_as_many_players_are_promoted_as_relegated():
    assert build_next_divisions([[1, 2, 3], [4, 5, 6], [7, 8, 9]], moving=1) == [[1, 2, 4], [3, 5, 7], [6, 8, 9]]


@pytest.mark.parametrize("text", ["", "ten six", "3 6", "1,2", "99999 1"])
def test_an_invalid_points_scheme_is_refused_with_a_sentence(text):
    with pytest.raises(UnknownScheme, match=r"\.$"):
        Scheme.read(text)


results = st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=6), min_size=1, max_size=6)


@given(results, st.sampled_from(["share", "10 6 3 1"]), st.permutations(list(MEASURES)[1:]))
def test_points_are_never_lost_and_every_row_fits_its_reason(fixtures, text, breaks):
    scheme = Scheme.read(text)
    rounds = [
        FixtureResult(tuple(EntrantResult(who, rank) for who, rank in enumerate(compute_ranks(merits))))
        for merits in fixtures
    ]
    rows = compute_standings(DivisionResults(tuple(range(6)), scheme, tuple(rounds)), breaks)
    paid = sum(sum(scheme.place(n, len(m)) for n in range(len(m))) for m in fixtures)
    assert sum(row.tally.points for row in rows) == paid
    assert sorted(order(rows)) == list(range(6))
    for above, row in itertools.pairwise(rows):
        assert above.tally.points >= row.tally.points
        assert row.why.by == "equal" or row.why.above > row.why.here
        assert (row.rank == above.rank) == (row.why.by == "equal")
