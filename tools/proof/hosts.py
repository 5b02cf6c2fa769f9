"""The installation on several machines, as docs/hosting/grow.md builds it: python -m tools.proof.hosts

The machines are network namespaces on a bridge, so it needs root:
nginx on one machine, the site on two, PostgreSQL and Redis on a fourth, and a fifth for a replica. The mail server and
the people are outside. A cut cable says nothing to anybody, as when a machine loses its power.
"""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tools import postgres
from tools.proof import brokers, units
from tools.proof.programs import Keeper, Program, free_port
from tools.proof.stage import PYTHON, Host, Stage, is_site_up, keep_open, prepare, start_postgres

ROLES = ("proxy", "site1", "site2", "data", "spare")
PARTS = ("web", "worker@", "slow", "beat")  # the units of each of the site's machines
PORT, REDIS = 8000, 6379
NOTICE_SILENCE = (  # on the proxy's machine
    "net.ipv4.tcp_keepalive_time=3",
    "net.ipv4.tcp_keepalive_intvl=1",
    "net.ipv4.tcp_keepalive_probes=3",
    "net.ipv4.tcp_retries2=4",
)
CERTIFICATE = (
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=data -addext subjectAltName={names} "
    "-keyout server.key -out server.crt"
)
ACCESS = "hostssl all beanpost {network} scram-sha-256\nhostssl replication replica {network} scram-sha-256\n"


class Namespace:
    """A machine: a network namespace with one cable."""

    def __init__(self, name: str, bridge: str, address: str) -> None:
        self.name, self.bridge, self.address = name, bridge, address

    def inside(self, command: Sequence[str]) -> list[str]:
        return ["ip", "netns", "exec", self.name, *command]

    def cut(self) -> None:
        run(f"ip link set {self.name} nomaster")

    def mend(self) -> None:
        run(f"ip link set {self.name} master {self.bridge}")


def run(command: str) -> None:
    subprocess.run(command.split(), check=True, capture_output=True)


