"""Hundreds of people are invited, drawn and seated by a task, with progress shown, and nothing happens twice."""

from functools import partial
from html import unescape
from types import SimpleNamespace

import pytest
from django.db.models import F
from django.urls import reverse

from beanpost.leagues import tasks
from beanpost.leagues.bulk import jobs
from beanpost.leagues.models import Division, Draw, Entry, Event, Fixture, Job, League, Round, Season
from beanpost.play import clock
from beanpost.play.models import Match
from beanpost.post.models import Letter
from tests.friends import NOON
from tests.leagues.office import LATER, do

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_the_afternoon")]
MANY = 70


@pytest.fixture(autouse=True)
def woken(monkeypatch):
    """Count wake-ups instead of asking a broker."""
    calls = []
    wake = partial(calls.append, 1)
    monkeypatch.setattr(jobs, "TASK", SimpleNamespace(request=wake, schedule=wake))
    return calls


@pytest.fixture
def season(league):
    return Season.objects.create(league=league, name="Spring", size=4, rounds=1, format="swiss")


def people(count=MANY):
    rows = "\n".join(f"Player {n},p{n:03}@example.org,Group {n % 2 + 1}" for n in range(count))
    return f"name,email,division\n{rows}"


def progress(client, season):
    job = Job.objects.latest("pk")
    answer = client.get(reverse("admin:leagues_season_progress", args=[season.pk, job.pk]))
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def cockpit(client, season):
    return unescape(client.get(reverse("admin:leagues_season_cockpit", args=[season.pk])).content.decode())


def add_many(client, season):
    assert do(client, season, "import", people=people()).status_code == 302


def invite_many(client, season):
    add_many(client, season)
    return do(client, season, "invite")


def test_a_long_list_is_added_at_once(at_olgas, season):
    add_many(at_olgas, season)
    assert not Job.objects.exists()
    assert season.entries.count() == MANY
    assert [division.name for division in season.divisions.all()] == ["Group 1", "Group 2"]
    assert season.divisions.first().entries.count() == MANY // 2
    assert Event.objects.get().told == "70 people were added."


def test_many_people_are_invited_by_a_task_with_progress(at_olgas, season, woken):
    answer = invite_many(at_olgas, season)
    assert woken == [1]
    assert answer["location"] == reverse("admin:leagues_season_progress", args=[season.pk, Job.objects.get().pk])
    assert not Letter.objects.exists()
    shown = progress(at_olgas, season)
    assert "0 of 70" in shown
    assert 'http-equiv="refresh"' in shown
    assert jobs.run_batch(Job.objects.get().pk, LATER)
    assert "25 of 70" in progress(at_olgas, season)
    assert "Still at work: 25 of 70" in cockpit(at_olgas, season)
    tasks.run_jobs()
    shown = progress(at_olgas, season)
    assert "70 invitations were sent." in shown
    assert 'http-equiv="refresh"' not in shown
    assert "Still at work" not in cockpit(at_olgas, season)
    assert Event.objects.latest("pk").told == "70 invitations were sent."
    assert Job.objects.get().steps == []


def test_a_task_that_runs_twice_does_nothing_twice(at_olgas, season):
    invite_many(at_olgas, season)
    tasks.run_jobs()
    tasks.run_jobs()
    assert not jobs.run(Job.objects.get().pk, clock.now)
    assert Letter.objects.filter(kind="league_invite").count() == MANY
    assert Event.objects.count() == 2


def test_many_people_are_invited_once_each(at_olgas, season):
    add_many(at_olgas, season)
    answer = do(at_olgas, season, "invite", words="Come and play!")
    assert "/progress/" in answer["location"]
    job = Job.objects.latest("pk")
    jobs.run_batch(job.pk, LATER)
    assert Letter.objects.filter(kind="league_invite").count() == jobs.BATCH
    Job.objects.filter(pk=job.pk).update(done=0)  # as if the count had been lost
    tasks.run_jobs()
    tasks.run_jobs()
    assert Letter.objects.filter(kind="league_invite").count() == MANY
    assert Season.objects.get().phase == "entering"
    assert Season.objects.get().invitation_words == "Come and play!"


def close_entries(client, season):
    add_many(client, season)
    Entry.objects.update(state="entered", known=True, answered_at=NOON)
    Season.objects.update(phase="closed", seed="beans")
    season.refresh_from_db()


def draw(client, season):
    close_entries(client, season)
    do(client, season, "draw")
    tasks.run_jobs()


def test_a_large_season_is_drawn_division_by_division(at_olgas, season):
    close_entries(at_olgas, season)
    answer = do(at_olgas, season, "draw")
    assert "/progress/" in answer["location"]
    jobs.run_batch(Job.objects.latest("pk").pk, LATER)
    assert "1 of 2" in progress(at_olgas, season)
    tasks.run_jobs()
    tasks.run_jobs()
    assert Draw.objects.count() == 2
    assert "Group 1 and Group 2 were drawn." in progress(at_olgas, season)
    assert {draw.drawn_by.username for draw in Draw.objects.all()} == {"olga"}


