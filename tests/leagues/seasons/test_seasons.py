"""A season from planning to promotion, through the organiser's actions."""

import re
from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from beanpost.leagues import periodic, tasks
from beanpost.leagues.actions import letter_actions, sign_up_actions
from beanpost.leagues.mail import invitations, letters
from beanpost.leagues.models import Bye, Chair, Division, Draw, Entry, Fixture, League, Rated, Rating, Round, Season
from beanpost.leagues.people import entries as season_entries
from beanpost.leagues.records import exports, ratings, season_records
from beanpost.leagues.seasons import next_season, phases, rounds, substitutes
from beanpost.play import clock
from beanpost.play.deadlines import outages
from beanpost.play.display import scene
from beanpost.play.models import Match, Outage, Pulse
from beanpost.play.seats import joining, lifecycle, opening
from beanpost.players import accounts
from beanpost.post import preferences, unsubscribe
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import entered, fill_season, found_league, invent_results, list_needs, play_out, play_round
from tests.post.gallery import deliver

pytestmark = pytest.mark.django_db
DUELS = {"fagioli": "standard"}


@pytest.fixture
def season():
    return fill_season(found_league(), 8, size=4, rounds=2)


@pytest.fixture
def division(season):
    return season.divisions.get()


def test_a_reminder_is_not_sent_for_a_season_that_has_just_closed():
    season = Season.objects.create(league=found_league(), name="Spring")
    phases.open_entries(season)
    entry = season_entries.add_entry(season, "zoe@example.org", now=NOON)
    season_entries.invite_all(season, now=NOON)
    Season.objects.update(phase=Season.Phase.RUNNING)
    assert not season_entries.remind(entry, now=NOON)
    assert Letter.objects.filter(recipient=entry.player).count() == 1


def test_entries_are_invited_once_reminded_once_and_wait_when_the_season_is_full():
    season = Season.objects.create(league=found_league(), name="Spring", most_entries=2)
    phases.open_entries(season)
    entries = [season_entries.add_entry(season, f"p{n}@example.org", now=NOON) for n in range(4)]
    assert [season_entries.invite_all(season, now=NOON) for _ in range(2)] == [4, 0]
    assert Letter.objects.filter(kind="league_invite").count() == 4
    states = [
        season_entries.accept(entry, now=NOON + timedelta(minutes=n)).state for n, entry in enumerate(entries[:3])
    ]
    assert states == ["entered", "entered", "waiting"]
    assert [season_entries.remind_all(season, now=NOON) for _ in range(2)] == [1, 0]
    season_entries.decline(entries[0], now=NOON)
    assert Entry.objects.get(pk=entries[2].pk).state == "entered"
    letter = Letter.objects.get(kind="announcement")
    assert (letter.recipient, letter.values["headline"]) == (
        entries[2].player,
        "A place has come up in Spring: you’re in.",
    )


def test_closing_entries_draws_a_seed_and_fills_the_divisions_evenly():
    season = fill_season(found_league(), 11, divisions=3)
    assert len(season.seed) == 32
    assert [division.entries.count() for division in season.divisions.all()] == [3, 4, 4]


@pytest.mark.parametrize(("people", "sentence"), [(0, "0 personne joue."), (1, "1 personne joue.")])
def test_the_french_preview_of_closing_entries_tells_zero_from_one(people, sentence):
    season = Season.objects.create(league=found_league(), name="Spring")
    for n in range(people):
        season_entries.accept(season_entries.add_entry(season, f"p{n}@example.org", now=NOON), now=NOON)
    with translation.override("fr"):
        assert sign_up_actions.preview_close_entries(season, {})[0] == sentence


