"""The faults, one function each. A fault is over when its function returns."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from celery import Celery
from redis import Redis

from proof.programs import TIMEOUT, Program, free_port, listens
from proof.stage import Stage
from proof.units import ROOT

SOME_MOVES = 20
AHEAD = 30  # hours that a clock is ahead: more than any deadline


def a_web_process_is_killed(stage: Stage) -> None:
    os.kill(stage.web.children()[0], signal.SIGKILL)


def all_of_the_web_is_killed(stage: Stage) -> None:
    kill(stage, stage.web)


def a_worker_is_killed(stage: Stage) -> None:
    kill(stage, stage.workers[0])


def both_workers_are_killed(stage: Stage) -> None:
    kill(stage, *stage.workers)


def the_clock_is_killed(stage: Stage) -> None:
    kill(stage, stage.beat)


def the_database_is_restarted(stage: Stage) -> None:
    stage.database.stop()
    stage.database.start()


def the_database_crashes(stage: Stage) -> None:
    stage.database.stop(signal.SIGQUIT)
    time.sleep(2)
    stage.database.start()


def the_broker_is_restarted(stage: Stage) -> None:
    stage.broker.program.kill()
    time.sleep(3)
    stage.broker.start()


def the_broker_is_emptied(stage: Stage) -> None:
    Celery(broker=stage.broker.url).control.purge()


def the_broker_fails_over(stage: Stage) -> None:
    """Kill Redis, and let a replica take over its address, as a failover does. Messages on the way may be lost."""
    first = stage.broker.program
    words = [str(word) for word in first.command]
    port = free_port()
    words[words.index("--port") + 1] = str(port)
    replica = Program(
        "replica", [*words, "--replicaof", f"127.0.0.1 {stage.broker.port}"], log=first.log, env=first.env
    )
    replica.start()
    replica.wait_until(lambda: listens(port))
    with Redis(port=port) as server:
        replica.wait_until(lambda: server.info("replication")["master_link_status"] == "up")
        first.kill()
        time.sleep(2)
        server.replicaof("NO", "ONE")
        server.config_set("port", stage.broker.port)
    stage.broker.program = replica
    time.sleep(3)


def a_second_clock_runs_by_accident(stage: Stage) -> None:
    second = Program("beat2", stage.beat.command, log=stage.beat.log, env=stage.beat.env, cwd=stage.beat.cwd)
    second.start()
    time.sleep(40)  # longer than the pause between two sweeps
    if not second.is_running:
        raise RuntimeError("The second clock did not run.")
    second.stop()


def the_site_runs_behind_a_pooler(stage: Stage) -> None:
    """Put PgBouncer in transaction mode before the database, restart it once, and take it away again."""
    direct, port = stage.env["DATABASE_URL"], free_port()
    name = direct.split("@/")[1].partition("?")[0]
    settings = stage.home / "pgbouncer.ini"
    settings.write_text(POOLER.format(host=stage.database.home, port=port))
    as_nobody = ["-u", "nobody"] if os.geteuid() == 0 else []  # it refuses to run as root
    command = ["pgbouncer", "-q", *as_nobody, str(settings)]
    pooler = Program("pgbouncer", command, log=stage.home / "pgbouncer.log", env=stage.env)
    pooler.start()
    pooler.wait_until(lambda: listens(port))
    try:
        stage.move_to(f"postgres://postgres@127.0.0.1:{port}/{name}", DATABASE_BEHIND_POOLER="yes")
        let_people_move(stage)
        pooler.kill()
        pooler.start()
        let_people_move(stage)
    finally:
        stage.move_to(direct, DATABASE_BEHIND_POOLER="")
        pooler.stop()


def let_people_move(stage: Stage) -> None:
    """Wait for more moves. After a restart nobody moves for some seconds, since no worker sends letters yet."""
    end, enough = time.monotonic() + TIMEOUT, count_moves(stage) + SOME_MOVES
    while count_moves(stage) < enough:
        if time.monotonic() > end:
            raise RuntimeError("Nobody could move.")
        time.sleep(0.5)


def count_moves(stage: Stage) -> int:
    with psycopg.connect(stage.database.url) as database:
        [(count,)] = database.execute("SELECT count(*) FROM play_event WHERE origin = 'player'")
    return int(count)


def mail_is_refused(stage: Stage) -> None:
    set_mood_for_a_while(stage, "refusing")


def mail_is_slow(stage: Stage) -> None:
    set_mood_for_a_while(stage, "slow")


def mail_breaks_off(stage: Stage) -> None:
    set_mood_for_a_while(stage, "dropping")


def mail_is_taken_without_a_word(stage: Stage) -> None:
    set_mood_for_a_while(stage, "forgetful")


def the_mail_server_is_gone(stage: Stage) -> None:
    kill(stage, stage.sink)


def a_clock_jumps_ahead_and_back(stage: Stage) -> None:
    """Run one sweep more than a day ahead of time, as if a machine's clock were wrong, then one on time."""
    sweep = f"sweeping.sweep(clock.now() + timedelta(hours={AHEAD}))"
    stage.run("-c", f"{SWEEPING}; {sweep}; sweeping.sweep(clock.now())")


def many_sweeps_run_at_once(stage: Stage) -> None:
    words = [sys.executable, "-c", f"{SWEEPING}; [sweeping.sweep(clock.now()) for _ in range(20)]"]
    sweeps = [subprocess.Popen(words, env=stage.env, cwd=ROOT) for _ in range(3)]
    if sum(sweep.wait(TIMEOUT) for sweep in sweeps):
        raise RuntimeError("A sweep failed beside another.")


def the_disk_is_full(stage: Stage) -> None:
    """Fill the database's small disk to the last byte for a while."""
    ballast = Path(stage.database.home) / "ballast"
    fill_disk(ballast)
    time.sleep(10)
    ballast.unlink()
    time.sleep(1)
    process = stage.database.process
    if process is None or process.poll() is not None:  # it may give up; systemd would restart it
        stage.database.process = None
        stage.database.start()


POOLER = """\
[databases]
* = host={host} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
server_round_robin = 1
"""
SWEEPING = (
    "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'beanpost.settings'; import django; django.setup(); "
    "from datetime import timedelta; from beanpost.play import clock; "
    "from beanpost.play.timekeeping import sweep as sweeping"
)
Fault = Callable[[Stage], None]
FAULTS: tuple[Fault, ...] = (
    a_web_process_is_killed,
    a_worker_is_killed,
    the_broker_is_emptied,
    mail_is_refused,
    the_clock_is_killed,
    the_database_is_restarted,
    mail_is_slow,
    the_broker_is_restarted,
    all_of_the_web_is_killed,
    mail_breaks_off,
    many_sweeps_run_at_once,
    both_workers_are_killed,
    the_database_crashes,
    mail_is_taken_without_a_word,
    a_clock_jumps_ahead_and_back,
    the_mail_server_is_gone,
    the_broker_fails_over,
    a_second_clock_runs_by_accident,
    the_site_runs_behind_a_pooler,
    the_disk_is_full,
)


def kill(stage: Stage, *programs: Program) -> None:
    """Kill programs with their children; the keeper restarts them."""
    with stage.keeper.lock:
        for program in programs:
            program.kill()


def set_mood_for_a_while(stage: Stage, mood: str) -> None:
    stage.mail(mood)
    time.sleep(4)
    stage.mail("well")


def fill_disk(file: Path) -> None:
    with file.open("wb", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    ballast.write(b"\0" * size)
            except OSError:
                continue


def is_database_back(stage: Stage) -> bool:
    return listens(stage.broker.port) and all(program.is_running for program in stage.keeper.programs)
