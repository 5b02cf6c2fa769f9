"""The standings agree with a second implementation (`referee.py`), at random tables and in random seasons.

`FUZZ` sets how many: a few by default, thousands with `make fuzz`.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beanpost.leagues.draw import pairing
from beanpost.leagues.models import Chair, Division, Fixture, Round
from beanpost.leagues.records import round_results, season_records
from beanpost.leagues.seasons import results, rounds, substitutes
from beanpost.leagues.standings.points import Scheme
from beanpost.leagues.standings.scoring import (
    MEASURES,
    DivisionResults,
    EntrantResult,
    FixtureResult,
    compute_standings,
)
from beanpost.players import accounts
from tests.friends import NOON
from tests.leagues.office import fill_season, found_league
from tests.leagues.standings import referee
from tests.leagues.standings.referee import Referee, Result

EXAMPLES = int(os.environ.get("FUZZ", "100"))
PEOPLE = range(7)
seats = st.tuples(st.integers(1, 6), st.sampled_from([False, False, False, True]), st.sampled_from([True, True, False]))
tables = st.permutations(PEOPLE).flatmap(
    lambda who: st.lists(seats, min_size=2, max_size=6).map(
        lambda row: [Result(one, *seat) for one, seat in zip(who, row, strict=False)]
    )
)
sat_out = st.lists(st.tuples(st.sampled_from(PEOPLE), st.integers(2, 6)), max_size=4)


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.lists(tables, min_size=1, max_size=8),
    sat_out,
    st.sampled_from([(), (10, 6, 3, 1), (3, 3, 1)]),
    st.lists(st.sampled_from(list(MEASURES)[1:]), max_size=6, unique=True),
    st.permutations(PEOPLE),
)
def test_the_referee_agrees_about_points_order_and_ties(drawn, byes, points, breaks, lots):
    judge = Referee(PEOPLE, drawn, byes, points, breaks, lots=dict(enumerate(lots)))
    played = [
        FixtureResult(
            tuple(
                EntrantResult(one.who, judge.places(table)[one.who], forfeited=one.gave_up, counts=one.scores)
                for one in table
            )
        )
        for table in drawn
    ]
    season = DivisionResults(
        tuple(PEOPLE), Scheme(tuple(points)), tuple(played), tuple(byes), lots=dict(enumerate(lots))
    )
    rows = compute_standings(season, breaks)
    assert {row.tally.entrant: row.tally.points for row in rows} == {who: judge.points(who) for who in PEOPLE}
    groups: dict[int, list[int]] = {}
    for row in rows:
        groups.setdefault(row.rank, []).append(row.tally.entrant)
    assert [sorted(group) for group in groups.values()] == [sorted(group) for group in judge.standings()]


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.lists(st.tuples(st.lists(st.integers(1, 4), min_size=2, max_size=5), st.booleans()), min_size=1, max_size=5),
    st.randoms(),
)
def test_the_referee_agrees_about_ladders_and_knock_outs(drawn, chance):
    people = [*range(sum(len(places) for places, _ in drawn))]
    rungs, lots = iter(chance.sample(people, len(people))), dict(enumerate(chance.sample(people, len(people))))
    tables = [({next(rungs): place for place in places}, counted) for places, counted in drawn]
    ladder = [who for places, _ in tables for who in places]
    counted = [places for places, counted in tables if counted]
    assert list(pairing.climb_ladder(ladder, counted)) == referee.climb(ladder, tables)
    seating = pairing.RoundSeating(tuple(tuple(places) for places, _ in tables), byes=(99,))
    through = pairing.find_survivors(seating, [places for places, _ in tables], lots)
    assert set(through) == {99}.union(*(referee.go_on(places, lots) for places, _ in tables))


# ── whole seasons ──


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(max(4, EXAMPLES // 50)))
def test_the_referee_agrees_about_whole_seasons(seed: int) -> None:
    """Draw and decide random rounds through the organisers' doors; forfeit, annul, substitute and withdraw."""
    chance = random.Random(seed)
    points = chance.choice(["share", "10 6 3 1"])
    breaks = chance.sample(list(MEASURES)[1:], chance.randrange(1, 6))
    season = fill_season(
        found_league(games={"fagioli": "standard"}),
        chance.randrange(7, 11),
        divisions=2,
        size=chance.choice((2, 3)),
        rounds=3,
        seed=f"season {seed}",
        format=chance.choice(("round_robin", "swiss")),
        points=points,
        tie_breaks=breaks,
        moving=chance.randrange(3),
        annulled=chance.choice(("bye", "nothing")),
        substitutes_score=chance.random() < 0.5,
    )
    happened: dict[int, tuple[list[list[Result]], list[tuple[int, int]]]] = {}
    for division in season.divisions.all():
        tables, sat_out = happened[division.pk] = [], []
        for number in range(1, chance.randrange(4) + 1):
            if not division.rounds.filter(number=number).exists():
                rounds.draw(division, by=None, now=NOON)
            round_ = division.rounds.get(number=number)
            rounds.publish(round_, now=NOON)
            played = [decide(fixture, chance) for fixture in round_.fixtures.all()]
            largest = max(len(table) for table, _ in played)
            sat_out += [(bye.entry_id, largest) for bye in round_.byes.all()]
            tables += [table for table, counts in played if counts]
            if season.annulled == "bye":
                annulled = [one for table, counts in played if not counts for one in table]
                sat_out += [(one.who, largest) for one in annulled if not one.gave_up]
            rounds.close_round(Round.objects.get(pk=round_.pk), now=NOON)
    if chance.random() < 0.7:
        substitutes.withdraw(chance.choice(list(season.entries.filter(state="entered"))))
    for division in season.divisions.all():
        check_division(division, *happened[division.pk], happened)


