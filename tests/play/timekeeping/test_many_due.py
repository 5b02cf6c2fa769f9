"""Many questions that fall due at once: handled in batches until none is left, and shared between workers."""

from datetime import timedelta
from threading import Thread
from unittest.mock import Mock

import pytest
from django.db import connection

from beanpost.celery import app
from beanpost.play import load, tasks
from beanpost.play.deadlines import outages
from beanpost.play.models import Event, Match, Wait
from beanpost.play.timekeeping import due_questions, timeouts
from beanpost.players.models import Player
from beanpost.post.models import Letter
from beanpost.post.notify import daily_letters
from tests.friends import NOON, seat_friends, welcome_player

MATCHES = 5
LATER = NOON + timedelta(hours=1)


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(due_questions, "BATCH_SIZE", 2)
    monkeypatch.setattr(due_questions, "POOL_SIZE", 3)


def fall_due():
    for n in range(MATCHES):
        seat_friends(secret=bytes([n]) * 32)
    Wait.objects.update(due_at=NOON, remind_at=None)


@pytest.mark.django_db
@pytest.mark.usefixtures("small_batches")
def test_one_sweep_handles_batch_after_batch_until_nothing_is_due():
    fall_due()
    assert timeouts.time_out_all(LATER) == MATCHES
    assert not timeouts.find_timed_out(LATER).exists()


@pytest.mark.django_db
def test_outages_and_absences_are_read_once_for_all_questions(django_assert_max_num_queries):
    fall_due()
    with django_assert_max_num_queries(3 + 18 * MATCHES) as read:
        assert timeouts.time_out_all(LATER) == MATCHES
    for table in ("play_outage", "players_away"):
        assert sum(f'FROM "{table}"' in query["sql"] for query in read.captured_queries) == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("small_batches")
def test_a_sweep_stops_when_its_time_is_up_and_the_next_goes_on(monkeypatch):
    fall_due()
    monkeypatch.setattr(due_questions, "SECONDS_PER_RUN", -1)
    assert timeouts.time_out_all(LATER) == 2
    assert timeouts.time_out_all(LATER) == 2
    assert timeouts.time_out_all(LATER) == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("small_batches")
def test_questions_that_nothing_can_be_done_about_do_not_keep_the_sweep_busy():
    fall_due()
    Match.objects.update(phase=Match.Phase.GATHERING)
    assert timeouts.time_out_all(LATER) == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
@pytest.mark.usefixtures("small_batches")
def test_two_workers_share_the_due_rows_and_do_each_once():
    fall_due()
    before, done = Event.objects.count(), []

    def work():
        try:
            done.append(timeouts.time_out_all(LATER))
        finally:
            connection.close()

    workers = [Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    timeouts.time_out_all(LATER)  # rows that were locked at the last look
    assert not timeouts.find_timed_out(LATER).exists()
    assert Event.objects.count() == before + MATCHES


@pytest.mark.django_db
@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("column", ["due_at", "remind_at"])
def test_each_batch_calls_one_more_worker_while_more_is_due(monkeypatch, column):
    called = []
    monkeypatch.setattr(tasks.clock, "now", lambda: LATER)
    monkeypatch.setattr(tasks.current_app, "send_task", lambda name, **_: called.append(name))
    tasks.sweep()
    assert called == []
    fall_due()
    Wait.objects.update(**{"due_at": LATER + timedelta(days=1), "remind_at": None} | {column: NOON})
    tasks.sweep()
    # Five rows in batches of two: more is due at the first and the second.
    assert called == ["beanpost.play.tasks.share"] * 2 * connection.features.has_select_for_update_skip_locked
    assert set(called) <= set(app.tasks)


@pytest.mark.django_db
@pytest.mark.usefixtures("small_batches")
def test_no_worker_is_called_while_no_row_can_be_handled(monkeypatch):
    """Otherwise each worker would call the next, for ever."""
    fall_due()
    monkeypatch.setattr(load, "load_free_match", lambda *_: None)  # as while another transaction holds the locks
    call_helper = Mock()
    assert timeouts.time_out_all(LATER, call_helper) == 0
    assert not call_helper.called


@pytest.mark.django_db
@pytest.mark.usefixtures("small_batches")
def test_a_worker_that_helps_after_an_outage_times_nobody_out(monkeypatch):
    fall_due()
    outages.record_heartbeat(NOON)
    monkeypatch.setattr(tasks.clock, "now", lambda: LATER)
    monkeypatch.setattr(tasks, "connection", Mock())  # as if workers could share rows in every database
    helpers = iter([tasks.share])  # one, which starts at once
    monkeypatch.setattr(tasks.current_app, "send_task", lambda *_, **__: next(helpers, lambda: None)())
    tasks.sweep()
    assert Event.objects.filter(line__startswith="extend", origin="house").count() == MATCHES
    assert not Event.objects.filter(origin="clock").exists()


@pytest.mark.django_db
def test_daily_letters_are_written_batch_after_batch(monkeypatch):
    monkeypatch.setattr(daily_letters, "BATCH", 2)
    seat_friends()
    for n in range(MATCHES):
        welcome_player(f"p{n}@example.org", f"P{n}")
    Player.objects.update(digest_at=NOON, how_often=Player.HowOften.DAILY)
    written = daily_letters.write_due(LATER)
    assert written == Letter.objects.filter(kind="digest").count() > 0
    assert not Player.objects.filter(digest_at__lte=LATER).exists()
