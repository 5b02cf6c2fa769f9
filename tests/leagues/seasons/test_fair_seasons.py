"""Lots, places after forfeits, and promotion: what an arbiter signs at the end of a season."""

import pytest

from beanpost.leagues.actions import round_actions
from beanpost.leagues.models import Chair, Entry, Fixture, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import round_results, season_records
from beanpost.leagues.seasons import next_season, results, rounds, substitutes
from beanpost.leagues.standings.scoring import Why
from beanpost.play.display import scene
from beanpost.play.display.lists import my_games
from beanpost.play.log.export import export_match
from beanpost.play.models import Match
from beanpost.play.timekeeping import absence
from beanpost.players import accounts
from beanpost.privacy import erasure
from games.verification.verify import verify
from tests.friends import NOON
from tests.leagues.office import fill_season, found_league, play_out, start_round

pytestmark = pytest.mark.django_db


def order(division):
    return [(line.name, line.row.rank, line.row.line, line.why) for line in season_records.compute_standings(division)]


def decide(division, *, last=()):
    """Draw and decide a round by the numbers of the names; some come last."""
    rounds.draw(division, by=None, now=NOON)
    round_ = division.rounds.last()
    rounds.publish(round_, now=NOON)
    for fixture in round_.fixtures.all():
        chairs = sorted(fixture.chairs.all(), key=lambda chair: (chair.sitter.name in last, chair.sitter.name))
        results.adjudicate(fixture, {chair.pk: n for n, chair in enumerate(chairs, 1)}, reason="A test.", now=NOON)
    return round_


# ── lots ──


def lots(season):
    return round_results.draw_lots(season.divisions.get(), season.entries.values_list("pk", flat=True))


def test_adding_withdrawing_or_renaming_someone_changes_nobody_elses_lot(league):
    season = fill_season(league, 6)
    before = lots(season)
    friend = entries.accept(entries.add_entry(season, "friend@example.org", now=NOON), now=NOON)
    assert {pk: lot for pk, lot in lots(season).items() if pk != friend.pk} == before
    substitutes.withdraw(friend)
    Entry.objects.filter(season=season).update(typed_name="Another")
    assert {pk: lot for pk, lot in lots(season).items() if pk != friend.pk} == before


def test_lots_follow_from_the_seed(league):
    season = fill_season(league, 6)
    before = sorted(lots(season), key=lots(season).get)
    orders = set()
    for seed in "abcdef":
        season.seed = seed
        drawn = lots(season)
        orders.add(tuple(sorted(drawn, key=drawn.get)))
    assert len(orders) > 1
    assert all(sorted(order) == sorted(before) for order in orders)


# ── who sits out ──


@pytest.mark.parametrize(
    ("format_", "people", "size", "game", "tables"),
    [
        ("round_robin", 11, 7, "bohnanza", [6, 5]),
        ("swiss", 5, 3, "haricots", [5]),
        ("ladder", 5, 3, "haricots", [5]),
        ("knock_out", 5, 3, "haricots", [5]),
        ("knock_out", 5, 4, "fagioli", [3, 2]),
    ],
)
def test_tables_of_other_sizes_seat_everyone_where_the_game_allows_them(format_, people, size, game, tables):
    variant = "sprint" if game == "haricots" else "standard"
    season = fill_season(found_league(games={game: variant}), people, size=size, rounds=2, format=format_)
    division = season.divisions.get()
    assert not any("sits out" in line for line in round_actions.preview_draw(division, {}))
    rounds.draw(division, by=None, now=NOON)
    round_ = division.rounds.first()
    assert sorted((fixture.chairs.count() for fixture in round_.fixtures.all()), reverse=True) == tables
    assert not round_.byes.exists()


def test_the_preview_of_a_draw_says_how_often_a_person_sits_out(league):
    league.games = {"fagioli": "standard"}
    league.save()
    division = fill_season(league, 5, size=2, rounds=6).divisions.get()
    shown = round_actions.preview_draw(division, {})
    assert any("Someone sits out" in line and "each person 2 times at most" in line for line in shown)
    rounds.draw(division, by=None, now=NOON)
    assert max(entry.byes.count() for entry in division.entries.all()) == 2


def test_the_preview_of_a_later_draw_counts_who_has_sat_out_already(league):
    league.games = {"fagioli": "standard"}
    league.save()
    division = fill_season(league, 3, size=2, rounds=10).divisions.get()
    rounds.draw(division, by=None, now=NOON)
    division.rounds.filter(number__lte=6).update(phase="closed")
    division.rounds.filter(number__gt=6).delete()
    for name in ("yan", "zoe"):
        player = accounts.get_or_create_player(f"{name}@example.org", now=NOON)
        Entry.objects.create(season=division.season, division=division, player=player, state="entered")
    shown = round_actions.preview_draw(division, {})
    assert any("each person 2 times at most" in line for line in shown)
    rounds.draw(division, by=None, now=NOON)
    drawn = division.rounds.filter(number__gt=6)
    assert [drawn.filter(byes__entry__player__name=name).count() for name in ("yan", "zoe")] == [2, 2]


