"""The health pages, for machines and for the host; they contain no personal data."""

import re
import shutil
import time
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from beanpost.monitoring import uptime
from beanpost.play import clock
from beanpost.play.display.scene import build_scene
from beanpost.play.models import Pulse, Wait
from beanpost.play.timekeeping import sweep
from beanpost.post import metrics as mail_metrics
from beanpost.post.models import Letter, Reply
from tests.friends import seat_friends

pytestmark = pytest.mark.django_db


@pytest.fixture
def awake():
    sweep.sweep(clock.now())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("", {}, 200),  # a Unix socket
        ("192.0.2.7", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.7"}, 403),  # a proxy that is not trusted
        ("192.0.2.7", {"Authorization": "Bearer a-token-for-prometheus"}, 200),
        ("192.0.2.7", {"Authorization": "Bearer a-token"}, 403),
        ("192.0.2.7", {"Authorization": "Bearer é"}, 403),
    ],
)
def test_metrics_are_for_this_machine_or_for_a_token(client, settings, address, headers, status):
    settings.METRICS_TOKEN = "a-token-for-prometheus"
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == status
    if not headers:
        settings.METRICS_TOKEN = ""
        assert client.get("/metrics", headers={"Authorization": "Bearer "}, REMOTE_ADDR="192.0.2.7").status_code == 403


@pytest.mark.parametrize("address", ["192.0.2.7", "127.0.0.1"])
def test_a_stranger_reads_one_word_about_health_and_the_host_the_list(client, settings, address, awake):
    settings.METRICS_TOKEN = "a-token-for-prometheus"
    stranger = {"REMOTE_ADDR": address, "headers": {"X-Forwarded-For": "192.0.2.7"}}
    token = {"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
    for status, word in ((200, "ok\n"), (503, "BAD\n")):
        page = client.get("/readyz", **stranger)
        assert (page.status_code, page.text) == (status, word)
        assert "Deadlines were last checked" in client.get("/readyz").text
        assert "Deadlines were last checked" in client.get("/readyz", headers=token, REMOTE_ADDR="192.0.2.7").text
        Pulse.objects.update(beat_at=clock.now() - timedelta(hours=1))


def metrics(client) -> dict[str, float]:
    """The metrics without labels; all of them explain themselves."""
    families = list(text_string_to_metric_families(client.get("/metrics").text))
    assert [family.name for family in families if not family.documentation or family.type == "unknown"] == []
    samples = [sample for family in families for sample in family.samples if not sample.labels]
    return {sample.name.removeprefix("beanpost_"): sample.value for sample in samples}


def labelled(client, name) -> dict[tuple[str, ...], float]:
    families = text_string_to_metric_families(client.get("/metrics").text)
    samples = [sample for family in families for sample in family.samples if sample.name == f"beanpost_{name}"]
    return {tuple(sample.labels.values()): sample.value for sample in samples}


def test_a_healthy_site_is_ready(client, awake):
    page = client.get("/readyz")
    assert page.status_code == 200
    assert "ok   The database is responding." in page.text
    assert "ok   Deadlines were last checked less than a minute ago." in page.text
    assert "ok   No letters are overdue." in page.text
    assert "ok   No replies are waiting to be read." in page.text
    assert "BAD" not in page.text


def test_every_health_sign_has_a_metric(client, awake):
    seat_friends(now=clock.now())
    found = metrics(client)
    assert found["database_up"] == found["broker_up"] == found["matches_running"] == 1
    assert found["letters_due"] == Letter.objects.count()
    assert found["inbound_age_seconds"] == mail_metrics.NEVER
    assert found["lines_total"] > 0


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (
            lambda now: Pulse.objects.update(beat_at=now - timedelta(hours=1)),
            "Deadlines were last checked 1\xa0hour ago. Are Celery beat and a worker running?",
        ),
        (
            lambda now: Pulse.objects.all().delete(),
            "Deadlines have never been checked. Are Celery beat and a worker running?",
        ),
        (
            lambda now: Letter.objects.update(due_at=now - timedelta(minutes=20)),
            "The oldest has been due for 20\xa0minutes. Are Celery beat and a worker running?",
        ),
        (lambda now: Wait.objects.update(due_at=now - timedelta(hours=1), remind_at=None), "Overdue questions: 1. Are"),
        (lambda now: Wait.objects.update(stalled_at=now), "sweep failed on: 1. The log says why"),
    ],
)
def test_a_problem_is_reported_on_its_own_line(trouble, sentence, client, awake):
    seat_friends(now=clock.now())
    trouble(clock.now())
    page = client.get("/readyz")
    assert page.status_code == 503
    assert [line for line in page.text.splitlines() if line.startswith("BAD") and sentence in line]


