"""The faults, one function each. A fault is over when its function returns."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from celery import Celery

from proof.programs import TIMEOUT, Program, listens
from proof.stage import Stage
from proof.units import ROOT

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


def mail_is_refused(stage: Stage) -> None:
    in_a_mood(stage, "refusing")


def mail_is_slow(stage: Stage) -> None:
    in_a_mood(stage, "slow")


def mail_breaks_off(stage: Stage) -> None:
    in_a_mood(stage, "dropping")


def mail_is_taken_without_a_word(stage: Stage) -> None:
    in_a_mood(stage, "forgetful")


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
    fill(ballast)
    time.sleep(10)
    ballast.unlink()
    time.sleep(1)
    process = stage.database.process
    if process is None or process.poll() is not None:  # it may give up; systemd would restart it
        stage.database.process = None
        stage.database.start()


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
    the_disk_is_full,
)


def kill(stage: Stage, *programs: Program) -> None:
    """Kill programs with their children; the keeper restarts them."""
    with stage.keeper.lock:
        for program in programs:
            program.kill()


def in_a_mood(stage: Stage, mood: str) -> None:
    stage.mail(mood)
    time.sleep(4)
    stage.mail("well")


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    ballast.write(b"\0" * size)
            except OSError:
                continue


def is_back(stage: Stage) -> bool:
    return listens(stage.broker.port) and all(program.is_running for program in stage.keeper.programs)