def decide(fixture: Fixture, chance: random.Random) -> tuple[list[Result], bool]:
    """Decide a table at random. Return what a person at the table would have noted, and whether it counts."""
    chairs = list(fixture.chairs.order_by("seat"))
    gone = {chair.pk for chair in chairs if chance.random() < 0.2}
    for chair in chairs:
        if chance.random() < 0.15:
            stranger = accounts.get_or_create_player(f"spare{chair.pk}@example.org", now=NOON)
            Chair.objects.filter(pk=chair.pk).update(sitter=stranger)
        if chair.pk in gone:
            results.forfeit(Chair.objects.get(pk=chair.pk), reason="A test.", now=NOON)
    places = {chair.pk: chance.randrange(1, len(chairs) + 1) for chair in chairs}
    fixture = Fixture.objects.get(pk=fixture.pk)
    if counts := fixture.ending != Fixture.Ending.OPEN:
        assert len(gone) == len(chairs)  # bots alone have played it to the end
    elif counts := chance.random() < 0.85:
        results.adjudicate(fixture, places, reason="A test.", now=NOON)
    else:
        results.annul(fixture, reason="A test.", now=NOON)
    scoring = fixture.round.division.season.substitutes_score
    return [
        Result(chair.entry_id, places[chair.pk], chair.pk in gone, scoring or chair.sitter_id == chair.entry.player_id)
        for chair in fixture.chairs.select_related("entry")
    ], counts


def check_division(division: Division, tables, sat_out, happened) -> None:
    season = division.season
    ranking = season_records.rank_entries(division)
    people = [row.tally.entrant for row in ranking.rows]
    lots = round_results.draw_lots(division, people)
    points = () if season.points == "share" else tuple(map(int, season.points.split()))
    judge = Referee(people, tables, sat_out, points, season.tie_breaks, lots)
    assert {row.tally.entrant: row.tally.points for row in ranking.rows} == {who: judge.points(who) for who in people}
    groups: dict[int, list[int]] = {}
    for row in ranking.rows:
        groups.setdefault(row.rank, []).append(row.tally.entrant)
    assert [sorted(group) for group in groups.values()] == [sorted(group) for group in judge.standings()]
    # People who stay, best first; people who share a place stand in the order of their lots.
    staying = set(division.entries.filter(state="entered").values_list("pk", flat=True))
    row = [who for group in judge.standings() for who in sorted(group, key=lots.__getitem__) if who in staying]
    both = all(found for found, _ in happened.values())  # nobody moves before both divisions have a result
    sizes = [each.entries.filter(state="entered").count() for each in season.divisions.all()]
    count = min(season.moving, *(size // 2 for size in sizes)) if both else 0
    movers = row[len(row) - count :] if division.level == 1 else row[:count]
    assert {row.tally.entrant for row in ranking.rows if row.line} == set(movers)
