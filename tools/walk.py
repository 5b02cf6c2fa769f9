"""Print how many of our files and functions a click and a letter pass, and which: python -m tools.walk

`tests/ceilings.toml` has the most that they may pass. A click is a GET of a letter's link, the POST of its move and the
GET of the page it leads to. A letter is one run of the worker, which composes and sends what the move has queued.
Functions and methods in `beanpost/` and `games/` are counted once each; lambdas, comprehensions, module bodies and
templates are left out. Another turn is played first, so that work done once per process is not counted. Statements
include BEGIN and COMMIT.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

import django
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("beanpost", "games")
LINK = re.compile(r"https?://[^/\s]+(/move/\S+)")
SETTINGS = {
    "DATABASE_URL": "sqlite://:memory:",
    "DJANGO_SETTINGS_MODULE": "beanpost.settings",
    "EMAIL_BACKEND": "django.core.mail.backends.locmem.EmailBackend",
    "LOG_LEVEL": "ERROR",
    "SECRET_KEY": "only for this walk",
    "SITE_URL": "http://testserver",
}

Walk: TypeAlias = dict[str, dict[str, None]]  # files and their functions, both in the order of the first call
Steps = dict[str, tuple[Walk, int]]  # of a turn, each with the number of its statements


def main() -> None:
    os.environ |= SETTINGS
    django.setup()
    call_command("migrate", verbosity=0)
    steps = walk_through_turn()
    for name, counts in count_turn(steps).items():
        print(f"{name}: {', '.join(f'{count} {what}' for what, count in counts.items())}")
    for name, (walk, statements) in steps.items():
        count = sum(map(len, walk.values()))
        print(f"\n{name}: {statements} statements, {len(walk)} files and {count} functions, by their first call")
        for path, functions in walk.items():
            print(f"  {path}: {', '.join(functions)}")


def count_turn(steps: Steps) -> dict[str, dict[str, int]]:
    """Return the counts that have ceilings."""
    click: Walk = {}
    for step in ("GET", "POST", "GET of the result"):
        for path, functions in steps[step][0].items():
            click[path] = click.get(path, {}) | functions
    walks = {"click": click, "POST": steps["POST"][0], "letter": steps["letter"][0]}
    counts = {name: {"files": len(walk), "functions": sum(map(len, walk.values()))} for name, walk in walks.items()}
    return counts | {"turn": {"statements": sum(statements for _, statements in steps.values())}}


def walk_through_turn() -> Steps:
    client, steps = Client(), Steps()
    play_turn(client, lambda _: nullcontext(), day=1)
    play_turn(client, partial(record_step, steps), day=2)
    return steps


def play_turn(client: Client, record: Callable[[str], AbstractContextManager[None]], *, day: int) -> None:
    """Play the first turn of a match, each step within `record`.

    Each turn has a day of its own, since invitations have a daily limit. It is noon: more happens near quiet hours.
    """
    from beanpost.post.models import Letter  # noqa: PLC0415 (needs the apps to be loaded)
    from beanpost.post.tasks import deliver  # noqa: PLC0415
    from tests.friends import seat_friends  # noqa: PLC0415

    noon = datetime(2026, 9, day, 12, tzinfo=UTC)
    with time_machine.travel(noon, tick=False):
        match = seat_friends(variant="basic", seats=4, secret=day.to_bytes(32, "big"), now=noon)
        deliver()
        turns = Letter.objects.filter(match=match, kind="turn", state="sent")
        [link] = LINK.findall(turns.get().text)[:1]
        with record("GET"):
            seen = client.get(link)
        assert seen.status_code == 200, seen.status_code
        with record("POST"):
            pressed = client.post(link)
        assert pressed.status_code == 303, pressed.status_code
        with record("GET of the result"):
            seen = client.get(pressed["Location"])
        assert seen.status_code == 200, seen.status_code
        with record("letter"):
            deliver()
        assert turns.count() == 2


@contextmanager
def record_step(steps: Steps, name: str) -> Iterator[None]:
    with record_calls() as walk, CaptureQueriesContext(connection) as queries:
        yield
    steps[name] = walk, len(queries)


@contextmanager
def record_calls() -> Iterator[Walk]:
    """Record every call of our own functions in this thread."""
    walk: Walk = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name.startswith("<") or not code.co_filename.endswith(".py"):
            return
        path = Path(code.co_filename)
        if path.is_relative_to(ROOT) and (own := path.relative_to(ROOT)).parts[0] in PACKAGES:
            walk.setdefault(own.as_posix(), {})[code.co_qualname.replace("<locals>.", "")] = None

    sys.setprofile(note)
    try:
        yield walk
    finally:
        sys.setprofile(None)


if __name__ == "__main__":
    main()
