"""Brokers as hosts have them: a Redis behind a Sentinel, and one with TLS."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.proof.programs import Program, free_port, listens

pytestmark = [
    pytest.mark.own_process,
    pytest.mark.skipif(not shutil.which("redis-server"), reason="there is no Redis on this machine"),
]
ROOT = Path(__file__).parents[2]
ASK = """
import django
django.setup()
from beanpost.celery import app
from beanpost.post import metrics
print(metrics.check_broker().value)
app.send_task("beanpost.play.tasks.sweep")
print(metrics.count_queued_tasks()["sweep"])
"""


@pytest.fixture
def start(tmp_path):
    """Start a server of Redis, with a configuration; return its port."""
    started = []

    def run(*words, port, lines=""):
        conf = tmp_path / f"{port}.conf"
        conf.write_text(f"dir {tmp_path}\n{lines}\n")
        command = ["redis-server", str(conf), "--bind", "127.0.0.1", *words]
        program = Program("redis", command, log=tmp_path / "log", env=os.environ)
        started.append(program)
        program.start()
        program.wait_until(lambda: listens(port))
        return port

    yield run
    for program in started:
        program.stop()


def ask(tmp_path, **environment):
    """Return what the health page says of the broker, and how many tasks wait after one was sent."""
    env = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "beanpost.settings", "SECRET_KEY": "k" * 40}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=env | {"BEANPOST_VAR": str(tmp_path)} | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout.split()


def test_the_queue_may_be_a_redis_behind_a_sentinel(start, tmp_path):
    port, sentinel = free_port(), free_port()
    start("--port", str(port), "--save", "", port=port)
    watched = f"sentinel monitor beans 127.0.0.1 {port} 1"
    start("--port", str(sentinel), "--sentinel", port=sentinel, lines=watched)
    options = {
        "CELERY_BROKER_URL": f"sentinel://127.0.0.1:{sentinel}",
        "CELERY_BROKER_OPTIONS": '{"master_name": "beans"}',
    }
    assert ask(tmp_path, **options) == ["1", "1"]


def test_a_redis_with_a_certificate_that_nobody_signed_is_trusted_only_if_the_host_says_so(start, tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    subprocess.run([*words, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    port = free_port()
    tls = ["--tls-cert-file", str(certificate), "--tls-key-file", str(key), "--tls-auth-clients", "no"]
    start("--port", "0", "--tls-port", str(port), "--save", "", *tls, port=port)
    assert ask(tmp_path, CELERY_BROKER_URL=f"rediss://localhost:{port}/0")[:1] == ["0"]
    believed = ask(tmp_path, CELERY_BROKER_URL=f"rediss://localhost:{port}/0?ssl_cert_reqs=none")
    assert believed == ["1", "1"]