def test_a_redraw_without_a_reason_is_refused_before_a_task_begins(at_olgas, season):
    add_many(at_olgas, season)
    Entry.objects.update(state="entered", known=True)
    Season.objects.update(phase="closed", seed="beans")
    division = Division.objects.first()
    Entry.objects.update(division=division)
    do(at_olgas, division, "draw")
    tasks.run_jobs()
    answer = do(at_olgas, Division.objects.get(pk=division.pk), "draw")
    assert answer.status_code == 400
    assert "This is a redraw." in unescape(answer.content.decode())
    assert Job.objects.filter(finished_at=None).count() == 0


def test_the_rounds_of_a_large_season_start_one_by_one(at_olgas, season):
    draw(at_olgas, season)
    answer = do(at_olgas, season, "start", due_on="2026-12-24")
    assert "/progress/" in answer["location"]
    assert not Match.objects.exists()
    jobs.run_batch(Job.objects.latest("pk").pk, LATER)
    assert "1 of 2" in progress(at_olgas, season)
    assert [round_.phase for round_ in Round.objects.order_by("pk")] == ["published", "drawn"]
    tasks.run_jobs()
    tasks.run_jobs()
    assert Match.objects.count() == Fixture.objects.count() == 18
    assert Letter.objects.filter(kind="invitation").count() == MANY
    assert {str(round_.due_on) for round_ in Round.objects.all()} == {"2026-12-24"}
    assert "18 tables are open and their players are invited." in progress(at_olgas, season)
    event = Event.objects.latest("pk")
    assert (event.kind, event.told) == ("rounds", "18 tables are open and their players are invited.")


def test_a_large_round_starts_alone(at_olgas, season):
    draw(at_olgas, season)
    Entry.objects.update(division=Division.objects.first())
    first, second = Round.objects.order_by("pk")
    Fixture.objects.filter(round=second).update(round=first, table=F("table") + 20)
    answer = do(at_olgas, first, "publish")
    assert "/progress/" in answer["location"]
    assert "Just a moment" in progress(at_olgas, season)
    assert "Still at work" in cockpit(at_olgas, season)
    tasks.run_jobs()
    assert Match.objects.count() == 18
    assert "18 tables are open" in progress(at_olgas, season)


def test_no_task_begins_before_an_organiser_without_a_keeper_has_confirmed_their_address(at_olgas, season):
    draw(at_olgas, season)
    League.objects.update(keeper=None)
    answer = do(at_olgas, season, "start")
    assert answer["location"].startswith(reverse("admin:leagues_league_keeper", args=[season.league_id]))
    assert not Job.objects.filter(finished_at=None).exists()


def test_a_season_has_one_job_at_a_time(at_olgas, season):
    invite_many(at_olgas, season)
    answer = do(at_olgas, season, "invite")
    assert answer.status_code == 400
    assert "We’re still busy with this season." in unescape(answer.content.decode())


def test_a_job_that_cannot_go_on_says_why(at_olgas, season):
    invite_many(at_olgas, season)
    Season.objects.update(phase="ended")
    tasks.run_jobs()
    assert "Bean League: Spring is over, so you can’t do that now." in progress(at_olgas, season)
    assert not Letter.objects.exists()


def test_an_error_of_ours_ends_the_job_and_frees_the_season(at_olgas, season, monkeypatch):
    invite_many(at_olgas, season)
    jobs.run_batch(Job.objects.get().pk, LATER)

    def fail(*_):
        raise RuntimeError

    monkeypatch.setitem(jobs.STEP_FUNCTIONS, "invite", fail)
    tasks.run_jobs()
    assert "Something went wrong on our side." in progress(at_olgas, season)
    assert Letter.objects.filter(kind="league_invite").count() == jobs.BATCH


def test_other_organisers_see_no_progress(at_olgas, at_ottos, season):
    invite_many(at_olgas, season)
    url = reverse("admin:leagues_season_progress", args=[season.pk, Job.objects.get().pk])
    assert at_ottos.get(url).status_code == 404


def test_a_job_ends_when_its_organiser_no_longer_runs_the_league(at_olgas, league, season):
    add_many(at_olgas, season)
    do(at_olgas, season, "invite")
    job = Job.objects.latest("pk")
    jobs.run_batch(job.pk, LATER)
    league.organisers.clear()
    tasks.run_jobs()
    job.refresh_from_db()
    assert Letter.objects.filter(kind="league_invite").count() == jobs.BATCH
    assert job.finished_at
    assert job.error == "The organiser who asked for this no longer runs the league. Steps that are done stay."


def test_a_job_of_a_deleted_account_ends(at_olgas, olga, season):
    add_many(at_olgas, season)
    do(at_olgas, season, "invite")
    Job.objects.update(asked_by=None)
    tasks.run_jobs()
    assert not Letter.objects.filter(kind="league_invite").exists()


def test_many_tables_begin_in_a_task_without_waiting(at_olgas, season):
    close_entries(at_olgas, season)
    for action in ("draw", "start"):
        do(at_olgas, season, action)
        tasks.run_jobs()
    season.refresh_from_db()
    tables = Match.objects.filter(phase="gathering").count()
    answer = do(at_olgas, season, "begin")
    assert "/progress/" in answer["location"]
    assert f"0 of {tables}" in progress(at_olgas, season)
    tasks.run_jobs()
    assert f"{tables} tables have started." in progress(at_olgas, season)
    assert Match.objects.filter(phase="running").count() == tables
    assert Event.objects.order_by("-pk")[0].kind == Event.Kind.ROUNDS
    assert do(at_olgas, season, "begin").status_code == 400  # nothing is waiting any more