def test_a_draw_lays_out_every_round_and_a_redraw_needs_a_reason_that_is_kept(division):
    rounds.draw(division, by=None, now=NOON)
    assert [round_.fixtures.count() for round_ in division.rounds.all()] == [2, 2]
    with pytest.raises(ValidationError, match="redraw"):
        rounds.draw(division, by=None, now=NOON)
    rounds.draw(division, by=None, reason="Two friends asked not to meet first.", now=NOON)
    assert [draw.reason for draw in Draw.objects.all()] == ["", "Two friends asked not to meet first."]
    first, second = Draw.objects.all()
    assert first.seed != second.seed
    assert Round.objects.count() == 2


def test_a_double_press_on_draw_with_a_reason_is_no_redraw(division):
    for reason in ("The hall is free now.", "Two friends asked not to meet first."):
        rounds.draw(division, by=None, reason=reason, now=NOON)
        with pytest.raises(ValidationError, match="Division 1 was drawn a moment ago"):
            rounds.draw(division, by=None, reason=reason, now=NOON + timedelta(seconds=5))
    rounds.draw(division, by=None, reason="Two friends asked not to meet first.", now=NOON + timedelta(hours=1))
    assert Draw.objects.count() == 3


def test_publishing_opens_a_match_at_every_table_and_writes_to_everyone(division):
    rounds.draw(division, by=None, now=NOON)
    assert rounds.publish(division.rounds.first(), now=NOON) == 2
    assert Match.objects.filter(phase="gathering", keeper=division.season.league.keeper).count() == 2
    assert Letter.objects.filter(kind="invitation").count() == 8
    assert Season.objects.get().phase == "running"
    assert rounds.begin_tables(division.rounds.first(), now=NOON) == 2


def test_a_round_is_published_and_closed_once_however_many_organisers_press(division):
    rounds.draw(division, by=None, now=NOON)
    shown, shown_to_another = division.rounds.first(), division.rounds.first()
    rounds.publish(shown, now=NOON)
    with pytest.raises(ValidationError, match="already started"):
        rounds.publish(shown_to_another, now=NOON)
    assert Match.objects.count() == 2
    invent_results(shown)
    shown, shown_to_another = division.rounds.first(), division.rounds.first()
    rounds.close_round(shown, now=NOON)
    with pytest.raises(ValidationError, match="can only close a round that’s being played"):
        rounds.close_round(shown_to_another, now=NOON)


def test_results_arrive_automatically_and_standings_are_live(division):
    rounds.draw(division, by=None, now=NOON)
    first = division.rounds.first()
    rounds.publish(first, now=NOON)
    with pytest.raises(ValidationError, match="No result yet at table 1, 2"):
        rounds.close_round(first, now=NOON)
    play_out(first.fixtures.first().match)
    fixture = Fixture.objects.get(pk=first.fixtures.first().pk)
    assert fixture.ending == "played"
    assert sorted(chair.rank for chair in fixture.chairs.all())[0] == 1
    lines = season_records.compute_standings(division)
    assert sum(line.row.tally.points for line in lines) == 24
    assert lines[0].why == "First place."
    play_round(first)
    rounds.close_round(Round.objects.get(pk=first.pk), now=NOON)


def test_the_next_season_promotes_and_relegates_players_of_a_closed_one():
    season = fill_season(found_league(), 8, divisions=2, size=4, rounds=1, moving=1)
    for division in season.divisions.all():
        rounds.draw(division, by=None, now=NOON)
        rounds.publish(division.rounds.get(), now=NOON)
        play_round(division.rounds.get())
        rounds.close_round(division.rounds.get(), now=NOON)
    upper, lower = (season_records.compute_standings(division) for division in season.divisions.all())
    phases.close_season(Season.objects.get(pk=season.pk))
    fresh = next_season.plan_next_season(Season.objects.get(pk=season.pk), "Winter")
    top, bottom = fresh.divisions.all()
    assert lower[0].entry.player_id in top.entries.values_list("player_id", flat=True)
    assert upper[-1].entry.player_id in bottom.entries.values_list("player_id", flat=True)
    assert (top.entries.count(), bottom.entries.count()) == (4, 4)
    assert set(fresh.entries.values_list("state", flat=True)) == {"invited"}


