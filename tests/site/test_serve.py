"""`manage.py serve` starts the whole site, and Ctrl-C stops it."""

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from beanpost.management.commands import serve as serve_command

pytestmark = pytest.mark.own_process
ROOT = Path(__file__).parents[2]
BASE_ENV = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
TIMEOUT = 120  # seconds: generous, for a busy machine
SOON = 20  # seconds; later the server gives up on visitors who send or read nothing, and answers in any case
STOP = "Stop it first, or change DATABASE_URL."
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
def open_server(migrated_database, tmp_path_factory):
    """The port and the folder of a server that keeps running for all tests that only connect to it."""
    port, folder = free_port(), tmp_path_factory.mktemp("server")
    (folder / "beanpost.sqlite3").write_bytes(migrated_database)
    with running_servers(folder, port) as start:
        greeting(start())
        yield port, folder


@pytest.fixture
def open_port(open_server):
    return open_server[0]


@pytest.fixture
def folder_in_use(open_server):
    return open_server[1]


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


def status(address: str | Request) -> int:
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


def test_a_second_server_on_the_same_folder_gets_a_sentence(serve, folder_in_use):
    output, _ = (second := serve(BEANPOST_VAR=str(folder_in_use))).communicate(timeout=TIMEOUT)
    assert second.returncode == 1
    assert output.startswith(f"CommandError: Beanpost is already using the folder {folder_in_use}.")


def test_a_second_server_on_the_same_database_file_gets_a_sentence(serve, folder_in_use, tmp_path):
    (link := tmp_path / "link.sqlite3").symlink_to(folder_in_use / "beanpost.sqlite3")
    second = serve(DATABASE_URL=f"sqlite:///{link}")
    output, _ = second.communicate(timeout=TIMEOUT)
    assert second.returncode == 1
    assert output == f"CommandError: Beanpost is already using the database {link}. {STOP}\n"


def test_a_short_secret_key_is_refused(serve, tmp_path):
    server = serve(SECRET_KEY="x" * 31)
    output, _ = server.communicate(timeout=TIMEOUT)
    assert server.returncode == 1
    assert output == "CommandError: SECRET_KEY must have at least 32 characters: it signs every link.\n"
    assert not (tmp_path / "beanpost.sqlite3").exists()


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
    refused = serve(BEANPOST_DEMO="1", HOST="0.0.0.0")
    assert "BEANPOST_DEMO_OPEN=1" in refused.communicate(timeout=TIMEOUT)[0]
    assert refused.returncode == 1
    opened = greeting(serve(BEANPOST_DEMO="1", BEANPOST_DEMO_OPEN="1", HOST="0.0.0.0"))
    assert "Warning: anybody who can reach 0.0.0.0" in opened


@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize(
    ("host", "proxy", "warns"), [("0.0.0.0", [], True), ("0.0.0.0", ["192.0.2.1"], False), ("127.0.0.1", [], False)]
)
def test_a_server_that_strangers_reach_without_a_proxy_warns_at_its_start(settings, host, proxy, warns, demo):
    settings.HOST, settings.TRUSTED_PROXY, settings.DEMO = host, proxy, demo
    warning = "Warning: without a proxy, 400 half-sent requests stop this site. See TRUSTED_PROXY."
    assert (warning in serve_command.greeting()) == warns


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
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)


def test_half_sent_requests_do_not_block_others(open_port):
    """A server limited to a hundred connections, which is waitress's default, would answer nobody else for minutes."""
    half_sent = [connected(open_port) for _ in range(150)]
    for visitor in half_sent:
        visitor.sendall(b"POST /open/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\naddress=")
    try:
        assert int(urlopen(f"http://127.0.0.1:{open_port}/healthz", timeout=SOON).status) == 200
        time.sleep(1)
        assert int(urlopen(f"http://127.0.0.1:{open_port}/healthz", timeout=SOON).status) == 200
    finally:
        for visitor in half_sent:
            visitor.close()


