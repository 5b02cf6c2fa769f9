"""Faults of an installation on several machines, one function each. A fault is over when its function returns.

The moves of all other people must go on within MAX_PAUSE.
"""

import shutil
import signal
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import psycopg

from tools import postgres
from tools.proof import brokers, hosts
from tools.proof.programs import TIMEOUT, Program, listens
from tools.proof.stage import BINARIES, Stage

MAX_PAUSE = 15  # seconds
SILENCE = 30  # seconds
AHEAD = 90  # seconds
LIBRARY = "*/faketime/libfaketimeMT.so.1"


def a_host_loses_its_power(stage: Stage) -> None:
    """Cut its cable first, so that nobody hears of the kill. Start it again later."""
    with stage.keeper.lock:
        stage.hosts["site1"].cut()
        for program in find_programs(stage, "site1"):
            program.kill()
        time.sleep(SILENCE)
        stage.hosts["site1"].mend()
    stage.sink.wait_until(lambda: listens(hosts.PORT, stage.hosts["site1"].address))


def a_host_is_cut_off(stage: Stage) -> None:
    stage.hosts["site2"].cut()
    time.sleep(SILENCE)
    stage.hosts["site2"].mend()


def a_clock_is_ahead(stage: Stage) -> None:
    """Set the clock of one machine ahead. Monitoring must say so."""
    ahead = {"LD_PRELOAD": find_library(), "FAKETIME": f"+{AHEAD}s"}
    ahead |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}  # gunicorn's sign of life is a file's time
    programs = find_programs(stage, "site2")
    usual = {program.name: program.env for program in programs}
    for program in programs:
        stage.restart(program, program.env | ahead)
    time.sleep(SILENCE)
    stage.sink.wait_until(lambda: AHEAD - 1 < read_skew(stage, "site2") < AHEAD + 5)
    for program in programs:
        stage.restart(program, usual[program.name])
    stage.sink.wait_until(lambda: listens(hosts.PORT, stage.hosts["site2"].address))


def the_primary_is_gone_for_good(stage: Stage) -> None:
    """Add a replica that confirms every commit, cut PostgreSQL and Redis off, and promote the replica."""
    primary, host = stage.database, stage.hosts["data"]
    stage.database = replica = start_replica(stage)
    host.cut()
    primary.stop(signal.SIGKILL)
    stage.broker.program.kill()
    time.sleep(3)  # until somebody has noticed
    with psycopg.connect(host=replica.home, user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
        connection.execute("SELECT pg_promote()")
        connection.execute("SELECT pg_reload_conf()")
    stage.broker = hosts.start_redis(stage.home, stage.hosts["spare"], stage.env)
    time.sleep(SILENCE)


def start_replica(stage: Stage) -> postgres.Server:
    """Return a replica on its machine, once the primary waits for it at every commit."""
    home = stage.home / "replica"
    home.mkdir()
    binaries = next(iter(postgres.find_binaries(BINARIES)))
    replica = postgres.Server(binaries, str(home))
    shutil.rmtree(home / "data")
    address, password = stage.hosts["data"].address, urlsplit(stage.env["DATABASE_URL"]).password
    primary = f"host={address} user=replica password={password} sslmode=require"
    words = ["--pgdata", f"{home}/data", "--dbname", primary, "--write-recovery-conf", "--checkpoint=fast"]
    command = [*replica.prefix, str(binaries / "pg_basebackup"), *words]
    subprocess.run(stage.hosts["spare"].inside(command), check=True, capture_output=True, **replica.options)
    hosts.move_to(replica, stage.hosts["spare"])
    replica.start()
    with psycopg.connect(host=stage.database.home, user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")
        end = time.monotonic() + TIMEOUT
        while connection.execute("SELECT sync_state FROM pg_stat_replication").fetchone() != ("sync",):
            if time.monotonic() > end:
                raise RuntimeError("The replica does not follow the primary.")
            time.sleep(0.1)
    return replica


def find_programs(stage: Stage, role: str) -> list[Program]:
    return [program for program in stage.keeper.programs if program.name.endswith(f"-{role}")]


def find_library() -> str:
    """Return the path of libfaketime, or ""."""
    brokers.find_or_install("faketime", ("faketime",))
    return next(map(str, Path("/usr/lib").glob(LIBRARY)), "")


def read_skew(stage: Stage, role: str) -> float:
    """Return what Prometheus reads of the clocks on a machine; 0 if the machine does not answer."""
    url = f"http://{stage.hosts[role].address}:{hosts.PORT}/metrics"
    headers = {"Host": stage.hosts["proxy"].address, "Authorization": f"Bearer {stage.env['METRICS_TOKEN']}"}
    try:
        with urlopen(Request(url, headers=headers), timeout=TIMEOUT) as page:
            lines = page.read().decode().splitlines()
    except OSError:
        return 0
    return next(float(line.split()[1]) for line in lines if line.startswith("beanpost_clock_skew_seconds "))


FAULTS = (a_host_loses_its_power, a_host_is_cut_off, a_clock_is_ahead, the_primary_is_gone_for_good)