def test_promotion_marks_match_the_divisions_of_the_next_season():
    season = fill_season(found_league(), 11, divisions=2, size=3, rounds=1, moving=2)
    upper, lower = season.divisions.all()
    season.entries.filter(rung__lt=8).update(division=upper)
    season.entries.filter(rung__gte=8).update(division=lower)
    for division in (upper, lower):
        rounds.draw(division, by=None, now=NOON)
        rounds.publish(division.rounds.get(), now=NOON)
        invent_results(division.rounds.get())
    marked = {
        line.entry.player for home in (upper, lower) for line in season_records.compute_standings(home) if line.row.line
    }
    (_upper, above), (_lower, below) = next_season.plan_divisions(season)
    was_above = {entry.player for entry in upper.entries.all()}
    assert marked == set(above) ^ was_above
    assert len(marked) == 2
    assert len(below) == 3


@pytest.mark.parametrize("form", Season.Format.values)
def test_every_format_can_be_played_round_after_round(form):
    people = 14 if form == "knock_out" else 7
    season = fill_season(found_league(), people, format=form, size=3, rounds=3, name=form)
    division, played = season.divisions.get(), 0
    while played < 3:
        if not division.rounds.filter(phase="drawn").exists():
            rounds.draw(division, by=None, now=NOON)
        round_ = division.rounds.filter(phase="drawn").first()
        rounds.publish(round_, now=NOON)
        invent_results(round_)
        rounds.close_round(Round.objects.get(pk=round_.pk), now=NOON)
        played += 1
    assert entered(season) == people
    lines = season_records.compute_standings(division)
    assert len(lines) == people
    assert len(season_records.compute_course(division)[lines[0].entry.pk]) == played


def test_a_table_that_does_not_count_moves_no_player_on_the_ladder():
    division = fill_season(found_league(), 6, format="ladder", size=3).divisions.get()
    ann, bob, cleo, *others = division.entries.all()
    rounds.draw(division, by=None, now=NOON)
    only = division.rounds.get()
    rounds.publish(only, now=NOON)
    for rank, entry in enumerate((cleo, bob, ann, *reversed(others))):
        Chair.objects.filter(entry=entry).update(rank=rank % 3 + 1)
    Fixture.objects.filter(table=1).update(ending="played", decided_at=NOON)
    Fixture.objects.filter(table=2).update(ending="annulled", decided_at=NOON)
    rounds.close_round(only, now=NOON)
    assert list(division.entries.all()) == [cleo, bob, ann, *others]


def test_sitting_out_rotates_and_is_worth_an_average_seat():
    season = fill_season(found_league(games={"fagioli": "standard"}), 5, size=2, rounds=5)
    rounds.draw(season.divisions.get(), by=None, now=NOON)
    assert sorted(Bye.objects.values_list("entry__rung", flat=True)) == [0, 1, 2, 3, 4]


def test_a_player_who_left_the_ladder_does_not_stop_tables_from_mixing():
    division = fill_season(found_league(), 7, format="ladder", size=3).divisions.get()
    ann, bob, cleo, gone, dan, eva, fay = division.entries.all()
    substitutes.withdraw(gone)
    rounds.draw(division, by=None, now=NOON)
    only = division.rounds.get()
    rounds.publish(only, now=NOON)
    for rank, entry in enumerate((ann, bob, cleo, dan, eva, fay)):
        Chair.objects.filter(entry=entry).update(rank=rank % 3 + 1)
    Fixture.objects.update(ending="played", decided_at=NOON)
    rounds.close_round(only, now=NOON)
    assert list(division.entries.all()) == [ann, bob, dan, gone, cleo, eva, fay]


