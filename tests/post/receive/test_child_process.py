"""The process that parses mail: an email that takes too long ends it, and the next email is read as usual."""

import os
import signal
import subprocess
import sys
import time
from base64 import b64encode
from pathlib import Path

import pytest

from beanpost.post.receive import child_process
from beanpost.post.receive.child_process import ChildDied, ChildProcess
from beanpost.post.reply_parser import child
from beanpost.post.reply_parser.limits import TooSlow

SENT = {"text": "", "html": "", "printed": []}
MUST_NOT = ("django", "celery", "beanpost.settings", "games.engine", "games.bohnanza")


@pytest.fixture
def process(tmp_path, monkeypatch):
    """A child process whose program runs the sender's address as Python, before it parses the email."""
    program = Path(child.__file__).read_text().replace("Path(__file__)", f"Path({child.__file__!r})")
    program = program.replace("    mail_bytes =", "    exec(sender)\n    mail_bytes =")
    (tmp_path / "child.py").write_text(program)
    monkeypatch.setattr(child, "__file__", str(tmp_path / "child.py"))
    process = ChildProcess()
    yield process
    process.stop()


def ask(process: ChildProcess, sender: str = "") -> dict[str, object]:
    question = {"source": b64encode(b"\n\npass").decode(), "sender": sender, "is_returned": False, "sent": SENT}
    return process.ask(question)


def words(process: ChildProcess, sender: str = "") -> object:
    return ask(process, sender)["words"]


def test_an_email_that_uses_up_its_second_ends_the_process_and_the_next_is_read(process):
    assert words(process) == ["pass"]
    began = time.monotonic()
    with pytest.raises(TooSlow):
        ask(process, "while True: pass")
    assert time.monotonic() - began < 10
    assert words(process) == ["pass"]


def test_each_email_has_a_second_of_its_own(process):
    busy = "import time\nend = time.process_time() + 0.4\nwhile time.process_time() < end: pass"
    for _ in range(4):
        assert words(process, busy) == ["pass"]


def test_the_limit_holds_if_the_parent_ignores_and_blocks_the_signal(process):
    former = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
    try:
        ask(process)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF})
        signal.signal(signal.SIGPROF, former)
    with pytest.raises(TooSlow):
        ask(process, "while True: pass")


def test_an_email_that_sleeps_is_given_up_by_the_clock(process, monkeypatch):
    monkeypatch.setattr(child_process, "MAX_SECONDS", 1)
    with pytest.raises(TooSlow):
        ask(process, "import time\ntime.sleep(60)")


@pytest.mark.parametrize("end", ["os._exit(1)", "os.kill(os.getpid(), 9)", "os.kill(os.getpid(), 11)"])
def test_an_email_is_not_blamed_for_another_death_and_tried_once_more(process, tmp_path, end):
    mark = repr(str(tmp_path / "once"))
    once = f"import os\nif not os.path.exists({mark}):\n open({mark}, 'w')\n {end}"
    assert words(process, once) == ["pass"]
    with pytest.raises(ChildDied):
        ask(process, f"import os\n{end}")
    assert words(process) == ["pass"]


def test_a_process_that_died_in_between_costs_no_email(process):
    ask(process)
    os.kill(process.process.pid, signal.SIGKILL)
    assert words(process) == ["pass"]


class Interrupted(Exception):
    pass


def test_after_an_interruption_the_next_email_does_not_get_the_answer_to_the_interrupted_one(process):
    def interrupt(*_):
        raise Interrupted

    ask(process)
    former = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Interrupted):
            ask(process, "import time\ntime.sleep(1)\nraise KeyError")
    finally:
        signal.signal(signal.SIGALRM, former)
    assert words(process) == ["pass"]


def test_its_memory_is_limited(process):
    assert ask(process, "bytes(10**9)") == {"error": "MemoryError"}
    assert words(process) == ["pass"]


def test_it_loads_neither_django_nor_the_games_and_has_no_environment(process):
    report = "import os, sys\nraise type(' '.join([*sys.modules, *os.environ]), (Exception,), {})"
    names = ask(process, report)["error"].split()
    assert "beanpost.post.reply_parser.quotes" in names
    assert [name for name in names if name.startswith(MUST_NOT)] == []
    assert not {"SECRET_KEY", "PATH", "HOME"} & {*names}


def test_it_has_a_session_of_its_own(process):
    """Ctrl-C in a terminal is for the server alone."""
    ask(process)
    assert os.getsid(process.process.pid) == process.process.pid


PARENT = """
import time, django
django.setup()
from beanpost.post.receive import child_process
print(child_process.start().pid, flush=True)
time.sleep(60)
"""


@pytest.mark.own_process
def test_it_ends_when_its_parent_is_killed():
    surroundings = os.environ | {"DJANGO_SETTINGS_MODULE": "beanpost.settings"}
    with subprocess.Popen([sys.executable, "-c", PARENT], env=surroundings, stdout=subprocess.PIPE) as parent:
        pid = int(parent.stdout.readline())
        parent.kill()
    end = time.monotonic() + 20
    while is_running(pid):
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