@contextmanager
def lay_cables() -> Iterator[tuple[str, dict[str, Namespace]]]:
    """Create the machines. Yield the address outside them, and the machines by their roles."""
    number = os.getpid() % 250
    bridge, outside = f"bean{number}", f"10.83.{number}.254"
    hosts = {role: Namespace(f"b{number}-{role}", bridge, f"10.83.{number}.{n}") for n, role in enumerate(ROLES, 1)}
    try:
        run(f"ip link add {bridge} type bridge")
        run(f"ip address add {outside}/24 dev {bridge}")
        run(f"ip link set {bridge} up")
        for host in hosts.values():
            run(f"ip netns add {host.name}")
            run(f"ip link add {host.name} type veth peer name eth0 netns {host.name}")
            run(f"ip link set {host.name} master {bridge} up")
            run(f"ip -n {host.name} address add {host.address}/24 dev eth0")
            run(f"ip -n {host.name} link set eth0 up")
            run(f"ip -n {host.name} link set lo up")
        run(" ".join(hosts["proxy"].inside(["sysctl", "-w", *NOTICE_SILENCE])))
        yield outside, hosts
    finally:
        for host in hosts.values():
            subprocess.run(["ip", "netns", "delete", host.name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", bridge], check=False, capture_output=True)


@contextmanager
def open_hosts(*, log_level: str = "INFO") -> Iterator[Stage]:
    """Start the installation; at the end, stop and remove everything, even after an error."""
    if os.geteuid() or not all(map(shutil.which, ("ip", "sysctl", "openssl"))):
        raise brokers.MissingProgram("Several hosts need root, and the programs ip, sysctl and openssl.")
    with ExitStack() as until_the_end:
        # Not under TMPDIR: the path of a socket must be short.
        temporary = tempfile.TemporaryDirectory(prefix="hosts", dir="/tmp", ignore_cleanup_errors=True)
        place = Path(until_the_end.enter_context(temporary))
        place.chmod(0o711)  # nginx's processes and PostgreSQL's are nobody's
        outside, hosts = until_the_end.enter_context(lay_cables())
        password = secrets.token_hex(16)
        database = until_the_end.enter_context(start_primary(place / "pg", hosts, password))
        env = build_environment(place, outside, hosts, password, database)
        queue = start_redis(place, hosts["data"], env)
        until_the_end.callback(queue.program.stop)
        stage = assemble(place, outside, hosts, env | {"LOG_LEVEL": log_level}, database, queue)
        until_the_end.callback(lambda: stage.broker.program.stop())  # not the first one, after a failover
        until_the_end.callback(lambda: stage.database.stop())
        prepare(stage)
        until_the_end.enter_context(stage.keeper)
        stage.web.wait_until(lambda: is_site_up(stage.site))
        yield stage


@contextmanager
def start_primary(home: Path, hosts: dict[str, Namespace], password: str) -> Iterator[postgres.Server]:
    """Start PostgreSQL on its machine, with a certificate for it and for the replica's machine."""
    with start_postgres(home) as server:
        with psycopg.connect(host=server.home, user="postgres", dbname="postgres", autocommit=True) as connection:
            for role in ("beanpost", "replica REPLICATION"):
                connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'".encode())
        server.stop()
        names = ",".join(f"IP:{hosts[role].address}" for role in ("data", "spare"))
        data = home / "data"
        run_in = {"cwd": data, "check": True, "capture_output": True}
        subprocess.run(CERTIFICATE.format(names=names).split(), **run_in)  # type: ignore[call-overload]
        for file in ("server.key", "server.crt"):
            os.chown(data / file, (data / "PG_VERSION").stat().st_uid, -1)
        with (data / "pg_hba.conf").open("a") as access:
            access.write(ACCESS.format(network=f"{hosts['data'].address}/24"))
        move_to(server, hosts["data"])
        server.start()
        yield server


def move_to(server: postgres.Server, host: Host) -> None:
    """Have a stopped server run on another machine."""
    server.command = host.inside([*server.command, f"--listen_addresses={host.address}", "--ssl=on"])


def build_environment(
    home: Path, outside: str, hosts: dict[str, Namespace], password: str, database: postgres.Server
) -> dict[str, str]:
    name = database.url.split("@/")[1].partition("?")[0]
    address = f"{hosts['data'].address},{hosts['spare'].address}"
    certificate = shutil.copy(Path(database.home) / "data/server.crt", home)
    tls = f"sslmode=verify-full&sslrootcert={certificate}"
    return units.build_environment(
        SECRET_KEY=secrets.token_hex(32),
        SITE_URL=f"http://{hosts['proxy'].address}:{PORT}",
        DATABASE_URL=f"postgres://beanpost:{password}@{address}/{name}?target_session_attrs=read-write&{tls}",
        EMAIL_URL=f"smtp://{outside}:{free_port()}",
        CELERY_BROKER_URL=";".join(
            f"redis://:{password}@{hosts[role].address}:{REDIS}/0" for role in ("data", "spare")
        ),
        DEFAULT_FROM_EMAIL="Beanpost <post@stage.example>",
        SECURE_PROXY_SSL_HEADER="",
        TRUSTED_PROXY=f"{hosts['proxy'].address}/32",
        METRICS_TOKEN=password,
        BEANPOST_VAR=str(home),
        STATIC_ROOT=str(home / "static"),
    )


def start_redis(home: Path, host: Host, env: dict[str, str]) -> brokers.Broker:
    """Start a Redis on the machine. The settings know it already."""
    queue = brokers.redis(home, env)
    url = next(url for url in env["CELERY_BROKER_URL"].split(";") if host.address in url)
    words = [host.address if word == "127.0.0.1" else word for word in queue.program.command]
    words[words.index("--port") + 1] = str(REDIS)
    queue.program.command = host.inside([*words, "--requirepass", urlsplit(url).password or ""])
    queue.host, queue.port, queue.url = host.address, REDIS, url
    queue.start()
    return queue


def assemble(
    home: Path,
    outside: str,
    hosts: dict[str, Namespace],
    env: dict[str, str],
    database: postgres.Server,
    queue: brokers.Broker,
) -> Stage:
    def program(name: str, command: list[str], **ours: str) -> Program:
        return Program(name, command, log=home / f"{name}.log", env=env | ours, cwd=units.ROOT)

    def start_unit(part: str, role: str) -> Program:
        command = hosts[role].inside(units.read_commands(f"beanpost-{part}", role)[0])
        return program(f"{part}-{role}", command, GUNICORN_BIND=f"{hosts[role].address}:{PORT}")

    port = env["EMAIL_URL"].rpartition(":")[2]
    sink = program("sink", [PYTHON, "-m", "tools.proof.sink", port, str(home), outside])
    sites = {(part, role): start_unit(part, role) for role in ("site1", "site2") for part in PARTS}
    servers = [f"{hosts[role].address}:{PORT}" for role in ("site1", "site2")]
    conf = units.write_proxy_config(PORT, servers, home, hosts["proxy"].address)
    nginx = program("nginx", hosts["proxy"].inside([shutil.which("nginx") or "", "-c", str(conf), "-p", str(home)]))
    workers = [program for (part, _), program in sites.items() if part == "worker@"]
    keeper = Keeper([sink, *sites.values(), nginx])
    web, beat = sites["web", "site1"], sites["beat", "site1"]
    return Stage(home, env["SITE_URL"], env, database, queue, sink, web, workers, beat, keeper, hosts=dict(hosts))


if __name__ == "__main__":
    keep_open(open_hosts())