def test_a_player_who_sits_out_does_not_stop_ladder_tables_from_mixing():
    division = fill_season(found_league(games=DUELS), 5, format="ladder", size=2).divisions.get()
    rounds.draw(division, by=None, now=NOON)
    only, idle = division.rounds.get(), Bye.objects.get().entry
    ann, bob, cleo, dan = division.entries.exclude(pk=idle.pk)
    for rung, entry in enumerate((ann, bob, idle, cleo, dan)):
        Entry.objects.filter(pk=entry.pk).update(rung=rung)
    rounds.publish(only, now=NOON)
    for rank, entry in enumerate((ann, bob, cleo, dan)):
        Chair.objects.filter(entry=entry).update(rank=rank % 2 + 1)
    Fixture.objects.update(ending="played", decided_at=NOON)
    rounds.close_round(only, now=NOON)
    assert list(division.entries.all()) == [ann, cleo, idle, bob, dan]


def test_sitting_out_is_worth_a_seat_at_the_tables_of_that_round():
    division = fill_season(found_league(games=DUELS), 7, size=2, rounds=1, points="10 6 3").divisions.get()
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.get(), now=NOON)
    invent_results(division.rounds.get())
    assert {fixture.chairs.count() for fixture in Fixture.objects.all()} == {2}
    who = Bye.objects.get().entry_id
    (line,) = [line for line in season_records.compute_standings(division) if line.entry.pk == who]
    assert line.row.tally.points == 8
    assert season_records.compute_course(division)[who] == [8]


def test_ratings_follow_every_match_and_can_be_recomputed_from_the_logs(division):
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    play_round(division.rounds.first())
    assert Rated.objects.count() == 2
    assert Rating.objects.filter(game="haricots").count() == Rating.objects.filter(game="").count() == 8
    assert ratings.recompute_ratings() == (16, 0)
    Rating.objects.filter(game="").update(mu=1)
    assert ratings.recompute_ratings() == (16, 8)
    assert ratings.recompute_ratings() == (16, 0)


def test_a_match_may_end_while_ratings_are_recomputed(division, monkeypatch):
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    first, second = Match.objects.order_by("pk")
    play_out(first)
    lock_ratings = ratings.lock_ratings

    def lock_after_the_second():
        monkeypatch.setattr(ratings, "lock_ratings", lock_ratings)
        play_out(second)
        lock_ratings()

    monkeypatch.setattr(ratings, "lock_ratings", lock_after_the_second)
    Rating.objects.update(mu=1)
    assert ratings.recompute_ratings()[0] == 16
    assert Rated.objects.count() == 2
    assert ratings.recompute_ratings() == (16, 0)


def test_ratings_are_recomputed_again_after_a_concurrent_change(division, monkeypatch):
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    play_round(division.rounds.first())
    lock_ratings = ratings.lock_ratings

    def lock_after_another():
        monkeypatch.setattr(ratings, "lock_ratings", lock_ratings)
        Fixture.objects.filter(match__rated__nth=1).update(ending="annulled")
        ratings.recompute_ratings()

    monkeypatch.setattr(ratings, "lock_ratings", lock_after_another)
    assert ratings.recompute_ratings() == (8, 0)


def test_a_bot_is_not_rated_and_is_the_same_opponent_for_everyone():
    fresh = ratings.rate({}, "haricots", [1, None, 3], [1, 2, 3])
    assert {player for player, _ in fresh} == {1, 3}
    assert fresh[1, ""].mu > 25 > fresh[3, ""].mu
    assert fresh[1, ""].sigma < ratings.MODEL.sigma


def test_an_entry_without_an_answer_is_reminded_once_after_three_days():
    season = Season.objects.create(league=found_league(), name="Spring", phase="entering")
    season_entries.add_entry(season, "ann@example.org", now=NOON)
    season_entries.invite_all(season, now=NOON)
    assert periodic.remind_silent_people(NOON + timedelta(days=2)) == 0
    assert [periodic.remind_silent_people(NOON + timedelta(days=4)) for _ in range(2)] == [1, 0]
    assert Letter.objects.filter(kind="league_invite").count() == 2


