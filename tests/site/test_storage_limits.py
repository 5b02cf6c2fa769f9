"""Each row of the table of limits: what it names is stored until its time, and not two hours longer."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.sessions.models import Session

from beanpost.leagues.models import Season, Webhook, WebhookCall
from beanpost.leagues.people import entries
from beanpost.play import practice
from beanpost.play.models import Match
from beanpost.players import accounts
from beanpost.players.models import Player, Unanswered
from beanpost.post.models import Body, Letter, LetterRequest, Reply, Report, VisitorHour
from beanpost.post.outbox import queue
from beanpost.privacy import storage_limits, tasks
from tests.friends import NOON, seat_friends, welcome
from tests.leagues.office import found_league
from tests.pages.table import press
from tests.post.gallery import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]


@pytest.fixture
def at_noon(time_machine):
    time_machine.move_to(NOON, tick=False)


def write_letters() -> Letter:
    """Return the letter about a question that has been answered, in a match that has ended."""
    match = seat_friends()
    deliver()
    press(match)
    Match.objects.filter(pk=match.pk).update(ended_at=NOON, phase="ended")
    return match.letters.filter(kind="turn").earliest("pk")


def bytes_of_letters():
    return Body.objects.filter(letter=write_letters())


def texts_of_letters():
    return Letter.objects.filter(pk=write_letters().pk).exclude(subject="")


def texts_of_letters_without_a_match():
    queue.queue(welcome("Zoe"), "lost", "asked/1", {"some": "value"}, now=NOON)
    Letter.objects.update(state="dropped")
    return Letter.objects.exclude(values={})


def replies():
    write = {"fingerprint": "1", "sender": "ann@example.org", "source": b"m1", "state": "played"}
    Reply.objects.create(letter=write_letters(), received_at=NOON, due_at=NOON, **write)
    return Reply.objects.exclude(source=b"")


def envelopes():
    return Letter.objects.filter(pk=write_letters().pk)


def envelopes_without_a_match():
    texts_of_letters_without_a_match()
    return Letter.objects.all()


def reports():
    Report.objects.create(letter=write_letters(), kind="bounced", told_at=NOON, read_at=NOON)
    return Report.objects.all()


def invited_people():
    return Player.objects.filter(pk=welcome("Zoe").pk).exclude(address__endswith=accounts.ERASED)


def listed_people():
    season = Season.objects.create(league=found_league(), name="Spring")
    player = entries.add_entry(season, "zoe@example.org", now=NOON).player
    return Player.objects.filter(pk=player.pk).exclude(address__endswith=accounts.ERASED)


def addresses_that_never_answered():
    Unanswered.objects.create(fingerprint="1", letters=3, last_at=NOON, last_letter=1)
    return Unanswered.objects.all()


def typed_addresses():
    LetterRequest.objects.create(address="zoe@example.org", kind="lost", asked_at=NOON)
    return LetterRequest.objects.all()


def visitors():
    VisitorHour.objects.create(visitor="1", letters=1, began_at=NOON)
    return VisitorHour.objects.all()


def sign_ins(kind, **more):
    kind.objects.create(username="olga", ip_address="192.0.2.7", user_agent="", http_accept="", path_info="/", **more)
    kind.objects.update(attempt_time=NOON)
    return kind.objects.all()


def browsers_signed_in(settings):
    began = NOON + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    Session.objects.create(session_key="1", session_data="", expire_date=began)
    return Session.objects.all()


def practice_matches():
    practice.begin("haricots", visitor="192.0.2.7", language="en", now=NOON)
    return Match.objects.filter(practice=True)


def news_on_its_way():
    webhook = Webhook.objects.create(league=found_league(), url="https://discord.com/x")
    WebhookCall.objects.create(webhook=webhook, key="1", body="{}", created_at=NOON, due_at=NOON)
    return WebhookCall.objects.all()


ROWS = [  # in the order of the table: which row, its days, what it names
    (0, 5, bytes_of_letters),
    (1, 30, texts_of_letters),
    (1, 30, texts_of_letters_without_a_match),
    (1, 30, replies),
    (2, 365, envelopes),
    (2, 365, envelopes_without_a_match),
    (3, 30, reports),
    (4, 30, invited_people),
    (4, 90, listed_people),
    (5, 90, addresses_that_never_answered),
    (6, 1, typed_addresses),
    (7, 1, visitors),
    (8, 30, lambda: sign_ins(AccessAttempt, get_data="", post_data="", failures_since_start=1)),
    (8, 30, lambda: sign_ins(AccessFailureLog)),
    (8, 30, lambda: sign_ins(AccessLog)),
    (9, 14, browsers_signed_in),
    (10, 14, practice_matches),
    (11, 3, news_on_its_way),
]


@pytest.mark.parametrize(("row", "days", "store"), ROWS, ids=[f"{row}-{days}" for row, days, _ in ROWS])
def test_what_a_limit_names_is_deleted_when_its_time_is_over_and_not_before(row, days, store, settings):
    stored = store(settings) if store is browsers_signed_in else store()
    storage_limits.delete_old_data(NOON + timedelta(days=days, hours=-1))
    assert stored.exists()
    storage_limits.delete_old_data(NOON + timedelta(days=days, hours=2))
    assert not stored.exists()


def test_every_limit_is_tried_with_the_days_that_it_promises():
    limits = storage_limits.list_limits()
    assert sorted({row for row, _, _ in ROWS}) == list(range(len(limits)))
    for row, days, store in ROWS:
        told = {visitors: "the next day", typed_addresses: "a moment later", listed_people: "three times as long"}
        assert told.get(store, f"{days} days") in limits[row].until


def test_the_privacy_page_prints_every_limit(client):
    page = client.get("/privacy/").content.decode()
    for limit in storage_limits.list_limits():
        assert f"<td>{limit.what}</td>" in page
        assert f"<td>{limit.until}</td>" in page


def test_a_run_that_takes_a_minute_hands_over_to_the_next(monkeypatch):
    """A worker that sits in one task for longer would be given the same task by Redis a second time."""
    deleted, left = [], {"first": 3, "second": 1}

    def job(name):
        def delete(now):
            deleted.append(name)
            left[name] -= 1
            return left[name] + 1

        return delete

    limits = [storage_limits.Limit("", "", "", (job("first"), job("second")))]
    monkeypatch.setattr(storage_limits, "list_limits", lambda: limits)
    monkeypatch.setattr(storage_limits, "A_RUN", -1)
    calls = []
    monkeypatch.setattr(tasks.delete_old_data, "delay", calls.append)
    tasks.delete_old_data()
    assert (deleted, calls) == (["first"], [0])
    while calls:
        tasks.delete_old_data(calls.pop())
    assert deleted == ["first"] * 4 + ["second"] * 2


def test_a_job_that_reaches_the_time_limit_does_not_stop_the_others(monkeypatch, caplog):
    done = []

    def delete(name):
        done.append(name)
        return 0

    def delete_for_ever(now):
        done.append("endless")
        raise SoftTimeLimitExceeded

    jobs = (lambda now: delete("first"), delete_for_ever, lambda now: delete("last"))
    monkeypatch.setattr(storage_limits, "list_limits", lambda: [storage_limits.Limit("rows", "", "", jobs)])
    calls = [0]
    monkeypatch.setattr(tasks.delete_old_data, "delay", calls.append)
    while calls:
        tasks.delete_old_data(calls.pop())
    # The endless job began late the first time: it is tried once more, with all the time of a task.
    assert done == ["first", "endless", "endless", "last"]
    assert "Deleting rows was stopped by the time limit" in caplog.text