# ── two who give up at one table ──


@pytest.fixture
def table(league):
    """A running table of three; two of its players resign."""
    season = start_round(fill_season(league, 3, size=3, rounds=1), begin=True)
    fixture = Fixture.objects.get(round__division__season=season)
    for place in fixture.match.places.filter(seat__gt=0):
        absence.resign(place, now=NOON)
    return fixture


def test_all_who_gave_up_share_the_last_place_of_the_match_and_of_the_table(table):
    match = play_out(table.match)
    assert list(table.chairs.order_by("seat").values_list("rank", flat=True)) == [1, 2, 2]
    assert [row.rank for row in scene.build_scene(match, None).standings] == [1, 2, 2]
    assert [(rank, why) for _, rank, _, why in order(table.round.division)][1:] == [
        (2, "Fewer points: 0 to 12."),
        (2, "Tied."),
    ]
    assert "every move check out" in str(verify(export_match(match, None)))
    assert str(verify(export_match(match, None))).endswith("Seats B, C gave up and share the last place.")


def test_the_organisers_decision_ties_those_who_gave_up(table):
    places = {chair.pk: chair.seat + 1 for chair in table.chairs.all()}
    results.adjudicate(table, places, reason="A test.", now=NOON)
    match = Match.objects.get(pk=table.match_id)
    assert list(table.chairs.order_by("seat").values_list("rank", flat=True)) == [1, 2, 2]
    assert [row.rank for row in scene.build_scene(match, None).standings] == [1, 2, 2]
    assert "The organiser decided the result." in str(verify(export_match(match, None)))


def test_nobody_wins_a_table_at_which_everyone_gave_up(table):
    absence.resign(table.match.places.get(seat=0), now=NOON)
    match = play_out(table.match)
    assert scene.build_scene(match, None).winners == []
    assert {(rank, why) for _, rank, _, why in order(table.round.division)} == {(1, "First place."), (1, "Tied.")}
    for chair in Chair.objects.filter(fixture=table).select_related("sitter"):
        assert season_records.count_matches_and_wins(chair.sitter) == (1, 0)
        [row] = my_games.find_results(chair.sitter)
        assert (row.rank, bool(row.place.resigned_at)) == (1, True)


# ── promotion and relegation ──


def test_nobody_is_promoted_or_relegated_across_a_division_without_results(league):
    season = fill_season(league, 6, divisions=2, size=3, rounds=1, moving=1)
    top, low = season.divisions.all()
    decide(top)
    assert {side for _, _, side, _ in [*order(top), *order(low)]} == {""}
    decide(low)
    assert [side for _, _, side, _ in order(top)] == ["", "", "down"]
    assert [side for _, _, side, _ in order(low)] == ["up", "", ""]
    low.rounds.get().fixtures.update(ending="annulled")
    Season.objects.update(phase="ended")
    season.refresh_from_db()
    before = [set(division.entries.values_list("player", flat=True)) for division in (top, low)]
    fresh = next_season.plan_next_season(season, "Winter")
    assert [set(division.entries.values_list("player", flat=True)) for division in fresh.divisions.all()] == before


def test_the_next_season_moves_exactly_the_people_whom_the_page_marks(league):
    season = fill_season(league, 9, divisions=3, size=3, rounds=1, moving=2)
    for division in season.divisions.all():
        decide(division)
    Season.objects.update(phase="ended")
    season.refresh_from_db()
    first = season_records.compute_standings(season.divisions.last())[0]
    erasure.erase(first.entry.player, now=NOON)
    marked = {
        line.entry.player_id: division.level + {"up": -1, "down": 1, "": 0}[line.row.line]
        for division in season.divisions.all()
        for line in season_records.compute_standings(division)
        if line.entry.player_id != first.entry.player_id
    }
    fresh = next_season.plan_next_season(season, "Winter")
    assert {entry.player_id: entry.division.level for entry in fresh.entries.all()} == marked


@pytest.mark.parametrize(
    ("above", "here", "shown"),
    [(4.524, 4.518, "4.518 to 4.524"), (4.5, 4.25, "4.25 to 4.5"), (4.52, 4.515001, "4.515 to 4.52")],
)
def test_two_numbers_are_shown_with_as_many_digits_as_tell_them_apart(above, here, shown):
    assert shown in season_records.explain_place(Why("opponents", above, here))
