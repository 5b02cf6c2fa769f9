"""Parse mail in a child process (reply_parser/child.py), which is killed if an email takes too long.

A thread cannot be stopped, and the timer of a process stops everything in it. docs/decisions/0014 says more.
"""

from __future__ import annotations

import atexit
import json
import logging
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from signal import SIGPROF
from threading import Event, Lock, Timer
from typing import Any

from beanpost.post.models import Reply
from beanpost.post.reply_parser import child
from beanpost.post.reply_parser.bounces import Notice
from beanpost.post.reply_parser.limits import NotReadable, TooSlow

MAX_SECONDS = 20  # by the clock: with a tighter limit, a busy machine would make innocent emails look slow

log = logging.getLogger(__name__)


class ChildDied(Exception):
    """The child process died twice, and not because of its limit of time."""


@dataclass(frozen=True)
class Parsed:
    """The parts of an email that we use."""

    message_id: str  # "" if it has no valid one
    automatic: bool  # written by a machine, so it is never answered
    away: bool  # an automatic reply: the owner of the mailbox seems to be away
    words: Sequence[str] = field(repr=False)  # the writer's own lines


@dataclass(frozen=True)
class ParsedReport:
    """A mail server's report on a letter, and the text of everything enclosed with it."""

    notice: Notice
    returned: str = field(repr=False)


def parse(reply: Reply) -> Parsed | ParsedReport:
    """Parse an email to a letter. This may take long, so call it outside transactions, and never for a page.

    Raise NotReadable if it cannot be parsed, TooSlow if the child process was killed over it.
    """
    letter = reply.letter
    parts = letter.parts
    printed = [[str(option["mark"]), str(option["label"])] for option in letter.options]
    question = {
        "source": b64encode(bytes(reply.source)).decode(),
        "sender": reply.sender,
        "is_returned": reply.is_returned,
        "sent": {"text": parts.text, "html": parts.html, "printed": printed},
    }
    answer = CHILD.ask(question)
    if "error" in answer:
        log.warning("Reply %d could not be parsed: %s", reply.pk, answer["error"])
        raise NotReadable
    if "report" in answer:
        return ParsedReport(Notice(**answer["report"]), answer["returned"])
    return Parsed(**answer)


class ChildProcess:
    """The process, started for the first email and again after it has died. It parses one email at a time."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the child's answer. If it dies of anything but its limit of time, try once more."""
        frame = json.dumps(question).encode() + b"\n"
        with self.lock:
            for _ in range(2):
                if answer := self.exchange(frame):
                    found: dict[str, Any] = json.loads(answer)
                    return found
        raise ChildDied

    def exchange(self, frame: bytes) -> bytes:
        """Return the answer to one frame, or nothing if the process died. Raise TooSlow if a limit of time ended it."""
        process = self.process = self.process or start()
        assert process.stdin
        assert process.stdout
        is_late = Event()

        def kill() -> None:
            is_late.set()
            process.kill()

        timer = Timer(MAX_SECONDS, kill)
        timer.start()
        try:
            process.stdin.write(frame)
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:  # it died before it had read everything
            answer = b""
        except BaseException:  # such as Celery's soft limit: the next email must not get the answer to this one
            self.stop()
            raise
        finally:
            timer.cancel()
        if answer.endswith(b"\n"):
            return answer
        self.stop()
        if is_late.is_set() or process.returncode == -SIGPROF:
            raise TooSlow
        log.warning("The process that parses mail died with %d.", process.returncode)
        return b""

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.communicate()
        self.process = None


def start() -> subprocess.Popen[bytes]:
    """Start the process, in a session of its own: Ctrl-C is for this process alone.

    Not by multiprocessing: Celery's workers are daemons, which may have no such children.
    """
    return subprocess.Popen(
        [sys.executable, "-I", child.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={},
        start_new_session=True,
    )


CHILD = ChildProcess()
atexit.register(CHILD.stop)
