"""Organisers correct mistakes while a season runs, and end seasons that were never played."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

import games
from beanpost.leagues.models import Chair, Division, EarlierMatch, Entry, Fixture, League, Rated, Rating, Round, Season
from beanpost.leagues.people import entries
from beanpost.leagues.records import ratings, season_records
from beanpost.leagues.seasons import corrections, endings, next_season, phases, results, rounds, substitutes
from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.players.models import Player
from beanpost.post.deliver import sending
from beanpost.post.models import Letter
from beanpost.privacy import erasure
from tests.friends import NOON
from tests.leagues.office import (
    do,
    do_url,
    entry_link,
    fill_season,
    invent_results,
    list_needs,
    play_out,
    start_round,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(league):
    """A season whose first round is being played."""
    return start_round(fill_season(league, 6, size=3, rounds=2, annulled="nothing"), begin=True)


@pytest.fixture
def played(season):
    """Its first table, played to the end."""
    fixture = Fixture.objects.get(round__number=1, table=1)
    play_out(fixture.match)
    return Fixture.objects.get(pk=fixture.pk)


def points(season):
    lines = season_records.compute_standings(season.divisions.get())
    return {line.entry.player.name: line.row.tally.points for line in lines}


def places(fixture, *ranks):
    return {f"chair{chair.pk}": rank for chair, rank in zip(fixture.chairs.all(), ranks, strict=True)}


def test_a_played_result_is_corrected_with_ties_and_a_reason_and_everyone_gets_a_letter(at_olgas, season, played):
    assert do(at_olgas, played, "correct", **places(played, 1, 1, 3)).status_code == 400  # a reason is needed
    before = ", ".join(f"{chair.rank}. {chair.public_sitter_name}" for chair in played.chairs.order_by("rank", "seat"))
    answer = do(at_olgas, played, "correct", **places(played, 1, 1, 3), reason="Two tied.", announce="on")
    assert answer.status_code == 302
    played.refresh_from_db()
    assert (played.ending, played.reason) == ("adjudicated", "Two tied.")
    assert [chair.rank for chair in played.chairs.all()] == [1, 1, 3]
    assert sorted(points(season).values())[-2:] == [9, 9]
    event = played.events.first()
    assert (event.reason, event.changes["ending"]) == ("Two tied.", ["played", "adjudicated"])
    assert Letter.objects.filter(kind="announcement", values__reason="Two tied.").count() == 3
    assert f"(before: {before})" in season.events.first().told


def test_an_organisers_decision_can_be_corrected(at_olgas, season):
    fixture = Fixture.objects.get(round__number=1, table=1)
    as_it_stood = {chair.pk: n for n, chair in enumerate(fixture.chairs.all(), 1)}
    results.adjudicate(fixture, as_it_stood, reason="As it stood.", now=NOON)
    assert do(at_olgas, fixture, "correct", **places(fixture, 3, 2, 1), reason="The other way.").status_code == 302
    assert [chair.rank for chair in fixture.chairs.all()] == [3, 2, 1]


def test_a_corrected_result_is_no_longer_rated(season, played):
    assert Rating.objects.exists()
    ranks = {chair.pk: n for n, chair in enumerate(played.chairs.all(), 1)}
    corrections.correct(played, ranks, reason="Wrong seats.", now=NOON)
    ratings.recompute_ratings()
    assert not Rating.objects.exists()


def test_players_who_gave_up_stay_last_after_a_correction(season, played):
    first = played.chairs.first()
    Chair.objects.filter(pk=first.pk).update(forfeited=True)
    ranks = {chair.pk: n for n, chair in enumerate(played.chairs.all(), 1)}
    corrections.correct(played, ranks, reason="Wrong seats.", now=NOON)
    assert [chair.rank for chair in played.chairs.all()] == [3, 1, 2]


def test_an_organiser_cannot_correct_their_own_table(at_olgas, olga, season, played):
    Player.objects.filter(pk=played.chairs.first().sitter_id).update(address=olga.email)
    for action in ("correct", "count-again", "replay"):
        assert do(at_olgas, played, action, reason="Because.").status_code == 403


def test_an_annulment_is_taken_back_and_the_played_result_counts_again(at_olgas, season, played):
    before = points(season)
    do(at_olgas, played, "annul", reason="A misunderstanding.")
    ratings.recompute_ratings()
    assert points(season) != before
    assert not Rated.objects.exists()
    assert do(at_olgas, played, "count-again", reason="It was fine.").status_code == 302
    assert points(season) == before
    assert Rated.objects.count() == 1


def test_an_annulment_taken_back_brings_back_the_played_result_not_a_corrected_one(season, played):
    before = [(chair.rank, chair.score) for chair in played.chairs.all()]
    ranks = {chair.pk: len(before) + 1 - chair.rank for chair in played.chairs.all()}
    corrections.correct(played, ranks, reason="The wrong way round.", now=NOON)
    results.annul(played, reason="It was never right.", now=NOON)
    corrections.count_again(played, reason="As played.", now=NOON)
    assert [(chair.rank, chair.score) for chair in played.chairs.all()] == before
    assert played.ending == "played"


def test_a_table_annulled_in_mid_match_can_only_be_played_again(at_olgas, season):
    fixture = Fixture.objects.get(round__number=1, table=1)
    do(at_olgas, fixture, "annul", reason="The wrong people.")
    first = Match.objects.get(pk=fixture.match_id)
    assert do(at_olgas, fixture, "count-again", reason="Oh.").status_code == 400
    assert do(at_olgas, fixture, "replay", reason="Once more.").status_code == 302
    fixture = Fixture.objects.get(pk=fixture.pk)
    assert (fixture.ending, fixture.match.phase) == ("", "gathering")
    assert fixture.match != first
    assert Match.objects.get(pk=first.pk).ending == "annulled"
    play_out(fixture.match)
    assert Fixture.objects.get(pk=fixture.pk).ending == "played"


def test_a_played_table_is_played_again_and_only_the_new_match_is_rated(season, played):
    old = played.match
    fresh = corrections.play_again(played, reason="The wrong variant.", now=NOON)
    assert not Chair.objects.filter(fixture=played, rank__isnull=False).exists()
    play_out(fresh)
    ratings.recompute_ratings()
    assert [row.match for row in Rated.objects.all()] == [fresh]
    assert Match.objects.get(pk=old.pk).phase == "ended"


def test_nobody_who_has_left_is_invited_to_a_table_that_is_played_again(at_olgas, season, played):
    leaver, erased, stays = played.chairs.all()
    substitutes.withdraw(leaver.entry)
    erasure.erase(erased.sitter, now=NOON)
    Letter.objects.all().delete()
    assert do(at_olgas, played, "replay", reason="Once more.", announce="on").status_code == 302
    fresh = Fixture.objects.get(pk=played.pk).match
    assert [(place.seat, place.player) for place in fresh.places.all()] == [(stays.seat, stays.sitter)]
    assert {letter.recipient for letter in Letter.objects.filter(kind="invitation")} == {stays.sitter}
    news = Letter.objects.filter(kind="announcement", state="queued")
    assert {letter.recipient for letter in news} == {leaver.sitter, stays.sitter}  # also to the player who has left
    rounds.begin_tables(played.round, now=NOON)
    assert Match.objects.get(pk=fresh.pk).phase == "gathering"


def test_a_table_played_again_keeps_its_keeper_if_the_league_has_none(at_olgas, league, season, played):
    keeper = played.match.keeper
    League.objects.update(keeper=None)
    assert do(at_olgas, played, "replay", reason="Once more.").status_code == 302
    assert Fixture.objects.get(pk=played.pk).match.keeper == keeper


def test_a_round_is_reopened_until_the_next_one_starts(at_olgas, season):
    first, second = season.divisions.get().rounds.all()
    invent_results(first)
    rounds.close_round(first, now=NOON)
    assert do(at_olgas, first, "reopen", reason="A result was wrong.").status_code == 302
    first.refresh_from_db()
    assert (first.phase, season.divisions.get().rounds.count()) == ("published", 2)
    rounds.close_round(first, now=NOON)
    rounds.publish(second, now=NOON)
    assert do(at_olgas, first, "reopen", reason="A result was wrong.").status_code == 400


def test_reopening_a_ladder_round_restores_the_ladder(league, olga):
    season = fill_season(league, 6, size=3, rounds=2, format="ladder")
    division = season.divisions.get()
    rounds.draw(division, by=None, now=NOON)
    first = division.rounds.get()
    rounds.publish(first, now=NOON)
    before = dict(division.entries.values_list("pk", "rung"))
    for fixture in first.fixtures.all():
        for rank, chair in enumerate(fixture.chairs.order_by("-entry__rung"), 1):
            Chair.objects.filter(pk=chair.pk).update(rank=rank)
        Fixture.objects.filter(pk=fixture.pk).update(ending="played", decided_at=NOON)
    rounds.close_round(first, now=NOON)
    assert dict(division.entries.values_list("pk", "rung")) != before
    rounds.draw(division, by=None, now=NOON)
    with pytest.raises(ValidationError, match="Reopen the round first"):
        corrections.correct(first.fixtures.get(table=1), {}, reason="No.", now=NOON)
    Player.objects.filter(pk=division.entries.first().player_id).update(address=olga.email)
    with pytest.raises(ValidationError, match="You play in this division"):
        corrections.reopen_round(first, by=olga)
    Player.objects.filter(address=olga.email).update(address="ann@example.org")
    corrections.reopen_round(first, by=olga)
    assert dict(division.entries.values_list("pk", "rung")) == before
    assert division.rounds.count() == 1  # the second follows from the results


def test_entries_are_reopened_until_something_is_drawn_and_the_seed_stays(at_olgas, league):
    season = fill_season(league, 6, size=3, rounds=1)
    seed = season.seed
    assert do(at_olgas, season, "reopen-entries", reason="Too early.").status_code == 302
    assert Season.objects.get().phase == "entering"
    phases.close_entries(Season.objects.get())
    assert Season.objects.get().seed == seed
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    assert do(at_olgas, season, "reopen-entries", reason="Too early.").status_code == 400


def test_a_season_is_reopened_until_the_next_one_is_planned(at_olgas, season):
    Fixture.objects.filter(round__number=1).update(ending="annulled", decided_at=NOON)
    rounds.close_round(season.divisions.get().rounds.first(), now=NOON)
    phases.close_season(season)
    assert do(at_olgas, season, "reopen", reason="Too early.").status_code == 302
    assert Season.objects.get().phase == "running"
    phases.close_season(Season.objects.get())
    next_season.plan_next_season(season, "Winter")
    assert do(at_olgas, season, "reopen", reason="Too early.").status_code == 400


# ── seasons that were never played ──


def test_a_season_without_invitations_is_deleted(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring")
    Division.objects.create(season=season, name="A", level=1)
    entries.add_entry(season, "ann@example.org", now=NOON)
    answer = do(at_olgas, season, "delete", reason="A typing error.")
    assert (answer.status_code, answer["location"]) == (302, reverse("admin:index"))
    assert not Season.objects.exists()
    shown = at_olgas.get(reverse("admin:leagues_league_history", args=[league.pk])).content.decode()
    assert "A typing error." in shown
    assert league.events.get().told == "Spring was deleted."


def test_a_season_with_invitations_is_cancelled_with_a_letter_and_disappears(at_olgas, olga, client, league):
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    entry = entries.add_entry(season, "ann@example.org", now=NOON)
    entries.accept(entry, now=NOON)
    assert do(at_olgas, season, "delete").status_code == 400
    silent = entries.add_entry(season, "bob@example.org", now=NOON)
    assert do(at_olgas, season, "cancel", reason="Too few of us.", announce="on").status_code == 302
    assert "This season was cancelled." in client.get(entry_link(silent)).text
    assert Letter.objects.get(kind="announcement").values["headline"] == "Spring is cancelled."
    season.refresh_from_db()
    assert (season.phase, bool(season.cancelled_at)) == ("ended", True)
    assert "Spring" not in client.get(reverse("league", args=[league.slug])).content.decode()
    assert "Spring" not in client.get(reverse("leagues")).content.decode()
    assert "cancelled" in client.get(reverse("season", args=[league.slug, season.pk])).content.decode()
    assert list_needs(olga) == ["Bean League has no season yet."]
    assert entries.accept(season.entries.get(player=entry.player), now=NOON).state == "entered"


def test_a_season_deleted_twice_at_once_is_deleted_once(league):
    season = Season.objects.create(league=league, name="Spring")
    also = Season.objects.get()
    endings.delete_season(season)
    with pytest.raises(ValidationError, match="deleted a moment ago"):
        endings.delete_season(also)


def test_an_invitation_that_waits_is_dropped_when_its_season_is_cancelled(at_olgas, league):
    season = Season.objects.create(league=league, name="Spring", phase="entering")
    entries.add_entry(season, "ann@example.org", now=NOON)
    entries.invite_all(season, now=NOON)
    assert do(at_olgas, season, "cancel", reason="Too few of us.").status_code == 302
    sending.deliver(lambda: NOON)
    assert list(Letter.objects.values_list("kind", "state")) == [("league_invite", "dropped")]


def test_a_running_season_is_abandoned_with_one_press(at_olgas, season, played):
    shown = at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, "abandon"])).content.decode()
    assert "Division 1, round 1, table 2 is annulled" in shown
    assert "Annulled tables count for nothing." in shown
    assert do(at_olgas, season, "abandon", reason="The club closes.").status_code == 302
    assert Season.objects.get().phase == "ended"
    assert sorted(Fixture.objects.filter(round__number=1).values_list("ending", flat=True)) == ["annulled", "played"]
    assert not Match.objects.filter(phase="running").exists()


def test_an_organiser_who_plays_cannot_abandon_their_own_table(at_olgas, olga, season):
    Player.objects.filter(pk=Chair.objects.first().sitter_id).update(address=olga.email)
    refused = do(at_olgas, season, "abandon", reason="I am losing.")
    assert refused.status_code == 400
    assert "another organiser has to decide." in refused.content.decode()
    assert Season.objects.get().phase == "running"


def test_closing_early_says_which_rounds_are_missing(at_olgas, season):
    shown = at_olgas.get(reverse("admin:leagues_season_do", args=[season.pk, "close"])).content.decode()
    assert "Division 1: only 1 of 2 rounds were played." in shown
    assert "Division 1, round 1, table 2 has no result yet." in shown


def test_an_empty_division_is_removed_and_one_with_people_is_not(at_olgas, season):
    spare = Division.objects.create(season=season, name="Spare", level=2)
    assert do(at_olgas, season.divisions.first(), "remove").status_code == 400
    assert do(at_olgas, spare, "remove", reason="Nobody came.").status_code == 302
    assert season.divisions.count() == 1
    assert not endings.can_remove(season.divisions.get())
    shown = at_olgas.get(reverse("admin:leagues_season_story", args=[season.pk])).content.decode()
    assert "Nobody came." in shown
    assert season.events.get(reason="Nobody came.").told == "Spare was removed."


# ── standings ──


@pytest.mark.parametrize(("setting", "each"), [("nothing", 0), ("bye", 6), ("replay", 0)])
def test_an_annulled_table_counts_as_the_season_says(season, setting, each):
    Season.objects.update(annulled=setting)
    fixture = Fixture.objects.get(round__number=1, table=1)
    results.annul(fixture, reason="Holidays.", now=NOON)
    found = points(Season.objects.get())
    assert {found[chair.sitter.name] for chair in fixture.chairs.all()} == {each}


def test_a_leader_who_has_left_takes_no_promotion_place(league):
    season = fill_season(league, 6, size=3, rounds=1, divisions=2, moving=1)
    for division in season.divisions.all():
        rounds.draw(division, by=None, now=NOON)
        rounds.publish(division.rounds.get(), now=NOON)
        invent_results(division.rounds.get())
    lower = season.divisions.last()
    leader, second, _third = (line.entry for line in season_records.compute_standings(lower))
    substitutes.withdraw(leader)
    assert [line.row.line for line in season_records.compute_standings(lower)] == ["", "up", ""]
    (_upper, players), _below = next_season.plan_divisions(season)
    assert second.player in players
    assert leader.player not in players


def test_the_top_of_the_ladder_wins_whatever_the_points(league):
    season = fill_season(league, 3, size=3, rounds=1, format="ladder")
    division = season.divisions.get()
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.get(), now=NOON)
    invent_results(division.rounds.get())
    rounds.close_round(division.rounds.get(), now=NOON)
    last = division.entries.last()
    Entry.objects.filter(pk=last.pk).update(rung=0)
    Entry.objects.exclude(pk=last.pk).update(rung=5)
    lines = season_records.compute_standings(division)
    assert (lines[0].entry, lines[0].why, lines[1].why) == (last, "Top of the ladder.", "Lower on the ladder.")
    assert season_records.find_leaders(season) == [(division, [last.player.name])]


def test_first_place_names_the_tie_break_that_decided_it(season):
    Season.objects.update(tie_breaks=["lot"])
    Chair.objects.filter(fixture__round__number=1).update(rank=1)
    line = season_records.compute_standings(Division.objects.select_related("season").get())[0]
    assert line.why == "First place, decided by drawing lots."


def test_ratings_are_listed_by_a_careful_value_and_newcomers_come_last(at_olgas, season):
    players = [entry.player for entry in season.entries.all()[:3]]
    for player, mu, sigma, matches in zip(players, (30, 28, 60), (4, 1, 1), (20, 20, 2), strict=True):
        Rating.objects.create(player=player, game="", mu=mu, sigma=sigma, matches=matches)
    page = at_olgas.get(reverse("admin:leagues_rating_changelist"))
    listed = [row.player for row in page.context["cl"].result_list]
    assert listed == [players[1], players[0], players[2]]
    assert "57.0, after few matches" in page.content.decode()


def test_nobody_sits_out_of_a_knock_out_where_the_game_allows_it(league):
    season = fill_season(league, 8, size=3, rounds=1, format="knock_out")
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    only = Round.objects.get()
    assert [fixture.chairs.count() for fixture in only.fixtures.all()] == [4, 4]
    assert not only.byes.exists()
    assert League.objects.count() == 1
    assert only.published_at is None or only.published_at < NOON + timedelta(days=1)


# ── seasons in which annulled tables are played again ──


def annul_in_replay_season(client, fixture):
    Season.objects.update(annulled="replay")
    fixture = Fixture.objects.get(pk=fixture.pk)
    assert do(client, fixture, "annul", reason="Wrong seats.", announce="on").status_code == 302
    return Fixture.objects.get(pk=fixture.pk)


@pytest.mark.parametrize("state", ["running", "played", "gathering"])
def test_an_annulled_table_is_played_again_at_once_if_the_settings_say_so(at_olgas, season, state):
    fixture = Fixture.objects.get(round__number=1, table=1)
    if state == "played":
        play_out(fixture.match)
    if state == "gathering":
        fixture = annul_in_replay_season(at_olgas, fixture)  # the new match waits for its players
        EarlierMatch.objects.update(replaced_at=NOON - timedelta(hours=1))
    before = fixture.match_id
    Letter.objects.all().delete()
    fixture = annul_in_replay_season(at_olgas, fixture)
    assert (fixture.ending, fixture.match.phase) == ("", "gathering")
    assert fixture.match_id != before
    assert fixture.earlier_matches.latest("pk").match_id == before
    assert set(points(season).values()) == {0}
    news = Letter.objects.filter(kind="announcement")
    assert news.count() == 3
    assert "was annulled and will be played again" in news.first().values["headline"]
    assert news.first().values["code"] == fixture.match.code
    invitations = Letter.objects.filter(kind="invitation", match=fixture.match)
    assert invitations.count() == 3
    sending.deliver(clock.now)
    for letter in invitations.all():
        assert fixture.match.commitment in letter.text
        for body in (letter.text, letter.html):
            assert "This table will be played again, as a new match." in " ".join(body.split())
    shown = at_olgas.get(reverse("admin:leagues_fixture_change", args=[fixture.pk])).content.decode()
    assert reverse("match", args=[Match.objects.get(pk=before).code]) in shown


def test_pressing_annul_twice_opens_one_new_match(at_olgas, season):
    fixture = annul_in_replay_season(at_olgas, Fixture.objects.get(round__number=1, table=1))
    answer = do(at_olgas, fixture, "annul", reason="Wrong seats.", announce="on")
    assert "A new match was opened for this table a moment ago." in answer.content.decode()
    assert Fixture.objects.get(pk=fixture.pk).match == fixture.match
    assert Match.objects.get(pk=fixture.match_id).phase == "gathering"
    assert Letter.objects.filter(kind="announcement").count() == 3
    assert Letter.objects.filter(kind="invitation", match=fixture.match).count() == 3


def test_two_organisers_who_annul_at_once_open_one_new_match(season):
    Season.objects.update(annulled="replay")
    first, second = (Fixture.objects.get(round__number=1, table=1) for _ in range(2))
    assert corrections.annul(first, reason="Wrong seats.", now=NOON)
    with pytest.raises(ValidationError, match="a moment ago"):
        corrections.annul(second, reason="Wrong seats.", now=NOON + timedelta(seconds=2))


def test_a_table_whose_game_was_removed_is_annulled_without_a_new_match(at_olgas, season, monkeypatch):
    monkeypatch.delitem(games.GAMES, "haricots")
    fixture = annul_in_replay_season(at_olgas, Fixture.objects.get(round__number=1, table=1))
    assert (fixture.ending, fixture.match.phase) == ("annulled", "ended")


def test_the_preview_says_that_a_new_match_is_opened(at_olgas, season, played):
    Season.objects.update(annulled="replay")
    assert "The table is played again as a new match." in preview(at_olgas, played, "annul")
    Fixture.objects.exclude(pk=played.pk).update(ending="played")
    rounds.close_round(Round.objects.get(number=1), now=NOON)
    assert "reopen the round first" in preview(at_olgas, played, "annul")


def test_a_table_of_a_closed_round_is_annulled_without_a_new_match(at_olgas, season, played):
    Fixture.objects.exclude(pk=played.pk).update(ending="played")
    rounds.close_round(Round.objects.get(number=1), now=NOON)
    assert annul_in_replay_season(at_olgas, played).ending == "annulled"


def preview(client, row, action):
    return client.get(do_url(row, action)).content.decode()
