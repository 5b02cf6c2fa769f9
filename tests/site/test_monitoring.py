"""The files for Prometheus and Grafana name metrics and labels that exist."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from beanpost.play import clock, moves
from beanpost.post import metrics
from beanpost.post.models import Letter, Reply
from tests.friends import NOON, seat_friends

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "beanpost/deploy"
NAME = re.compile(r"\bbeanpost_\w+")
USED_LABELS = re.compile(r"by \(([^)]*)\)|(\w+)=~?\"|\{\{(\w+)\}\}")


def targets():
    for panel in json.loads((DEPLOY / "monitoring/grafana.json").read_text())["panels"]:
        yield from panel["targets"]


def expressions():
    yield from (target["expr"] for target in targets())
    yield from re.findall(r"^ +expr: (.+)$", (DEPLOY / "monitoring/alerts.yaml").read_text(), re.MULTILINE)


@pytest.mark.django_db
def test_dashboard_and_alerts_name_metrics_that_exist(client):
    client.get("/rules/")
    page = client.get("/metrics").text
    exported = set(re.findall(r"^# TYPE (\w+)", page, re.MULTILINE))
    named = {re.sub("_bucket$", "", name) for expression in expressions() for name in NAME.findall(expression)}
    assert len(named) > 12
    assert sorted(named - exported) == []


@pytest.mark.django_db
def test_dashboard_and_alerts_use_labels_that_exist(client, monkeypatch):
    monkeypatch.setattr(metrics, "count_queued_tasks", lambda: {"sweep": 1})
    wait = seat_friends().waits.get()
    moves.play(wait.match_id, wait.seat, "pass", origin="player", question=wait.opened, now=NOON)
    letter, now = Letter.objects.first(), clock.now()
    Reply.objects.create(letter=letter, fingerprint="x", received_at=now, due_at=now, finding=Reply.Finding.MOVE)
    client.get("/rules/")
    families = text_string_to_metric_families(client.get("/metrics").text)
    labels = {sample.name: set(sample.labels) for family in families for sample in family.samples}
    for text in [f"{target['expr']} {target['legendFormat']}" for target in targets()] + list(expressions()):
        used = {name for found in USED_LABELS.findall(text) for name in re.findall(r"\w+", " ".join(found))} - {"job"}
        assert used <= set().union(*(labels[name] for name in NAME.findall(text))), text


@pytest.mark.parametrize(
    ("alert", "expression"),
    [
        ("BeanpostLettersPaused", "beanpost_letters_paused == 1"),
        ("BeanpostLettersGivenUp", "delta(beanpost_letters_failed[1h]) > 0"),
    ],
)
def test_an_alert_tells_the_host_about_letters_that_do_not_leave(alert, expression):
    rules = (DEPLOY / "monitoring/alerts.yaml").read_text()
    assert f"      - alert: {alert}\n        expr: {expression}\n" in rules


@pytest.mark.skipif(not shutil.which("promtool"), reason="there is no Prometheus on this machine")
def test_prometheus_reads_the_alerts():
    subprocess.run(["promtool", "check", "rules", DEPLOY / "monitoring/alerts.yaml"], check=True)


@pytest.mark.postgres
@pytest.mark.django_db
def test_metrics_count_database_connections_and_replicas(client):
    families = {family.name: family for family in text_string_to_metric_families(client.get("/metrics").text)}
    figures = {name: families[f"beanpost_{name}"].samples[0].value for name in metrics.DATABASE_HELP}
    is_server = connection.vendor == "postgresql"
    assert is_server == (1 <= figures["database_connections"] <= figures["database_connections_max"])
    assert (figures["replicas"], figures["replication_lag_seconds"]) == (0, 0)


def test_every_alert_says_what_to_do():
    rules = (DEPLOY / "monitoring/alerts.yaml").read_text()
    assert rules.count("- alert:") == rules.count("summary:") == rules.count("expr:") > 5
