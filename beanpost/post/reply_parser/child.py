"""The program of the process that parses mail. receive/child_process.py starts it, and kills it if it takes too long.

It reads one JSON object a line from its standard input and answers each with one, until its input ends, as it does
when the process that started it has died. It has no database, no settings and no environment. Started by its file's
path, it imports neither Celery (`beanpost/__init__.py`) nor the rules of the games (`games/__init__.py`).
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from base64 import b64decode
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

if __name__ == "__main__":
    for name in ("beanpost", "games"):
        package = ModuleType(name)
        package.__path__ = [str(Path(__file__).parents[3] / name)]
        sys.modules[name] = package

from beanpost.post.reply_parser import bounces
from beanpost.post.reply_parser.mail import NOBODY, parse_mail, parse_message
from beanpost.post.reply_parser.quotes import find_own_words
from beanpost.post.reply_parser.sent_letter import build_sent_letter

MAX_SECONDS = 1.0  # of processor time for one email; an ordinary one takes a few milliseconds
MAX_MEMORY = 256 * 1024 * 1024  # bytes


def main() -> None:
    prepare()
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
        try:
            answer = read_mail(**json.loads(line))
        except Exception as error:  # anything a parser may raise over hostile bytes
            answer = {"error": type(error).__name__}
        frame = json.dumps(answer).encode() + b"\n"
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.stdout.buffer.write(frame)
        sys.stdout.buffer.flush()


def prepare() -> None:
    """Limit the memory, and let the timer end this process, even if its parent ignores or blocks the signal."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF})
    with suppress(OSError, ValueError):  # not every system can
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def read_mail(*, source: str, sender: str, is_returned: bool, sent: dict[str, Any]) -> dict[str, Any]:
    """Return what an email says: a report on the letter, or its writer's own words. `source` is in base64."""
    mail_bytes = b64decode(source)
    if is_returned:
        message = parse_message(mail_bytes)
        if notice := bounces.read(message, sender):
            return {"report": asdict(notice), "returned": bounces.extract_returned_text(message)}
        sender = NOBODY  # automatic replies go to the return address too; people's replies do not
    mail = parse_mail(mail_bytes, sender=sender)
    words = [] if mail.automatic else find_own_words(mail.text, build_sent_letter(**sent))
    return {"message_id": mail.message_id, "automatic": mail.automatic, "away": mail.away, "words": words}


if __name__ == "__main__":
    main()