@pytest.fixture
def minutes_since_the_start(monkeypatch):
    """Return a function that sets how many minutes ago this process began to serve pages."""
    return lambda minutes: monkeypatch.setattr(uptime, "started_at", time.monotonic() - 60 * minutes)


def test_a_site_that_has_just_started_waits_for_its_first_sweep(client, minutes_since_the_start):
    minutes_since_the_start(1)
    page = client.get("/readyz")
    assert page.status_code == 200
    assert "ok   Deadlines have never been checked. The site has just started. Look again in two minutes." in page.text
    minutes_since_the_start(3)
    page = client.get("/readyz")
    assert page.status_code == 503
    assert "BAD  Deadlines have never been checked. Are Celery beat and a worker running?" in page.text


def test_a_site_that_was_closed_overnight_has_time_to_catch_up(client, awake, minutes_since_the_start):
    now = clock.now()
    seat_friends(now=now)
    Pulse.objects.update(beat_at=now - timedelta(hours=9))
    Letter.objects.update(due_at=now - timedelta(hours=8))
    Wait.objects.update(due_at=now - timedelta(hours=1), remind_at=None)
    minutes_since_the_start(1)
    assert client.get("/readyz").status_code == 200
    minutes_since_the_start(3)
    assert client.get("/readyz").text.count("BAD ") == 3


def test_a_start_hides_no_other_trouble(client, settings, awake, minutes_since_the_start):
    minutes_since_the_start(1)
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    page = client.get("/readyz")
    assert page.status_code == 503
    assert page.text.count("BAD ") == 1


def test_a_failing_mail_server_is_noticed_between_two_attempts(client, awake):
    now = clock.now()
    seat_friends(now=now)
    assert "ok   Letters that failed and will be retried: 0." in client.get("/readyz").text
    Letter.objects.update(
        state=Letter.State.RETRY, attempts=mail_metrics.MANY_ATTEMPTS - 1, due_at=now + timedelta(hours=1)
    )
    count = Letter.objects.count()
    assert f"ok   Letters that failed and will be retried: {count}.\n" in client.get("/readyz").text
    Letter.objects.update(attempts=mail_metrics.MANY_ATTEMPTS)
    page = client.get("/readyz")
    assert page.status_code == 503
    assert f"BAD  Letters that failed and will be retried: {count}. Is the mail" in page.text


def test_one_failing_mailbox_is_no_alarm(client, awake):
    seat_friends(now=clock.now())
    full, *others = Letter.objects.order_by("pk")
    assert others
    Letter.objects.update(state=Letter.State.SENT)
    Letter.objects.filter(pk=full.pk).update(
        state=Letter.State.RETRY, attempts=mail_metrics.MANY_ATTEMPTS, due_at=clock.now() + timedelta(hours=1)
    )
    page = client.get("/readyz")
    assert page.status_code == 200
    assert "ok   Letters that failed and will be retried: 1.\n" in page.text


def test_a_queue_that_is_down_is_noticed_in_time(client, settings, awake):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    assert "BAD  The queue can’t be reached." in client.get("/readyz").text


def fail_at_once(trouble):
    def fail(*_args):
        raise trouble

    return fail


