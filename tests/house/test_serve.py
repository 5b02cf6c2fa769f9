"""One command opens the whole house, and one key closes it."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.own_house
ROOT = Path(__file__).parents[2]
AT_HOME = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
PATIENCE = 120  # seconds: for a machine that has much else to do
KEY = "a-key-of-more-than-fifty-characters-that-opens-no-door-anywhere"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def serve(tmp_path, port):
    """Open a house of its own; it is closed at the latest when the test is over."""
    houses = []

    def start(**environment):
        told = AT_HOME | {"BEANPOST_VAR": str(tmp_path), "SECRET_KEY": KEY, "PORT": str(port)} | environment
        command = [sys.executable, str(ROOT / "manage.py"), "serve"]
        house = subprocess.Popen(
            command, env=told, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        houses.append(house)
        return house

    yield start
    for house in houses:
        house.kill()
        house.communicate()


def greeting(house: subprocess.Popen[str]) -> str:
    """What the house says until it is open."""
    said = ""
    assert house.stdout
    for line in house.stdout:
        said += line
        if "Ctrl-C" in line:
            return said
    raise AssertionError(said)


def status(address: str) -> int:
    try:
        return int(urlopen(address, timeout=PATIENCE).status)
    except HTTPError as refusal:
        return refusal.code


def test_the_house_opens_answers_closes_cleanly_and_opens_again(serve, port):
    for stop in (signal.SIGINT, signal.SIGTERM):
        house = serve()
        assert f"http://127.0.0.1:{port}/" in greeting(house)
        assert status(f"http://127.0.0.1:{port}/admin/login/") == 200
        house.send_signal(stop)
        rest, _ = house.communicate(timeout=PATIENCE)
        assert house.returncode == 0
        assert rest.endswith("Beanpost is closed.\n")
        assert "Traceback" not in rest


def test_a_taken_port_gets_a_sentence_and_nothing_is_touched(serve, port, tmp_path):
    with socket.create_server(("127.0.0.1", port)):
        house = serve()
        said, _ = house.communicate(timeout=PATIENCE)
    assert house.returncode == 1
    assert re.fullmatch(rf"CommandError: Beanpost cannot listen on 127\.0\.0\.1, port {port}: .+\n", said)
    assert not (tmp_path / "beanpost.sqlite3").exists()


@pytest.mark.usefixtures("migrated")
def test_the_demo_tells_where_to_begin_and_warns_when_strangers_could_reach_it(serve, port):
    house = serve(BEANPOST_DEMO="1")
    said = greeting(house)
    assert f"Open Ann's letters: http://127.0.0.1:{port}/letters/ann/" in said
    assert "Sign in as the organiser" in said
    assert "Warning" not in said
    assert status(f"http://127.0.0.1:{port}/letters/ann/") == 200
    house.terminate()
    house.communicate(timeout=PATIENCE)
    assert "Warning: whoever can reach 0.0.0.0" in greeting(serve(BEANPOST_DEMO="1", HOST="0.0.0.0"))


def test_the_demo_does_not_open_with_a_public_address(serve):
    house = serve(BEANPOST_DEMO="1", SITE_URL="https://beans.example")
    said, _ = house.communicate(timeout=PATIENCE)
    assert house.returncode == 1
    assert "SITE_URL is public" in said


def test_a_host_that_is_elsewhere_gets_a_sentence(serve):
    house = serve(HOST="no-such-host.invalid")
    said, _ = house.communicate(timeout=PATIENCE)
    assert house.returncode == 1
    assert "There is no such address here." in said
    assert "Traceback" not in said