def test_visitors_who_send_many_requests_at_once_and_read_nothing_stop_nobody(open_port):
    """Each would keep one of the eight threads waiting until it has read its answers."""
    request = b"GET /static/unfold/css/styles.css HTTP/1.1\r\nHost: a\r\n\r\n"
    greedy = [connected(open_port) for _ in range(12)]
    for visitor in greedy:
        visitor.sendall(request * (8_192 // len(request)))
    try:
        for _ in range(3):
            assert int(urlopen(f"http://127.0.0.1:{open_port}/healthz", timeout=SOON).status) == 200
        answer = b"".join(iter(lambda: greedy[0].recv(65_536), b""))
        assert answer.count(b"HTTP/1.1 200 OK") == 1
        assert b"Connection: close" in answer
    finally:
        for visitor in greedy:
            visitor.close()


@pytest.mark.parametrize("path", ["/", "/static/unfold/css/styles.css", "/no-such-page/"])
def test_a_request_for_headers_only_gets_nothing_that_would_begin_the_next_answer(open_port, path):
    with connected(open_port) as visitor:
        visitor.sendall(f"HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: visitor.recv(65_536), b""))
    assert b"Content-Length: 0" not in answer
    assert answer.endswith(b"\r\n\r\n")


def test_a_proxy_that_nobody_has_named_shows_strangers_no_metrics(open_port):
    for headers, answer in (({}, 200), ({"X-Forwarded-For": "192.0.2.7"}, 403)):
        visitor = HTTPConnection("127.0.0.1", open_port, timeout=TIMEOUT)
        visitor.request("GET", "/metrics", headers=headers)
        assert visitor.getresponse().status == answer
        visitor.close()


@pytest.mark.usefixtures("migrated")
def test_a_proxy_beside_the_named_one_shows_strangers_no_metrics(serve, port):
    """A tunnel on this machine, say, and a proxy on another."""
    greeting(serve(TRUSTED_PROXY="192.0.2.1"))
    metrics = f"http://127.0.0.1:{port}/metrics"
    assert status(metrics) == 200
    assert status(Request(metrics, headers={"X-Forwarded-For": "198.51.100.7"})) == 403


def test_a_connection_serves_one_request_after_another(open_port):
    browser = HTTPConnection("127.0.0.1", open_port, timeout=TIMEOUT)
    browser.connect()
    connection = browser.sock
    for _ in range(3):
        browser.request("GET", "/healthz")
        assert browser.getresponse().read() == b"ok\n"
    assert browser.sock is connection
    browser.close()


def test_an_unfinished_request_times_out(open_port):
    with connected(open_port) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost:")
        visitor.settimeout(TIMEOUT)
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


@pytest.mark.parametrize(
    "kind",
    ["application/x-www-form-urlencoded; charset=punycode", "text/plain" + ";" * 32_000],
    ids=["a slow charset", "semicolons"],
)
def test_an_odd_content_type_is_refused(open_port, kind):
    visitor = HTTPConnection("127.0.0.1", open_port, timeout=TIMEOUT)
    visitor.request("GET", "/rules/?x=z9_", headers={"Content-Type": kind})
    assert visitor.getresponse().status == 400  # Django alone answers 500 or, after a second, 200
    visitor.close()


def with_postbox(port: int) -> dict[str, str]:
    return {"INBOUND_DOMAIN": "in.beans.example", "POSTBOX": f"smtp://0.0.0.0:{port}"}


@pytest.mark.usefixtures("migrated")
def test_idle_smtp_connections_do_not_close_the_website(serve, port):
    files, post = 160, free_port()
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, usual[1]))
    try:
        server = serve(**with_postbox(post))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    greeting(server)
    with ExitStack() as idle:
        for n in range(files + 40):
            from_here = (f"127.0.1.{n % 20 + 1}", 0)
            idle.enter_context(socket.create_connection(("127.0.0.1", post), timeout=TIMEOUT, source_address=from_here))
        assert status(f"http://127.0.0.1:{port}/healthz") == 200
    server.send_signal(signal.SIGTERM)
    rest, _ = server.communicate(timeout=TIMEOUT)
    assert rest.endswith("Beanpost is closed.\n")
    assert not listens(post)


@pytest.mark.usefixtures("migrated")
def test_a_postbox_that_dies_is_started_again_and_ends_with_the_server(serve):
    post = free_port()
    greeting(server := serve(**with_postbox(post)))
    children = [
        line for file in Path(f"/proc/{server.pid}/task").glob("*/children") for line in file.read_text().split()
    ]
    [postbox] = map(int, children)
    os.kill(postbox, signal.SIGKILL)
    assert eventually(lambda: not listens(post))
    assert eventually(lambda: listens(post))
    server.kill()
    assert eventually(lambda: not listens(post))


@pytest.mark.usefixtures("migrated")
def test_a_postbox_that_cannot_listen_gets_a_sentence(serve):
    with socket.create_server(("0.0.0.0", 0)) as taken:
        server = serve(**with_postbox(taken.getsockname()[1]))
        output, _ = server.communicate(timeout=TIMEOUT)
    assert server.returncode == 1
    assert "CommandError: The postbox cannot listen there" in output
    assert "CommandError: The postbox did not open, so Beanpost does not start." in output


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + TIMEOUT
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.1)
    return held