@pytest.mark.parametrize("trouble", [DatabaseError, InterfaceError])
def test_a_database_that_is_down_is_reported_with_a_sentence(client, monkeypatch, trouble):
    def fail(now):
        raise trouble

    monkeypatch.setattr(mail_metrics, "collect_signs", fail)
    page = client.get("/readyz")
    assert (page.status_code, page.text) == (503, "BAD  The database does not answer.\n")
    assert {name for name in metrics(client) if "webhooks" not in name} == {"database_up"}
    assert metrics(client)["database_up"] == 0
    monkeypatch.setattr(connection, "cursor", fail_at_once(trouble))
    assert client.get("/healthz").text == "ok\n"  # a load balancer that takes every process out helps nobody


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL reads a table this small whole in any case")
def test_no_health_query_scans_all_letters_or_replies(awake):
    with CaptureQueriesContext(connection) as asked:
        list(mail_metrics.collect_signs(clock.now()))
    ours = [query["sql"] for query in asked if re.search(r'FROM "post_(letter|reply)"', query["sql"])]
    assert len(ours) > 5
    for query in ours:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query}")
            plan = " ".join(step[-1] for step in cursor)
        assert "USING" in plan or query.endswith('."id" DESC LIMIT 1'), query


@pytest.fixture(autouse=True)
def forget_last_check():
    cache.clear()


def test_a_database_that_answers_and_stores_nothing_is_noticed(client, awake, monkeypatch):
    def fail(*_args, **_more):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(QuerySet, "update_or_create", fail)
    page = client.get("/readyz")
    assert page.status_code == 503
    assert "BAD  The database stores nothing: no move can be made. Is its disk full? Make room.\n" in page.text
    assert client.get("/healthz").text == "ok\n"
    monkeypatch.undo()
    assert client.get("/readyz").status_code == 503  # looked at again after ten seconds
    cache.clear()
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(("ours", "workers", "status"), [(3, 0, 200), (-8, 0, 503), (8, 0, 503), (0, 8, 503)])
def test_a_clock_that_differs_from_the_databases_is_noticed(client, awake, monkeypatch, ours, workers, status):
    there = clock.now() - timedelta(seconds=ours)
    monkeypatch.setattr(mail_metrics.outages, "read_database_time", lambda: there)
    Pulse.objects.filter(pk=1).update(beat_at=there + timedelta(seconds=workers))
    assert client.get("/readyz").status_code == status


def test_the_health_page_writes_once_in_ten_seconds(client, awake):
    assert client.get("/readyz").status_code == 200
    with CaptureQueriesContext(connection) as asked:
        client.get("/readyz")
    assert not [query for query in asked if query["sql"].startswith(("UPDATE", "INSERT"))]


def test_little_space_on_the_disk_is_noticed(client, awake, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(10**9, 10**9 - 10**8, 10**8))
    page = client.get("/readyz")
    assert page.status_code == 503
    assert "BAD  Free disk space: 95.4\xa0MB. Make room soon.\n" in page.text
    assert metrics(client)["free_space_bytes"] == 10**8


def test_a_move_that_could_not_be_stored_says_what_to_do(client, monkeypatch):
    def fail(*_args, **_more):
        raise OperationalError("database or disk is full")

    match = seat_friends(now=clock.now())
    option = build_scene(match, 1).question.options[0]
    before = match.events.count()
    monkeypatch.setattr("beanpost.play.log.storage.append", fail)
    page = client.post(reverse("move", args=[option.ticket]))
    assert page.status_code == 503
    assert "What you sent wasn’t stored" in page.text
    assert match.events.count() == before
    monkeypatch.undo()
    client.post(reverse("move", args=[option.ticket]))
    assert match.events.count() > before


def test_the_time_of_the_last_reply_is_reported(client, awake):
    seat_friends(now=clock.now())
    letter, now = Letter.objects.first(), clock.now()
    for nth, ago in enumerate((7_200, 3_600)):
        at = now - timedelta(seconds=ago)
        Reply.objects.create(letter=letter, fingerprint=str(nth), received_at=at, due_at=at, state=Reply.State.LEFT)
    assert 3_600 <= metrics(client)["inbound_age_seconds"] < 7_000


