"""A database on another machine, whose cable is cut: no process may wait for it for minutes.

The other machine is a network namespace, which takes root.
"""

import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest

from tools import postgres
from tools.proof import units
from tools.proof.programs import Program, free_port

THREADS = 4  # of gunicorn
ROOT = Path(__file__).parents[2]


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Machine:
    """A network namespace with a PostgreSQL in it."""

    def __init__(self, home):
        number = os.getpid() % 60_000
        self.name, self.cable, ours = f"bean{number}", f"bean{number}-c", f"198.18.{number // 250}.{number % 250}"
        self.address = ours.replace("198.18", "198.19")
        ip("netns", "add", self.name)
        ip("link", "add", self.cable, "type", "veth", "peer", "name", "cable", "netns", self.name)
        ip("address", "add", ours, "peer", self.address, "dev", self.cable)
        ip("link", "set", self.cable, "up")
        ip("-n", self.name, "address", "add", self.address, "peer", ours, "dev", "cable")
        ip("-n", self.name, "link", "set", "cable", "up")
        self.server = postgres.Server(next(postgres.find_binaries(["binaries", "wheel"])), str(home))
        (home / "data/pg_hba.conf").write_text("local all all trust\nhost all all 198.18.0.0/16 trust\n")
        listen = [word.replace("listen_addresses=", "listen_addresses=*") for word in self.server.command]
        self.server.command = ["ip", "netns", "exec", self.name, *listen]
        self.server.start()

    def cut(self):
        """Drop every packet. Nobody is told: the link stays up."""
        ip("netns", "exec", self.name, "ip", "route", "flush", "dev", "cable")

    def connections(self):
        with psycopg.connect(host=self.server.home, user="postgres", dbname="postgres") as line:
            return line.execute("SELECT count(*) FROM pg_stat_activity WHERE client_addr IS NOT NULL").fetchone()[0]

    def remove(self):
        self.server.stop()
        ip("netns", "del", self.name)


@pytest.fixture
def machine(tmp_path_factory):
    if os.geteuid() or subprocess.run(["ip", "netns", "list"], check=False, capture_output=True).returncode:
        pytest.skip("a network namespace takes root and the package iproute2")
    home = Path(subprocess.check_output(["mktemp", "-d", "/tmp/beanXXXX"], text=True).strip())  # short, for the socket
    machine = Machine(home)
    yield machine
    machine.remove()
    subprocess.run(["rm", "-rf", str(home)], check=True)


@pytest.fixture
def site(machine, tmp_path):
    port = free_port()
    env = units.build_environment(
        SECRET_KEY="k" * 64,
        BEANPOST_VAR=str(tmp_path),
        STATIC_ROOT=str(tmp_path),
        SECURE_PROXY_SSL_HEADER="",
        CELERY_BROKER_URL="",
        DATABASE_URL=f"postgres://postgres@{machine.address}/postgres",
        GUNICORN_BIND=f"127.0.0.1:{port}",
        GUNICORN_WORKERS="1",
    )
    web = Program("web", units.read_commands("beanpost-web")[0], log=tmp_path / "log", env=env, cwd=ROOT)
    web.start()
    site = f"http://127.0.0.1:{port}"
    web.wait_until(lambda: ask(f"{site}/healthz")[0] == "ok\n")
    yield site
    web.stop()


def ask(address):
    """Return the page, and how long it took."""
    start = time.monotonic()
    try:
        with urlopen(Request(address, headers={"Host": "beans.example"}), timeout=60) as answer:
            page = answer.read().decode()
    except HTTPError as answer:
        page = answer.read().decode()
    except OSError:
        page = ""
    return page, time.monotonic() - start


def test_a_cut_cable_holds_neither_pages_nor_row_locks_for_long(machine, site):
    with ThreadPoolExecutor(2 * THREADS) as visitors:
        list(visitors.map(ask, [f"{site}/readyz"] * 4 * THREADS))  # so that threads have connections
        assert machine.connections()
        machine.cut()
        cut_at = time.monotonic()
        waiting = [visitors.submit(ask, f"{site}/readyz") for _ in range(THREADS)]
        time.sleep(1)
        page, took = ask(f"{site}/healthz")
        assert page == "ok\n"
        assert took < 10
        for visitor in waiting:
            page, took = visitor.result()
            assert page == "BAD  The database does not answer.\n"
            assert took < 12
        while machine.connections():  # their transactions end with them
            assert time.monotonic() - cut_at < 20
            time.sleep(0.5)
