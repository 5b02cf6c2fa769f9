"""The files for Prometheus and Grafana name metrics that exist."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"\bbeanpost_\w+")


def expressions():
    for panel in json.loads((ROOT / "deploy/monitoring/grafana.json").read_text())["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    yield from re.findall(r"^ +expr: (.+)$", (ROOT / "deploy/monitoring/alerts.yaml").read_text(), re.MULTILINE)


@pytest.mark.django_db
def test_dashboard_and_alerts_name_metrics_that_exist(client):
    client.get("/rules/")
    page = client.get("/metrics").text
    exported = set(re.findall(r"^# TYPE (\w+)", page, re.MULTILINE))
    named = {re.sub("_bucket$", "", name) for expression in expressions() for name in NAME.findall(expression)}
    assert len(named) > 12
    assert sorted(named - exported) == []


def test_every_alert_says_what_to_do():
    rules = (ROOT / "deploy/monitoring/alerts.yaml").read_text()
    assert rules.count("- alert:") == rules.count("summary:") == rules.count("expr:") > 5