def test_the_weekly_letter_goes_automatically_on_monday_if_the_organiser_wants_it(season):
    Season.objects.update(phase="running")
    assert periodic.queue_weekly_letters(NOON) == 0  # NOON is a Monday
    season.league.weekly = "itself"
    season.league.save()
    assert periodic.queue_weekly_letters(NOON + timedelta(days=1)) == 0
    assert [periodic.queue_weekly_letters(NOON) for _ in range(2)] == [1, 1]
    assert Letter.objects.filter(kind="weekly").count() == 8


def test_the_weekly_letter_goes_as_soon_as_a_host_is_back_that_was_down_all_monday(season):
    Season.objects.update(phase="running")
    League.objects.update(weekly="itself")
    tuesday = NOON + timedelta(hours=20)
    Pulse.objects.create(pk=1, beat_at=NOON - timedelta(days=1))
    outages.record_heartbeat(tuesday)
    assert [periodic.queue_weekly_letters(tuesday + timedelta(hours=hour)) for hour in range(2)] == [1, 0]
    assert Letter.objects.filter(kind="weekly").count() == 8
    assert periodic.queue_weekly_letters(NOON + timedelta(days=6)) == 0


def test_the_weekly_letter_of_a_host_that_woke_late_on_monday_goes_on_its_next_round(season):
    Season.objects.update(phase="running")
    League.objects.update(weekly="itself")
    Pulse.objects.create(pk=1, beat_at=NOON + timedelta(hours=12, minutes=47))
    Outage.objects.create(began_at=NOON - timedelta(days=1), ended_at=NOON + timedelta(hours=11, minutes=50))
    rounds = (NOON + timedelta(hours=hour, minutes=47) for hour in (12, 13))
    assert [periodic.queue_weekly_letters(now) for now in rounds] == [1, 0]


def test_a_night_without_the_host_repeats_no_weekly_letter(season):
    Season.objects.update(phase="running")
    League.objects.update(weekly="itself")
    assert periodic.queue_weekly_letters(NOON) == 1
    Outage.objects.create(began_at=NOON + timedelta(hours=10), ended_at=NOON + timedelta(hours=18))
    assert periodic.queue_weekly_letters(NOON + timedelta(hours=19)) == 0


def test_a_failing_league_task_does_not_stop_the_others(season, monkeypatch, caplog):
    """One failing entry does not stop the next, and one failing task does not stop the next."""
    silent = Season.objects.create(league=found_league("Autumn league"), name="Autumn", phase="entering")
    broken, _ = [season_entries.add_entry(silent, f"p{n}@example.org", now=NOON - timedelta(days=4)) for n in range(2)]
    season_entries.invite_all(silent, now=NOON - timedelta(days=4))
    Season.objects.filter(pk=season.pk).update(phase="running")
    League.objects.update(weekly="itself")
    write = invitations.queue_invitation

    def stumble(entry: Entry, **more: object) -> None:
        if entry == broken:
            raise RuntimeError(entry.player.address)
        write(entry, **more)

    monkeypatch.setattr(invitations, "queue_invitation", stumble)
    monkeypatch.setattr(ratings, "find_annulled", Rating.objects.none().get)
    monkeypatch.setattr(clock, "now", lambda: NOON)
    tasks.run_periodic()
    tasks.recompute_ratings()
    assert Letter.objects.filter(kind="league_invite", key__endswith="again").count() == 1
    assert Entry.objects.get(pk=broken.pk).reminded_at is None
    assert Letter.objects.filter(kind="weekly").count() == 8
    assert "rate_again was put off: DoesNotExist" in caplog.text
    assert f"The reminder of entry {broken.pk} was put off: RuntimeError" in caplog.text
    assert broken.player.address not in caplog.text


