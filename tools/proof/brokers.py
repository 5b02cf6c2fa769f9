"""Brokers for a run: a Redis and a RabbitMQ of our own, from the binaries of this machine."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tools.proof.programs import Program, free_port, listens

RABBITS = ("/usr/lib/rabbitmq/bin/rabbitmq-server", "/usr/sbin/rabbitmq-server")


class MissingProgram(Exception):
    """The server is not installed on this machine."""


def find_or_install(package: str, names: Sequence[str]) -> str | None:
    """Return the path of a program, by any of its names. As root on Debian, install it if missing; never start it."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found or os.geteuid() != 0 or not shutil.which("apt-get"):
        return found
    print(f"Installing {package}.", flush=True)
    quietly = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for words in (["update"], ["install", "-y", package]):
        subprocess.run(["apt-get", "-qq", *words], check=False, capture_output=True, env=quietly)
    return next(filter(None, map(shutil.which, names)), None)


class Broker:
    """A broker's process and its URL."""

    def __init__(self, program: Program, url: str, port: int) -> None:
        self.program = program
        self.url = url
        self.port = port
        self.host = "127.0.0.1"

    def start(self) -> None:
        self.program.start()
        self.program.wait_until(lambda: listens(self.port, self.host))


def redis(home: Path, env: dict[str, str]) -> Broker:
    binary = find_or_install("redis-server", ("redis-server", "valkey-server"))
    if not binary:
        raise MissingProgram("There is no Redis here. Try: apt-get install redis-server")
    port = free_port()
    # It saves nothing: the queue may be lost, and no letter may be lost with it.
    words = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(home)]
    return Broker(Program("redis", words, log=home / "redis.log", env=env), f"redis://127.0.0.1:{port}/0", port)


def rabbitmq(home: Path, env: dict[str, str]) -> Broker:
    binary = find_or_install("rabbitmq-server", RABBITS)
    if not binary:
        raise MissingProgram("There is no RabbitMQ here. Try: apt-get install rabbitmq-server")
    port = free_port()
    folder = home / "rabbitmq"
    folder.mkdir()
    values = {
        "RABBITMQ_NODENAME": f"beanpost{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_MNESIA_BASE": str(folder),
        "RABBITMQ_LOG_BASE": str(folder),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_CONFIG_FILE": str(folder / "none"),
        "HOME": str(folder),
    }
    env["CELERY_QUEUE_TYPE"] = "quorum"
    program = Program("rabbitmq", [binary], log=home / "rabbitmq.log", env=env | values)
    return Broker(program, f"amqp://guest:guest@127.0.0.1:{port}//", port)