def test_the_health_pages_name_no_player(client, awake):
    match = seat_friends(now=clock.now())
    text = client.get("/readyz").text + client.get("/metrics").text
    for place in match.places.select_related("player"):
        assert place.name not in text
        assert place.player.address not in text
    assert match.code not in text


def test_the_host_sees_the_health_signs_in_the_admin(client, admin_client, awake):
    page = admin_client.get(reverse("watching"))
    assert "The database is responding." in page.text
    assert reverse("watching") in admin_client.get(reverse("admin:index")).text
    assert client.get(reverse("watching")).status_code == 302


def test_an_organiser_does_not_see_the_health_signs(client):
    organiser = get_user_model().objects.create_user("olga", password="beans", is_staff=True)
    client.force_login(organiser, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(reverse("watching")).status_code == 403
    assert reverse("watching") not in client.get(reverse("admin:index")).text


def test_a_stalled_question_takes_no_web_process_out_of_service(client, awake):
    seat_friends(now=clock.now())
    Wait.objects.update(stalled_at=clock.now(), due_at=clock.now() - timedelta(hours=1), remind_at=None)
    assert client.get("/readyz").status_code == 503
    page = client.get("/healthz")
    assert (page.status_code, page.text) == (200, "ok\n")


def test_requests_are_counted_by_view_and_status(client, awake):
    before = labelled(client, "requests_total")
    client.get("/rules/")
    client.get("/move/eyJtIjo0MX0:1w2Xy:sig/")
    after = labelled(client, "requests_total")
    for key in (("GET", "200", "rulebook"), ("GET", "404", "move")):
        assert after[key] == before.get(key, 0) + 1
    assert labelled(client, "request_seconds_bucket")["0.005", "rulebook"] >= 0
    assert "eyJ" not in client.get("/metrics").text


def test_nobody_learns_from_metrics_when_a_player_is_at_the_table(client, awake):
    match = seat_friends()
    client.post(reverse("here", args=[match.code]))
    assert not [labels for labels in labelled(client, "requests_total") if "here" in labels]
    assert not [labels for labels in labelled(client, "request_seconds_bucket") if "here" in labels]


def test_letters_replies_and_moves_are_counted_by_kind(client, awake):
    now = clock.now()
    before = sum(labelled(client, "moves_total").values())
    seat_friends(now=now)
    assert sum(labelled(client, "moves_total").values()) > before
    assert labelled(client, "letters")["queued",] == Letter.objects.count()
    letter = Letter.objects.first()
    played = {"state": Reply.State.PLAYED, "finding": Reply.Finding.MOVE}
    Reply.objects.create(letter=letter, fingerprint="x", received_at=now, due_at=now, **played)
    assert labelled(client, "replies_day") == {("move",): 1}


def test_the_sweeps_lag_is_the_age_of_the_oldest_due_question(client, awake):
    seat_friends(now=clock.now())
    assert metrics(client)["sweep_lag_seconds"] == 0
    Wait.objects.update(due_at=clock.now() - timedelta(seconds=90), remind_at=None)
    assert 90 <= metrics(client)["sweep_lag_seconds"] < 120


def test_every_request_has_an_id_in_answer_and_log(client, settings, caplog):
    ids = {client.get("/healthz").headers["X-Request-ID"] for _ in range(2)}
    assert len(ids) == 2
    assert all(re.fullmatch(r"[0-9a-f]{32}", number) for number in ids)
    mine = {"X-Request-ID": "from-the-proxy-1"}
    assert client.get("/healthz", headers=mine).headers["X-Request-ID"] != "from-the-proxy-1"  # anybody could send it
    settings.TRUSTED_PROXY = ["127.0.0.1"]
    assert client.get("/healthz", headers=mine).headers["X-Request-ID"] == "from-the-proxy-1"
    for odd in ("x\u00e9 y", "\u00e9" * 9, "short", "x" * 65, "a-long-id\r\nSet-Cookie: x=1"):
        assert re.fullmatch(
            r"[0-9a-f]{32}", client.get("/healthz", headers={"X-Request-ID": odd}).headers["X-Request-ID"]
        )