def test_ratings_that_take_too_long_keep_no_letter_back_and_are_logged(monkeypatch, caplog):
    def replay_for_ever() -> None:
        raise SoftTimeLimitExceeded

    Season.objects.create(league=found_league(weekly="itself"), name="Spring", phase="running")
    sent: list[Season] = []
    monkeypatch.setattr(periodic, "recompute_ratings_if_needed", replay_for_ever)
    monkeypatch.setattr(letters, "send_weekly", lambda season, now: sent.append(season) or 1)
    monkeypatch.setattr(clock, "now", lambda: NOON)
    tasks.run_periodic()
    tasks.recompute_ratings()
    assert len(sent) == 1
    assert "Run `manage.py ratings`" in caplog.text


def test_a_table_that_is_not_full_waits_until_an_organiser_decides(division, admin_user):
    rounds.draw(division, by=admin_user, now=NOON)
    round_ = division.rounds.get(number=1)
    rounds.publish(round_, now=NOON)
    assert lifecycle.expire(NOON + 2 * opening.FILLS_WITHIN) == 0
    assert rounds.begin_tables(round_, now=NOON + 2 * opening.FILLS_WITHIN) == round_.fixtures.count()


def test_a_declined_seat_is_on_the_dashboard_until_a_substitute_takes_it(division, admin_user):
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    spare = season_entries.add_entry(division.season, "spare@example.org", now=NOON)
    season_entries.accept(spare, as_substitute=True, now=NOON)
    chair = division.rounds.first().fixtures.first().chairs.first()
    joining.decline(chair.fixture.match.places.get(seat=chair.seat), now=NOON)
    sentence = "Division 1, round 1, table 1 has an empty seat."
    assert sentence in list_needs(admin_user)
    substitutes.substitute(chair, Entry.objects.get(pk=spare.pk), now=NOON + timedelta(hours=1))
    assert sentence not in list_needs(admin_user)
    assert rounds.begin_tables(division.rounds.first(), now=NOON) == 2


def test_a_player_who_left_has_a_row_only_if_they_played(client, division):
    season = division.season
    invited = season_entries.add_entry(season, "zoe@example.org", name="Zoe", now=NOON)
    phases.set_division(invited, division)  # as for a person invited to the next season
    early, late = division.entries.filter(state="entered")[:2]
    for entry in (invited, early):
        substitutes.withdraw(entry)
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    substitutes.withdraw(late)
    names = {line.entry.player.name for line in season_records.compute_standings(division)}
    assert late.player.name in names
    assert not {early.player.name, "Zoe"} & names
    assert "Zoe" not in client.get(reverse("season", args=[season.league.slug, season.pk])).content.decode()


def test_a_player_who_became_a_substitute_keeps_their_row_and_is_invited_once(division):
    season = division.season
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    play_round(division.rounds.first())
    rounds.close_round(division.rounds.first(), now=NOON)
    first, before = season_records.compute_standings(division)[0], season_records.compute_course(division)
    Entry.objects.filter(pk=first.entry.pk).update(state="substitute")
    after = season_records.compute_standings(division)[0]
    assert (after.entry, after.points, after.row.tally.played) == (first.entry, first.points, 1)
    assert season_records.compute_course(division) == before
    phases.close_season(season)
    assert first.entry.player not in next_season.plan_divisions(season)[0][1]
    fresh = next_season.plan_next_season(season, "Winter", also=substitutes.find_substitutes(season))
    assert fresh.entries.count() == 8
    assert fresh.entries.get(player=first.entry.player).division is None


