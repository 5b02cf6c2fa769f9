"""Faults of the mail server and the postbox, one function each. A fault is over when its function returns."""

import socket
import time
from contextlib import ExitStack
from pathlib import Path
from smtplib import SMTP, SMTPException

import psycopg

from tools.proof.programs import Program, free_port, listens
from tools.proof.stage import Stage
from tools.proof.units import ROOT, read_commands

CONNECTIONS = 1000


def mail_is_refused(stage: Stage) -> None:
    set_mood_for_a_while(stage, "refusing")


def mail_is_slow(stage: Stage) -> None:
    set_mood_for_a_while(stage, "slow")


def mail_breaks_off(stage: Stage) -> None:
    set_mood_for_a_while(stage, "dropping")


def mail_is_taken_without_a_word(stage: Stage) -> None:
    set_mood_for_a_while(stage, "forgetful")


def set_mood_for_a_while(stage: Stage, mood: str) -> None:
    stage.mail(mood)
    time.sleep(4)
    stage.mail("well")


def the_mail_server_is_gone(stage: Stage) -> None:
    stage.kill(stage.sink)


def a_thousand_mail_connections_are_idle(stage: Stage) -> None:
    """Hold connections to the postbox from many addresses, say nothing, and see that mail comes in afterwards."""
    port = free_port()
    env = stage.env | {"INBOUND_DOMAIN": "in.stage.example", "POSTBOX": f"smtp://0.0.0.0:{port}"}
    postbox = Program(
        "postbox", read_commands("beanpost-postbox")[0], log=stage.home / "postbox.log", env=env, cwd=ROOT
    )
    postbox.start()
    try:
        postbox.wait_until(lambda: listens(port))
        with ExitStack() as idle:
            for n in range(CONNECTIONS):
                here = (f"127.0.{n % 50 + 1}.1", 0)
                idle.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60, source_address=here))
            stage.let_people_move()
            held = count_files(postbox)
        if held > CONNECTIONS / 2:
            raise RuntimeError(f"The postbox held {held} files.")
        postbox.wait_until(lambda: takes_mail(port))
    finally:
        postbox.stop()


def takes_mail(port: int) -> bool:
    try:
        with SMTP("127.0.0.1", port) as caller:
            return caller.ehlo()[0] == 250
    except (OSError, SMTPException):
        return False


def count_files(program: Program) -> int:
    assert program.process
    return sum(1 for _ in Path(f"/proc/{program.process.pid}/fd").iterdir())


def a_relay_forbids_everything_for_a_minute(stage: Stage) -> None:
    """Let the relay say 5.7.1: the outbox must pause, blame nobody, and go on at the first success."""
    stage.mail("forbidding")
    end = time.monotonic() + 60
    stage.beat.wait_until(lambda: stage.count_rows("post_outboxpause WHERE began_at IS NOT NULL") == 1)
    time.sleep(max(0, end - time.monotonic()))
    stage.mail("well")
    with psycopg.connect(stage.database.url, autocommit=True) as database:
        database.execute("UPDATE post_outboxpause SET next_try_at = now()")  # not in five minutes
    stage.beat.wait_until(lambda: stage.count_rows("post_outboxpause") == 0)
    if stage.count_rows("post_letter WHERE state = 'failed' OR fate <> ''"):
        raise RuntimeError("A letter was given up, or a player blamed.")
