"""The faults, one function each; those of mail are in `mail_faults`. A fault is over when its function returns."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from celery import Celery
from redis import Redis

from tools.proof import mail_faults
from tools.proof.programs import TIMEOUT, Program, free_port, listens
from tools.proof.stage import Stage
from tools.proof.units import ROOT

CALLS = 2
DISK = "500m"
AHEAD = 30  # hours that a clock is ahead: more than any deadline


def a_web_process_is_killed(stage: Stage) -> None:
    os.kill(stage.web.children()[0], signal.SIGKILL)


def all_of_the_web_is_killed(stage: Stage) -> None:
    stage.kill(stage.web)


def a_worker_is_killed(stage: Stage) -> None:
    stage.kill(stage.workers[0])


def both_workers_are_killed(stage: Stage) -> None:
    stage.kill(*stage.workers)


def the_clock_is_killed(stage: Stage) -> None:
    stage.kill(stage.beat)


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
        stage.let_people_move()
        pooler.kill()
        pooler.start()
        stage.let_people_move()
    finally:
        stage.move_to(direct, DATABASE_BEHIND_POOLER="")
        pooler.stop()


def a_webhooks_receiver_dribbles(stage: Stage) -> None:
    """Have two webhooks called whose server sends a byte a second and never ends."""
    [slow] = [program for program in stage.keeper.programs if program.name == "slow"]
    place = f"localhost:{(port := free_port())}"
    command = [sys.executable, "-m", "tools.proof.dribble", str(port), str(stage.home)]
    dribbler = Program("dribble", command, log=stage.home / "dribble.log", env=stage.env, cwd=ROOT)
    usual = slow.env
    dribbler.start()
    try:
        dribbler.wait_until(lambda: listens(port))
        certificate = str(stage.home / "dribble.pem")
        stage.restart(slow, usual | {"OUTGOING_WEBHOOK_HOSTS": place, "REQUESTS_CA_BUNDLE": certificate})
        stage.run("-c", WEBHOOKS.format(place=place))
        dribbler.wait_until(lambda: stage.count_rows("leagues_webhookcall WHERE attempts > 0") == CALLS)
        stage.let_people_move()
        dribbler.wait_until(lambda: stage.count_rows("leagues_webhookcall WHERE error <> ''") == CALLS)
        if not (stage.home / "dribbled").exists():
            raise RuntimeError("The webhooks' receiver was not called.")
    finally:
        stage.restart(slow, usual)
        dribbler.kill()


def a_full_disk_under_readyz(stage: Stage) -> None:
    """Fill the disk of a second site, on SQLite: /readyz must say so, and be well again once there is room."""
    port = free_port()
    with mount_small_disk() as disk:
        assert disk, "chaos.py leaves this fault out without a small disk"
        here = {"DATABASE_URL": "", "CELERY_BROKER_URL": "", "BEANPOST_VAR": str(disk), "STATIC_ROOT": ""}
        env = stage.env | here | {"PORT": str(port), "SITE_URL": f"http://127.0.0.1:{port}"}
        site = Program("serve", [sys.executable, "manage.py", "serve"], log=stage.home / "serve.log", env=env, cwd=ROOT)
        site.start()
        try:
            site.wait_until(lambda: is_well(port))
            fill_disk(disk / "ballast")
            site.wait_until(lambda: "BAD  The database stores nothing" in read_health(port))
            (disk / "ballast").unlink()
            site.wait_until(lambda: is_well(port))
        finally:
            site.stop()


def is_well(port: int) -> bool:
    page = read_health(port)
    return page.startswith("ok ") and "BAD " not in page


def read_health(port: int) -> str:
    """Return the page /readyz, or "" while nobody answers."""
    try:
        return str(urlopen(f"http://127.0.0.1:{port}/readyz", timeout=30).read().decode())
    except HTTPError as answer:
        return str(answer.read().decode())
    except OSError:
        return ""


@contextmanager
def mount_small_disk() -> Iterator[Path | None]:
    """Mount a small disk in memory, and yield its path; None without the permission to mount."""
    with tempfile.TemporaryDirectory(prefix="disk", dir="/tmp") as place:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", place]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            yield None
            return
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)


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
WEBHOOKS = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "beanpost.settings"
import django
django.setup()
from beanpost.leagues.models import League, Webhook
from beanpost.leagues.webhooks import calls
from beanpost.play import clock
league = League.objects.create(name="Dribble", slug="dribble")
for n in range(2):
    calls.queue_test(Webhook.objects.create(league=league, url=f"https://{place}/{{n}}"), clock.now())
"""
Fault = Callable[[Stage], None]
FAULTS: tuple[Fault, ...] = (
    a_web_process_is_killed,
    a_worker_is_killed,
    the_broker_is_emptied,
    mail_faults.mail_is_refused,
    the_clock_is_killed,
    the_database_is_restarted,
    mail_faults.mail_is_slow,
    the_broker_is_restarted,
    all_of_the_web_is_killed,
    mail_faults.mail_breaks_off,
    many_sweeps_run_at_once,
    both_workers_are_killed,
    the_database_crashes,
    mail_faults.mail_is_taken_without_a_word,
    a_clock_jumps_ahead_and_back,
    mail_faults.the_mail_server_is_gone,
    mail_faults.a_thousand_mail_connections_are_idle,
    a_webhooks_receiver_dribbles,
    the_broker_fails_over,
    a_second_clock_runs_by_accident,
    the_site_runs_behind_a_pooler,
    the_disk_is_full,
    mail_faults.a_relay_forbids_everything_for_a_minute,
    a_full_disk_under_readyz,
)
FULL_DISKS = (the_disk_is_full, a_full_disk_under_readyz)


def fill_disk(file: Path) -> None:
    with file.open("wb", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    ballast.write(b"\0" * size)
            except OSError:
                continue


def is_database_back(stage: Stage) -> bool:
    return listens(stage.broker.port, stage.broker.host) and all(
        program.is_running for program in stage.keeper.programs
    )