@pytest.mark.parametrize(
    ("language", "gone", "sits_in"),
    [("en", "has left", "now a substitute"), ("fr", "a quitté la saison", "remplace maintenant les absents")],
)
def test_standings_mark_players_who_left_and_players_who_are_substitutes_now(client, division, language, gone, sits_in):
    season = division.season
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.first(), now=NOON)
    play_round(division.rounds.first())
    rounds.close_round(division.rounds.first(), now=NOON)
    first, second, *others = season_records.compute_standings(division)
    Entry.objects.filter(pk=first.entry.pk).update(state="substitute")
    substitutes.withdraw(second.entry)
    accounts.change(others[0].entry.player, language=language)
    with translation.override(language):
        preview = "\n".join(letter_actions.preview_week(season, {}))
    letters.send_weekly(season, now=NOON)
    deliver(NOON)
    letter = Letter.objects.get(kind="weekly", recipient=others[0].entry.player)
    assert re.search(rf"^  1 +{first.entry} \({sits_in}\) +{first.points}$", letter.text, re.MULTILINE)
    texts = [preview, letter.text, letter.html]
    pages = reverse("season", args=[season.league.slug, season.pk]), reverse("league", args=[season.league.slug])
    with translation.override(language):
        texts += [client.get(page, headers={"Accept-Language": language}).content.decode() for page in pages]
    assert [(text.count(gone), text.count(sits_in)) for text in texts] == [(1, 1)] * len(texts)
    states = {row["name"]: row["state"] for row in exports.list_standings(season)}
    assert [states[line.entry.player.name] for line in (first, second)] == ["substitute", "left"]


def test_a_seat_needs_a_registered_substitute_who_is_not_at_the_table_yet(division):
    rounds.draw(division, by=None, now=NOON)
    one, other = division.rounds.first().fixtures.first().chairs.all()[:2]
    with pytest.raises(ValidationError, match="isn’t a substitute"):
        substitutes.substitute(one, other.entry, now=NOON)


@pytest.mark.parametrize(("policy", "days"), [("strict", 0), ("usual", 7), ("patient", None)])
def test_the_league_decides_how_long_its_tables_wait_for_absent_players(client, policy, days):
    season = fill_season(found_league(absence=policy, pace="36h bank 2d gain 6h days 12345"), 4, size=4, rounds=1)
    division = season.divisions.get()
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.get(), now=NOON)
    rounds.begin_tables(division.rounds.get(), now=NOON)
    match = Match.objects.get()
    assert (match.away_days, match.parsed_pace.days) == (days, "12345")
    door = reverse("away", args=[scene.build_scene(match, 0).seat_ticket])
    shown = client.get(door).content.decode()
    assert ("it doesn’t wait for players who are away." in shown) == (days == 0)
    assert ("it waits 7 days for a player who is away." in shown) == (days == 7)
    assert (f"({season.league.name})" in shown) == (days is not None)


def test_days_that_a_table_waits_for_are_not_listed_as_left_out(client):
    season = fill_season(found_league(absence="usual"), 4, size=4, rounds=1)
    division = season.divisions.get()
    rounds.draw(division, by=None, now=NOON)
    rounds.publish(division.rounds.get(), now=NOON)
    rounds.begin_tables(division.rounds.get(), now=NOON)
    door = reverse("away", args=[scene.build_scene(Match.objects.get(), 0).seat_ticket])
    first = clock.now().date()
    shown = client.post(door, {"first": first, "last": first + timedelta(days=6)}).content.decode()
    assert "it waits" not in shown
    shown = client.post(door, {"first": first, "last": first + timedelta(days=7)}).content.decode()
    assert "it waits 7 days for a player who is away." in shown


def test_a_player_who_unsubscribes_from_weekly_letters_stays_in_the_season(season):
    entry = season.entries.filter(state="entered").first()
    preferences.stop_kind(entry.player, "weekly", now=NOON)
    assert letters.send_weekly(season, now=NOON) == 7
    entry.refresh_from_db()
    assert (entry.state, entry.player.how_often) == ("entered", "every")
    assert unsubscribe.is_committed(entry.player)


@pytest.mark.parametrize("level", [0, Division.MAX_DIVISIONS + 1])
def test_a_season_has_a_maximum_number_of_divisions(level):
    season = Season.objects.create(league=found_league(), name="Deep")
    Division(season=season, name="Last", level=Division.MAX_DIVISIONS).full_clean()
    with pytest.raises(ValidationError, match="Levels run from 1"):
        Division(season=season, name="Too many", level=level).full_clean()
