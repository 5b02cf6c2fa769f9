"""The queue wakes people up; it keeps nothing."""

from beanpost.celery import app


def test_the_clock_calls_tasks_that_exist():
    app.loader.import_default_modules()
    called = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert called <= set(app.tasks)
    assert {"beanpost.post.tasks.deliver", "beanpost.play.tasks.sweep"} <= called


def test_a_task_is_done_only_when_it_is_done():
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost


def test_only_plain_values_travel_and_no_answer_is_kept():
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"
    assert app.conf.task_ignore_result
