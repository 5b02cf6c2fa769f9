"""`manage.py serve` starts the whole site, and Ctrl-C stops it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.own_process
ROOT = Path(__file__).parents[2]
BASE_ENV = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
TIMEOUT = 120  # seconds: generous, for a busy machine
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
    """Start a server of its own; it is killed at the latest when the test is over."""
    with running_servers(tmp_path, port) as start:
        yield start


@pytest.fixture(scope="module")
def open_port(migrated_database, tmp_path_factory):
    """The port of a server that keeps running for all tests that only connect to it."""
    port, folder = free_port(), tmp_path_factory.mktemp("server")
    (folder / "beanpost.sqlite3").write_bytes(migrated_database)
    with running_servers(folder, port) as start:
        greeting(start())
        yield port


@contextmanager
def running_servers(folder: Path, port: int) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    servers = []

    def start(**environment):
        variables = BASE_ENV | {"BEANPOST_VAR": str(folder), "SECRET_KEY": KEY, "PORT": str(port)} | environment
        command = [sys.executable, str(ROOT / "manage.py"), "serve"]
        server = subprocess.Popen(
            command, env=variables, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        servers.append(server)
        return server

    try:
        yield start
    finally:
        for server in servers:
            server.kill()
            server.communicate()


def greeting(server: subprocess.Popen[str]) -> str:
    """Return the server's output until it is ready."""
    output = ""
    assert server.stdout
    for line in server.stdout:
        output += line
        if "Ctrl-C" in line:
            return output
    raise AssertionError(output)


def status(address: str) -> int:
    try:
        return int(urlopen(address, timeout=TIMEOUT).status)
    except HTTPError as refusal:
        return refusal.code


def test_the_server_starts_answers_stops_cleanly_and_starts_again(serve, port):
    for stop in (signal.SIGINT, signal.SIGTERM):
        server = serve()
        assert f"http://127.0.0.1:{port}/" in greeting(server)
        assert status(f"http://127.0.0.1:{port}/admin/login/") == 200
        server.send_signal(stop)
        rest, _ = server.communicate(timeout=TIMEOUT)
        assert server.returncode == 0
        assert rest.endswith("Beanpost is closed.\n")
        assert "Traceback" not in rest


def test_a_taken_port_gets_a_sentence_and_creates_no_database(serve, port, tmp_path):
    with socket.create_server(("127.0.0.1", port)):
        server = serve()
        output, _ = server.communicate(timeout=TIMEOUT)
    assert server.returncode == 1
    assert re.fullmatch(rf"CommandError: Beanpost cannot listen on 127\.0\.0\.1, port {port}: .+\n", output)
    assert not (tmp_path / "beanpost.sqlite3").exists()


@pytest.mark.usefixtures("migrated")
def test_the_demo_prints_where_to_start_and_warns_when_strangers_can_reach_it(serve, port):
    server = serve(BEANPOST_DEMO="1")
    output = greeting(server)
    assert f"Open Ann's letters: http://127.0.0.1:{port}/letters/ann/" in output
    assert "Sign in as the organiser" in output
    assert "Warning" not in output
    assert status(f"http://127.0.0.1:{port}/letters/ann/") == 200
    server.terminate()
    server.communicate(timeout=TIMEOUT)
    assert "Warning: anybody who can reach 0.0.0.0" in greeting(serve(BEANPOST_DEMO="1", HOST="0.0.0.0"))


def test_the_demo_does_not_start_with_a_public_address(serve):
    server = serve(BEANPOST_DEMO="1", SITE_URL="https://beans.example")
    output, _ = server.communicate(timeout=TIMEOUT)
    assert server.returncode == 1
    assert "SITE_URL is public" in output


def test_an_unknown_host_gets_a_sentence(serve):
    server = serve(HOST="no-such-host.invalid")
    output, _ = server.communicate(timeout=TIMEOUT)
    assert server.returncode == 1
    assert "There is no such address here." in output
    assert "Traceback" not in output


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def test_half_sent_requests_do_not_block_others(open_port):
    """A server limited to a hundred connections, which is waitress's default, would answer nobody else for minutes."""
    half_sent = [connected(open_port) for _ in range(150)]
    for visitor in half_sent:
        visitor.sendall(b"POST /open/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\naddress=")
    try:
        assert int(urlopen(f"http://127.0.0.1:{open_port}/healthz", timeout=20).status) == 200
        time.sleep(1)
        assert int(urlopen(f"http://127.0.0.1:{open_port}/healthz", timeout=20).status) == 200
    finally:
        for visitor in half_sent:
            visitor.close()


def test_an_unfinished_request_times_out(open_port):
    with connected(open_port) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost:")
        visitor.settimeout(40)
        assert visitor.recv(1) == b""


def test_a_huge_upload_is_refused_before_it_is_read(open_port):
    with connected(open_port) as visitor:
        visitor.sendall(b"POST /open/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000000\r\n\r\n")
        assert visitor.recv(100).startswith(b"HTTP/1.1 413 ")


def test_a_huge_upload_of_unknown_length_is_cut_off(open_port):
    chunk, sent = b"10000\r\n" + b"x" * 0x10000 + b"\r\n", 0
    with connected(open_port) as visitor, suppress(OSError):  # raised once the server has closed the connection
        visitor.sendall(b"POST /open/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        while sent < 60_000_000:
            visitor.sendall(chunk)
            sent += len(chunk)
    assert sent < 20_000_000  # the server's limit, plus the buffers in between


def test_enormous_headers_are_refused(open_port):
    with connected(open_port) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Beans: " + b"x" * 40_000 + b"\r\n\r\n")
        assert visitor.recv(100).startswith(b"HTTP/1.0 431 ")
